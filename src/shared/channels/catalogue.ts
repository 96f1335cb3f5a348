import type { Text } from '../language.ts'

/** Every dimension of every channel. Time first: it is derived from the days that a platform answers. */
export const dimensions = {
  month: { names: { en: 'Month', 'zh-TW': '月' }, kind: 'time' },
  week: { names: { en: 'Week', 'zh-TW': '週' }, kind: 'time' },
  date: { names: { en: 'Date', 'zh-TW': '日期' }, kind: 'time' },
  account_name: { names: { en: 'Account name', 'zh-TW': '帳戶名稱' }, kind: 'account' },
  account_id: { names: { en: 'Account ID', 'zh-TW': '帳戶 ID' }, kind: 'account' },
  currency: { names: { en: 'Currency', 'zh-TW': '幣別' }, kind: 'account' },
  campaign: { names: { en: 'Campaign', 'zh-TW': '廣告活動' }, kind: 'entity' },
  ad_group: { names: { en: 'Ad group', 'zh-TW': '廣告群組' }, kind: 'entity' },
  ad: { names: { en: 'Ad', 'zh-TW': '廣告' }, kind: 'entity' },
  device_type: { names: { en: 'Device type', 'zh-TW': '裝置類型' }, kind: 'breakdown' },
} as const satisfies Record<string, { names: Text; kind: DimensionKind }>

/**
 * time: a bucket of days, worked out by us; account: a fact of the account, filled in by us;
 * entity: has an id of its own, grouped by id and printed by name; breakdown: a plain value.
 */
export type DimensionKind = 'time' | 'account' | 'entity' | 'breakdown'
export type Dimension = keyof typeof dimensions
export type TimeDimension = 'month' | 'week' | 'date'
export type AccountDimension = 'account_name' | 'account_id' | 'currency'
/** A dimension that only the platform can split by. */
export type PlatformDimension = Exclude<Dimension, TimeDimension | AccountDimension>

/** money: of the account's currency; ratio: a bare number such as 4.2; percent: a share, stored as 0.042; seconds: a duration. */
export type Unit = 'count' | 'money' | 'ratio' | 'percent' | 'seconds' | 'text'

interface MetricFacts {
  names: Text
  explanation: Text
  unit: Unit
  /** Digits after the point; money takes the currency's instead. */
  decimals: number
  /** What the editor shows the metric under. */
  group: MetricGroup
  /** The platform's own name of it, for people who compare. */
  platform_field: string
  /** Dimensions (of this channel) beside which the platform cannot give it. */
  not_with?: readonly Dimension[]
  /** Dimensions (of this channel) that must all be there, since the platform gives it at no coarser grain. */
  only_with?: readonly Dimension[]
  /** For unit text: what is printed for a page's number, by position. */
  texts?: readonly Text[]
}

export type MetricGroup = 'delivery' | 'cost' | 'audience' | 'conversion' | 'engagement' | 'video' | 'quality'

/** additive: summed over rows. */
export interface AdditiveMetric extends MetricFacts {
  kind: 'additive'
}
/** non_additive: never summed; asked of the platform at exactly the table's grain. */
export interface NonAdditiveMetric extends MetricFacts {
  kind: 'non_additive'
  /** true when only the platform can say it across several accounts, which none can: such a report needs an account dimension. */
  per_account: true
}
/** derived: `numerator / denominator * times`, worked out from the sums; empty when the denominator is 0. */
export interface DerivedMetric extends MetricFacts {
  kind: 'derived'
  formula: { numerator: string; denominator: string; times?: number }
}
export type Metric = AdditiveMetric | NonAdditiveMetric | DerivedMetric

/** What a filter looks at. */
export const filterFields = {
  ecid: { names: { en: 'ECID', 'zh-TW': 'ECID' }, of: 'account' },
  account_id: { names: { en: 'Account ID', 'zh-TW': '帳戶 ID' }, of: 'account' },
  account_name: { names: { en: 'Account name', 'zh-TW': '帳戶名稱' }, of: 'account' },
  campaign_name: { names: { en: 'Campaign name', 'zh-TW': '廣告活動名稱' }, of: 'campaign' },
  ad_group_name: { names: { en: 'Ad group name', 'zh-TW': '廣告群組名稱' }, of: 'ad_group' },
  ad_name: { names: { en: 'Ad name', 'zh-TW': '廣告名稱' }, of: 'ad' },
  device_type: { names: { en: 'Device type', 'zh-TW': '裝置類型' }, of: 'device_type' },
} as const satisfies Record<string, { names: Text; of: 'account' | PlatformDimension }>
export type FilterField = keyof typeof filterFields

export const filterRules = ['EQUAL', 'STARTS_WITH', 'ENDS_WITH', 'CONTAINS', 'NOT_CONTAINS'] as const
export type FilterRule = (typeof filterRules)[number]

/** Several filters are ANDed; the values of one are ORed (for NOT_CONTAINS: none of them). Case is ignored. */
export interface Filter {
  field: FilterField
  rule: FilterRule
  values: string[]
}

/** What one channel offers: the only place that knows it. */
export interface ChannelCatalogue {
  names: Text
  explanation: Text
  /** Which resource its account ids belong to. */
  accounts: 'ad_account' | 'ga_view' | 'ga4_view'
  dimensions: readonly Dimension[]
  metrics: Readonly<Record<string, Metric>>
  /** What the editor's "add the usual ones" adds. */
  usual_metrics: readonly string[]
  filters: readonly FilterField[]
  /** How far back the platform answers, in months. */
  history_months: number
}

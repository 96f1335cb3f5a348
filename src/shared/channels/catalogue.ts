import type { Text } from '#shared/language.ts'
import type { Provider } from '#shared/platforms.ts'
import { channelIds } from './ids.ts'

export type Channel = (typeof channelIds)[number]

export const isChannel = (value: string): value is Channel =>
  (channelIds as readonly string[]).includes(value)

/** Apart from the catalogues, which are large: pages that only name a channel need not load them. */
export const channelNames: Record<Channel, Text> = {
  fb: { en: 'Meta ads', 'zh-TW': 'Meta 廣告' },
  aw: { en: 'Google Ads', 'zh-TW': 'Google Ads' },
  aw_keyword: { en: 'Google Ads keywords', 'zh-TW': 'Google Ads 關鍵字' },
  yg: { en: 'Yahoo ads', 'zh-TW': 'Yahoo 廣告' },
  tt: { en: 'TikTok ads', 'zh-TW': 'TikTok 廣告' },
  ln: { en: 'LINE ads', 'zh-TW': 'LINE 廣告' },
  ga: { en: 'Universal Analytics', 'zh-TW': 'Universal Analytics' },
  ga_event: { en: 'Universal Analytics events', 'zh-TW': 'UA 事件' },
  ga4: { en: 'GA4', 'zh-TW': 'GA4' },
}

/** Every dimension of every channel. Time first: it is derived from the days in a platform's response. */
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
  keyword: { names: { en: 'Keyword', 'zh-TW': '關鍵字' }, kind: 'breakdown' },
  device_type: { names: { en: 'Device type', 'zh-TW': '裝置類型' }, kind: 'breakdown' },
  ga_account: { names: { en: 'GA account', 'zh-TW': 'GA 帳戶' }, kind: 'account' },
  property: { names: { en: 'Property', 'zh-TW': '資源' }, kind: 'account' },
  view: { names: { en: 'View', 'zh-TW': '資料檢視' }, kind: 'account' },
  source: { names: { en: 'Source', 'zh-TW': '來源' }, kind: 'breakdown' },
  medium: { names: { en: 'Medium', 'zh-TW': '媒介' }, kind: 'breakdown' },
  source_medium: { names: { en: 'Source / medium', 'zh-TW': '來源 / 媒介' }, kind: 'breakdown' },
  ad_content: { names: { en: 'Ad content', 'zh-TW': '廣告內容' }, kind: 'breakdown' },
  event_category: { names: { en: 'Event category', 'zh-TW': '事件類別' }, kind: 'breakdown' },
  event_action: { names: { en: 'Event action', 'zh-TW': '事件動作' }, kind: 'breakdown' },
} as const satisfies Record<string, { names: Text; kind: DimensionKind }>

/**
 * time: a bucket of days, worked out by us; account: a fact of the account, filled in by us;
 * entity: has an id of its own, grouped by id and printed by name; breakdown: a plain value.
 */
export type DimensionKind = 'time' | 'account' | 'entity' | 'breakdown'
export type Dimension = keyof typeof dimensions
export type TimeDimension = 'month' | 'week' | 'date'
export type AccountDimension = 'account_name' | 'account_id' | 'currency' | 'ga_account' | 'property' | 'view'
/** A dimension that only the platform can split by. */
export type PlatformDimension = Exclude<Dimension, TimeDimension | AccountDimension>

/**
 * money: of the account's currency; ratio: a bare number such as 4.2; percent: a share, stored as 0.042;
 * seconds: a duration.
 */
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
  /** Metrics (of this channel) beside which the platform cannot give it. */
  not_beside?: readonly string[]
  /** Which of the channel's providers have it; left out: all of them. */
  providers?: readonly Provider[]
  /** For unit text: what is printed for a page's number, by position. */
  texts?: readonly Text[]
}

export type MetricGroup = 'delivery' | 'cost' | 'audience' | 'conversion' | 'engagement' | 'video' | 'quality'

/** additive: summed over rows. */
export interface AdditiveMetric extends MetricFacts {
  kind: 'additive'
  /**
   * Counted on each day that it touches: days add up to a little more than the range, which is no sign of
   * missing rows.
   */
  spans_days?: true
}
/** non_additive: never summed; fetched from the platform at exactly the table's grain. */
export interface NonAdditiveMetric extends MetricFacts {
  kind: 'non_additive'
  /**
   * true when only the platform can say it across several accounts, which none can: such a report needs an
   * account dimension.
   */
  per_account: true
}
/** derived: `numerator / denominator * times`, worked out from the sums; empty when the denominator is 0. */
export interface DerivedMetric extends MetricFacts {
  kind: 'derived'
  formula: { numerator: string; denominator: string; times?: number }
}
export type Metric = AdditiveMetric | NonAdditiveMetric | DerivedMetric

/** What a filter applies to. */
export const filterFields = {
  ecid: { names: { en: 'ECID', 'zh-TW': 'ECID' }, of: 'account' },
  account_id: { names: { en: 'Account ID', 'zh-TW': '帳戶 ID' }, of: 'account' },
  account_name: { names: { en: 'Account name', 'zh-TW': '帳戶名稱' }, of: 'account' },
  campaign_name: { names: { en: 'Campaign name', 'zh-TW': '廣告活動名稱' }, of: 'campaign' },
  ad_group_name: { names: { en: 'Ad group name', 'zh-TW': '廣告群組名稱' }, of: 'ad_group' },
  ad_name: { names: { en: 'Ad name', 'zh-TW': '廣告名稱' }, of: 'ad' },
  keyword: { names: { en: 'Keyword', 'zh-TW': '關鍵字' }, of: 'keyword' },
  device_type: { names: { en: 'Device type', 'zh-TW': '裝置類型' }, of: 'device_type' },
  ga_account_id: { names: { en: 'GA account ID', 'zh-TW': 'GA 帳戶 ID' }, of: 'account' },
  view_id: { names: { en: 'View ID', 'zh-TW': '資料檢視 ID' }, of: 'account' },
  property_id: { names: { en: 'Property ID', 'zh-TW': '資源 ID' }, of: 'account' },
  property_name: { names: { en: 'Property name', 'zh-TW': '資源名稱' }, of: 'account' },
  ga4_account_id: { names: { en: 'GA4 account ID', 'zh-TW': 'GA4 帳戶 ID' }, of: 'account' },
  ga4_account_name: { names: { en: 'GA4 account name', 'zh-TW': 'GA4 帳戶名稱' }, of: 'account' },
  source: { names: { en: 'Source', 'zh-TW': '來源' }, of: 'source' },
  medium: { names: { en: 'Medium', 'zh-TW': '媒介' }, of: 'medium' },
  ad_content: { names: { en: 'Ad content', 'zh-TW': '廣告內容' }, of: 'ad_content' },
} as const satisfies Record<string, { names: Text; of: 'account' | PlatformDimension }>
export type FilterField = keyof typeof filterFields

export const filterRules = ['EQUAL', 'STARTS_WITH', 'ENDS_WITH', 'CONTAINS', 'NOT_CONTAINS'] as const
export type FilterRule = (typeof filterRules)[number]

/**
 * Several filters are ANDed; the values of one are ORed (for NOT_CONTAINS: none of them). Case is ignored.
 */
export interface Filter {
  field: FilterField
  rule: FilterRule
  values: string[]
}

/** What one channel offers: the only module that knows it. */
export interface ChannelCatalogue {
  names: Text
  explanation: Text
  /** Which resource its account ids belong to. */
  accounts: 'ad_account' | 'ga_view' | 'ga4_view'
  /** The channel that its accounts belong to, where that is another one. */
  accounts_of?: Channel
  dimensions: readonly Dimension[]
  /** Dimensions that it has with limits, each said in a sentence. */
  limited?: Readonly<Partial<Record<Dimension, Text>>>
  /** Pairs of dimensions (or filtered dimensions) that the platform cannot split by together. */
  apart?: readonly (readonly [Dimension, Dimension])[]
  /** Dimensions that only some of the channel's providers have. */
  dimension_providers?: Readonly<Partial<Record<Dimension, readonly Provider[]>>>
  metrics: Readonly<Record<string, Metric>>
  /** What the editor's "add the usual ones" adds. */
  usual_metrics: readonly string[]
  filters: readonly FilterField[]
  /**
   * Whether conversions can be counted by the platform's actions; apart: only in a request that asks for
   * `conversions` and `conversion_value` alone. Left out: not at all.
   */
  actions?: 'beside_cost' | 'apart'
  /** How far back the platform has data, in months. */
  history_months: number
  /** The numbers are historical and do not grow: days before the usual earliest one need no request. */
  archive?: true
}

import type { PlatformDimension } from '#shared/channels/catalogue.ts'
import { lnMetrics } from '#shared/channels/ln-metrics.ts'
import { PlatformFailure } from '#server/connectors/connector.ts'

/** From coarse to fine. A report is of one level; each of its rows names the levels above, too. */
export const levels = ['ADACCOUNT', 'CAMPAIGN', 'ADGROUP', 'AD'] as const
export type Level = (typeof levels)[number]

/**
 * What each dimension is called in the header of a file, in English, Japanese and Chinese, and in the online
 * report.
 */
export const dimensionFields = {
  campaign: {
    level: 'CAMPAIGN',
    id: ['Campaign ID', 'キャンペーンID', '廣告活動ID'],
    name: ['Campaign name', 'キャンペーン名', '廣告活動名稱'],
    online: 'campaign',
  },
  ad_group: {
    level: 'ADGROUP',
    id: ['Ad group ID', '広告グループID', '廣告群組ID'],
    name: ['Ad group name', '広告グループ名', '廣告群組名稱'],
    online: 'adgroup',
  },
  ad: {
    level: 'AD',
    id: ['Ad ID', '広告ID', '廣告ID'],
    name: ['Ad name', '広告名', '廣告名稱'],
    online: 'ad',
  },
  // The label is not documented.
  device_type: {
    value: ['OS', 'Operating system', 'Device OS', 'オペレーティングシステム', '作業系統'],
  },
} as const satisfies Partial<Record<PlatformDimension, EntityField | BreakdownField>>

/**
 * Columns that are no metrics of ours; rates and prices only serve to see whether the amounts can be right.
 */
export const otherLabels = {
  day: ['Day', '日', '日期'],
  objective: ['Campaign objective', 'キャンペーン目的', '廣告活動目的'],
  cpc: ['CPC'],
} as const satisfies Record<string, Labels>

/** Throws for a dimension that LINE does not have. */
export function fieldOf(dimension: PlatformDimension): EntityField | BreakdownField {
  const fields: Partial<Record<PlatformDimension, EntityField | BreakdownField>> = dimensionFields
  const field = fields[dimension]
  if (!field) throw new PlatformFailure('combination_not_allowed', { platform_message: dimension })
  return field
}

/** Where a metric comes from. */
export const metricFields = {
  impressions: file('Impressions', 'インプレッション', '曝光數'),
  clicks: file('Clicks', 'クリック', '點擊數'),
  cost: file('Cost', 'コスト', '費用'),
  viewable_impressions: { read: 'online', field: 'viewableImp' },
  impression_share: { read: 'share', field: 'impShareRate' },

  reach: file('Reach (estimated)', 'リーチ（推定）', '觸及人數（預估）'),
  // The column of that name is worded rather like a cap: it is worked out instead.
  frequency: { read: 'frequency' },
  friends_added: { read: 'friends', of: 'conversions' },
  friend_cost: { read: 'friends', of: 'cost' },

  // Files of API 3.9 have one kind of conversions, without a word on which.
  conversions: file(
    'CV (conversions or LINE Tag clicks)',
    'CV（コンバージョンまたはLINE Tagクリック）',
    'CV（轉換或LINE Tag點擊）',
    'CV',
  ),
  conversion_value: file('CV value (purchased)', 'CV value（購入）', 'CV value（購買）'),
  conversions_with_cv_api: file('CV (LINE tag + CV API)', 'CV（LINE Tag＋CV API）', 'CV（LINE Tag＋CV API）'),
  conversions_all: file('CV (All)', 'CV（すべて）', 'CV（全部）'),
  cv_api: file('CV API'),
  purchases: file('CV (purchased)', 'CV（購入）', 'CV（購買）'),
  purchases_all: file('CV (purchased) (ALL)', 'CV（購入）（すべて）', 'CV（購買）（全部）'),
  purchase_value_click: file(
    'CV value (purchased) (click)',
    'CV value（購入）（クリック）',
    'CV value（購買）（點擊）',
  ),
  add_to_cart: file('CV (item added to cart)', 'CV（カート追加）', 'CV（加入購物車）'),
  checkout_started: file('CV (checkout started)', 'CV（購入手続き開始）', 'CV（開始結帳）'),
  view_item: file('CV (product details viewed)', 'CV（商品詳細表示）', 'CV（查看商品詳情）'),
  leads: file('CV (lead generated)', 'CV（リード獲得）', 'CV（取得名單）'),
  reservations: file('CV (reservation completed)', 'CV（予約完了）', 'CV（完成預約）'),
  registrations: file('CV (signup completed)', 'CV（会員登録完了）', 'CV（完成註冊）'),

  app_installs: file('Installs (clicks)', 'インストール（クリック）', '安裝（點擊）'),
  app_installs_view: file('Installs (views)', 'インストール（ビュー）', '安裝（瀏覽）'),
  app_installs_total: file(
    'Installs (clicks and views)',
    'インストール（クリックとビュー）',
    '安裝（點擊與瀏覽）',
  ),
  app_installs_skan: file(
    'Installs (SKAN clicks)',
    'インストール（SKANクリック）',
    '安裝（SKAN點擊）',
    'installs_sk_ad_network',
  ),
  app_opens: file('Open', '起動', '開啟'),
  app_view_item: file('View product', '商品表示', '查看商品'),
  app_search: file('Search', '検索', '搜尋'),
  app_add_to_cart: file('Add-to-cart', 'カートに追加', '加入購物車'),
  app_purchase: file('Purchase', '購入', '購買'),
  app_level_achieved: file('Level achieved', 'レベル達成', '達成等級'),
  app_tutorial_complete: file('Tutorial complete', 'チュートリアル完了', '完成教學'),

  video_views: file(
    'Video (viewed for at least three seconds)',
    '動画（3秒以上再生）',
    '影片（觀看至少3秒）',
    '3_second_video_views',
  ),
  video_starts: { read: 'online', field: 'videoStart' },
  video_p25: watched(25),
  video_p50: watched(50),
  video_p75: watched(75),
  video_p95: watched(95),
  video_completions: file(
    'Video (100% watched)',
    '動画（100%再生）',
    '影片（觀看100%）',
    'video_completions',
  ),
} as const satisfies Record<FetchedMetric, MetricField>

/** Metrics of people: a response counts for its own days and entities alone. */
export const peopleMetrics: ReadonlySet<string> = new Set<FetchedMetric>(['reach', 'frequency'])

/** What the campaigns that friends are counted of are for. */
export const FRIENDS_OBJECTIVE = 'GAIN_FRIENDS'

export const isFetched = (metric: string): metric is FetchedMetric => Object.hasOwn(metricFields, metric)

/** Every metric that is requested; the derived ones are computed from these. */
export type FetchedMetric = {
  [Id in keyof typeof lnMetrics]: (typeof lnMetrics)[Id]['kind'] extends 'derived' ? never : Id
}[keyof typeof lnMetrics]

/** What a column may be called: in English today, then in other languages and releases. */
export type Labels = readonly [string, ...string[]]

/**
 * file: a column of its own; frequency: impressions by reach; friends: another metric, of campaigns that gain
 * friends; online: a number of the online report; share: one of its shares, in percent or as a fraction.
 */
export type MetricField =
  | { read: 'file'; labels: Labels }
  | { read: 'frequency' }
  | { read: 'friends'; of: 'conversions' | 'cost' }
  | { read: 'online'; field: string }
  | { read: 'share'; field: string }

export interface EntityField {
  level: Level
  id: Labels
  name: Labels
  online: 'campaign' | 'adgroup' | 'ad'
}
export interface BreakdownField {
  value: Labels
}

function file(...labels: Labels) {
  return { read: 'file', labels } satisfies MetricField
}

function watched(percent: number) {
  return file(
    `Video (${percent}% watched)`,
    `動画（${percent}%再生）`,
    `影片（觀看${percent}%）`,
    `video_watches_at_p${percent}`,
  )
}

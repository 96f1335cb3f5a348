import { awMetrics } from './aw-metrics.ts'
import type { ChannelCatalogue, NonAdditiveMetric } from './catalogue.ts'
import { nonAdditive, type Words } from './metric.ts'

/** Google says shares and scores of single keywords; one text with several match types counts as one here. */
const SINGLE = ['campaign', 'ad_group', 'keyword'] as const
const SEVERAL = {
  en: ' Empty where match types of one keyword differ in it.',
  'zh-TW': '同一關鍵字的不同比對類型數值不同時留空。',
}

/** A metric of Google Ads that exists for single keywords only. */
function ofKeyword(metric: NonAdditiveMetric) {
  const { explanation } = metric
  return {
    ...metric,
    explanation: {
      en: explanation.en + SEVERAL.en,
      'zh-TW': explanation['zh-TW'] + SEVERAL['zh-TW'],
    },
    only_with: SINGLE,
    not_with: [],
  } satisfies NonAdditiveMetric
}

const score = (platformField: string, { en, 'zh-TW': zh }: Words) =>
  nonAdditive(
    platformField,
    { group: 'quality', unit: 'count', decimals: 0, only_with: SINGLE },
    { en: [en[0], en[1] + SEVERAL.en], 'zh-TW': [zh[0], zh[1] + SEVERAL['zh-TW']] },
  )

const alike = without(awMetrics, [
  'invalid_clicks',
  'platform_comparable_conversions',
  'new_customer_ltv',
  'phone_calls',
  'phone_impressions',
  'reach',
  'frequency',
  'reach_2plus',
  'reach_3plus',
  'reach_4plus',
  'reach_5plus',
  'reach_10plus',
  'search_lost_is_budget',
  'content_impression_share',
])

/** What Google reports for keywords: people, calls and budgets are not among it. */
export const awKeywordMetrics = {
  ...alike,
  search_impression_share: ofKeyword(alike.search_impression_share),
  search_lost_is_rank: ofKeyword(alike.search_lost_is_rank),
  search_top_is: ofKeyword(alike.search_top_is),
  search_abs_top_is: ofKeyword(alike.search_abs_top_is),
  top_impr_pct: ofKeyword(alike.top_impr_pct),
  abs_top_impr_pct: ofKeyword(alike.abs_top_impr_pct),
  quality_score: score('ad_group_criterion.quality_info.quality_score', {
    en: ['Quality Score', "Google's estimate of ad, keyword and landing page as of now, from 1 to 10."],
    'zh-TW': ['品質分數', 'Google 目前對廣告、關鍵字與到達網頁品質的評分，1 至 10 分。'],
  }),
  historical_quality_score: score('metrics.historical_quality_score', {
    en: ['Quality Score (hist.)', 'The last Quality Score within the days of the row, from 1 to 10.'],
    'zh-TW': ['品質分數（歷史）', '該列日期區間內最後一個品質分數，1 至 10 分。'],
  }),
}

export const aw_keyword = {
  names: { en: 'Google Ads keywords', 'zh-TW': 'Google Ads 關鍵字' },
  explanation: {
    en: 'Keywords of Google Ads search campaigns',
    'zh-TW': 'Google Ads 搜尋廣告活動的關鍵字',
  },
  accounts: 'ad_account',
  accounts_of: 'aw',
  dimensions: [
    'month',
    'week',
    'date',
    'account_name',
    'account_id',
    'currency',
    'campaign',
    'ad_group',
    'keyword',
    'device_type',
  ],
  limited: {
    keyword: {
      en: 'Traffic without a keyword, as of Performance Max, shopping and dynamic search, is left out.',
      'zh-TW': '不含沒有關鍵字的流量，例如最高成效、購物與動態搜尋廣告。',
    },
  },
  metrics: awKeywordMetrics,
  usual_metrics: ['impressions', 'clicks', 'cost', 'ctr', 'conversions', 'roas'],
  filters: ['ecid', 'account_id', 'account_name', 'campaign_name', 'ad_group_name', 'keyword', 'device_type'],
  history_months: 37,
} as const satisfies ChannelCatalogue

function without<Entries extends object, Key extends keyof Entries>(
  entries: Entries,
  leftOut: readonly Key[],
): Omit<Entries, Key> {
  const remaining = Object.entries(entries).filter(([key]) => !leftOut.some(each => each === key))
  return Object.fromEntries(remaining) as Omit<Entries, Key>
}

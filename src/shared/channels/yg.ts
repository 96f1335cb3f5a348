import type { ChannelCatalogue } from './catalogue.ts'
import { ygMetrics } from './yg-metrics.ts'

export const yg = {
  names: { en: 'Yahoo ads', 'zh-TW': 'Yahoo 廣告' },
  explanation: {
    en: 'Search and display ads of LY (Yahoo! JAPAN), and Yahoo DSP',
    'zh-TW': 'LY（Yahoo! JAPAN）搜尋廣告與多媒體廣告，以及 Yahoo DSP',
  },
  accounts: 'ad_account',
  dimensions: [
    'month',
    'week',
    'date',
    'account_name',
    'account_id',
    'currency',
    'campaign',
    'ad_group',
    'ad',
    'keyword',
    'device_type',
  ],
  limited: {
    keyword: {
      en: 'Keywords exist in LY search ads only, and not beside ads. Automatically matched searches are not in such a table.',
      'zh-TW': '僅 LY 搜尋廣告提供關鍵字，且無法與廣告並列；自動比對的搜尋流量不會列入。',
    },
  },
  apart: [['keyword', 'ad']],
  dimension_providers: { keyword: ['ly_search'] },
  metrics: ygMetrics,
  usual_metrics: ['impressions', 'clicks', 'cost', 'ctr', 'conversions', 'roas'],
  filters: [
    'ecid',
    'account_id',
    'account_name',
    'campaign_name',
    'ad_group_name',
    'ad_name',
    'keyword',
    'device_type',
  ],
  actions: 'apart',
  history_months: 132,
} as const satisfies ChannelCatalogue

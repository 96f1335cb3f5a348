import { awMetrics } from './aw-metrics.ts'
import type { ChannelCatalogue } from './catalogue.ts'

const NO_PERFORMANCE_MAX = {
  en: 'Performance Max campaigns have no ad groups: a table by ad group or ad leaves them out.',
  'zh-TW': '最高成效廣告活動沒有廣告群組，因此不會出現在依廣告群組或廣告細分的表格中。',
}

export const aw = {
  names: { en: 'Google Ads', 'zh-TW': 'Google Ads' },
  explanation: {
    en: 'Search, display, video and all other Google Ads campaigns',
    'zh-TW': '搜尋、多媒體、影片等所有 Google Ads 廣告活動',
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
    'device_type',
  ],
  limited: { ad_group: NO_PERFORMANCE_MAX, ad: NO_PERFORMANCE_MAX },
  metrics: awMetrics,
  usual_metrics: ['impressions', 'clicks', 'cost', 'ctr', 'conversions', 'roas'],
  filters: ['ecid', 'account_id', 'account_name', 'campaign_name', 'ad_group_name', 'ad_name', 'device_type'],
  actions: 'apart',
  history_months: 37,
} as const satisfies ChannelCatalogue

import { channelNames, type ChannelCatalogue } from './catalogue.ts'
import { fbMetrics } from './fb-metrics.ts'

export const fb = {
  names: channelNames.fb,
  explanation: { en: 'Facebook and Instagram ads', 'zh-TW': 'Facebook 與 Instagram 廣告' },
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
  metrics: fbMetrics,
  usual_metrics: ['impressions', 'clicks', 'cost', 'ctr', 'conversions', 'roas'],
  filters: ['ecid', 'account_id', 'account_name', 'campaign_name', 'ad_group_name', 'ad_name', 'device_type'],
  actions: 'beside_cost',
  history_months: 37,
} as const satisfies ChannelCatalogue

import { channelNames, type ChannelCatalogue } from './catalogue.ts'
import { lnMetrics } from './ln-metrics.ts'

export const ln = {
  names: channelNames.ln,
  explanation: { en: 'Ads in the messaging app LINE', 'zh-TW': '通訊軟體 LINE 上的廣告' },
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
  limited: {
    device_type: {
      en: 'LINE tells systems apart (iOS, Android), not beside single ads and without reach. It refreshes them once a day: yesterday is complete after about 08:00.',
      'zh-TW':
        'LINE 以作業系統（iOS、Android）區分裝置，無法與單一廣告並列，也不提供觸及人數；資料每日更新一次，前一日的數據約於 08:00 後才完整。',
    },
  },
  apart: [['ad', 'device_type']],
  metrics: lnMetrics,
  usual_metrics: ['impressions', 'clicks', 'cost', 'ctr', 'conversions', 'friends_added'],
  filters: ['ecid', 'account_id', 'account_name', 'campaign_name', 'ad_group_name', 'ad_name', 'device_type'],
  history_months: 60,
} as const satisfies ChannelCatalogue

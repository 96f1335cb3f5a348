import { channelNames, type ChannelCatalogue } from './catalogue.ts'
import { ttMetrics } from './tt-metrics.ts'

export const tt = {
  names: channelNames.tt,
  explanation: { en: 'Short-video ads on TikTok', 'zh-TW': 'TikTok 短影音廣告' },
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
      en: 'The operating system, up to 16 hours late; without reach, purchases and other results on websites, in apps and shops.',
      'zh-TW': '依作業系統區分，資料最多延遲 16 小時；不提供觸及人數，以及網站、應用程式與商店的購買等成效。',
    },
  },
  metrics: ttMetrics,
  usual_metrics: ['impressions', 'clicks', 'cost', 'ctr', 'conversions', 'roas'],
  filters: ['ecid', 'account_id', 'account_name', 'campaign_name', 'ad_group_name', 'ad_name', 'device_type'],
  // How far back TikTok answers is not documented: three years, as far as reports may reach at all, and a
  // month, since at the account it may be tomorrow already.
  history_months: 37,
} as const satisfies ChannelCatalogue

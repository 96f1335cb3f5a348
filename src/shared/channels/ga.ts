import type { ChannelCatalogue } from './catalogue.ts'
import { gaMetrics } from './ga-metrics.ts'

export const ga = {
  names: { en: 'Universal Analytics', 'zh-TW': 'Universal Analytics' },
  explanation: {
    en: 'Visits to websites as Google counted them until 2024: from an imported archive, or a service that still has them',
    'zh-TW': 'Google 至 2024 年為止記錄的網站造訪：取自匯入的封存資料，或仍保有資料的服務',
  },
  accounts: 'ga_view',
  dimensions: [
    'month',
    'week',
    'date',
    'account_name',
    'account_id',
    'currency',
    'ga_account',
    'property',
    'view',
    'source_medium',
    'source',
    'medium',
    'campaign',
    'keyword',
    'ad_content',
    'device_type',
  ],
  metrics: gaMetrics,
  usual_metrics: ['sessions', 'users', 'new_users', 'bounce_rate', 'transactions', 'revenue'],
  filters: [
    'ecid',
    'ga_account_id',
    'property_id',
    'property_name',
    'view_id',
    'campaign_name',
    'keyword',
    'device_type',
    'source',
    'medium',
    'ad_content',
  ],
  // Nothing was deleted before the end: the first day with data is in 2005, and archives are kept for good.
  history_months: 360,
  archive: true,
} as const satisfies ChannelCatalogue

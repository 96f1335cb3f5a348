import type { ChannelCatalogue } from './catalogue.ts'
import { ga4Metrics } from './ga4-metrics.ts'

/** Traffic is reported by session (`sessionSource` and so on), as people know it from Universal Analytics. */
export const ga4 = {
  names: { en: 'GA4', 'zh-TW': 'GA4' },
  explanation: {
    en: 'Sessions, users and events of Google Analytics 4 properties',
    'zh-TW': 'Google Analytics 4 資源的工作階段、使用者與事件',
  },
  accounts: 'ga4_view',
  dimensions: [
    'month',
    'week',
    'date',
    'account_name',
    'account_id',
    'currency',
    'campaign',
    'keyword',
    'device_type',
    'ga_account',
    'property',
    'source',
    'medium',
    'source_medium',
    'ad_content',
    'event_category',
    'event_action',
  ],
  limited: {
    keyword: {
      en: 'The utm_term of the visit: keywords bought in linked Google Ads accounts are not in it.',
      'zh-TW': '顯示造訪網址的 utm_term，不含已連結的 Google Ads 帳戶所購買的關鍵字。',
    },
    event_category: {
      en: 'Only of properties in which event_category is registered as a custom dimension of events.',
      'zh-TW': '僅適用於已將 event_category 註冊為事件範圍自訂維度的資源。',
    },
    event_action: {
      en: 'GA4 has no event actions: this is the name of the event.',
      'zh-TW': 'GA4 沒有事件動作，此處顯示事件名稱。',
    },
  },
  metrics: ga4Metrics,
  usual_metrics: ['sessions', 'users', 'pageviews', 'conversions', 'transactions', 'revenue'],
  filters: [
    'ecid',
    'ga4_account_id',
    'ga4_account_name',
    'property_id',
    'property_name',
    'campaign_name',
    'keyword',
    'device_type',
    'source',
    'medium',
    'ad_content',
  ],
  actions: 'beside_cost',
  // No expiry is known of. The Data API takes days from 14 August 2015 on, 135 months ago when this was
  // written.
  history_months: 132,
} as const satisfies ChannelCatalogue

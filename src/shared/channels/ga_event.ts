import type { ChannelCatalogue } from './catalogue.ts'
import { gaEventMetrics } from './ga-metrics.ts'
import { ga } from './ga.ts'

export const ga_event = {
  names: { en: 'Universal Analytics events', 'zh-TW': 'UA 事件' },
  explanation: {
    en: 'What visitors of websites did, event by event, as Universal Analytics counted it',
    'zh-TW': 'Universal Analytics 逐項記錄的網站訪客事件',
  },
  accounts: 'ga_view',
  accounts_of: 'ga',
  dimensions: [...ga.dimensions, 'event_category', 'event_action'],
  metrics: gaEventMetrics,
  usual_metrics: ['total_events', 'unique_events', 'event_value', 'sessions_with_event'],
  filters: ga.filters,
  history_months: ga.history_months,
  archive: true,
} as const satisfies ChannelCatalogue

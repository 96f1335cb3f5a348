import type {
  CalculatedMetric,
  ConversionDefinition,
  ExchangeRate,
  MetricLabel,
} from '#shared/api/insight-settings.ts'

const at = '2026-11-01T08:00:00.000Z'
const row = { version: 1, created_at: at, last_modified_at: at }
const agency = { advertiser: null, advertiser_name: null }
export const ofAurora = { advertiser: 1, advertiser_name: 'Aurora' }

export const metric = (facts: Partial<CalculatedMetric> = {}): CalculatedMetric => ({
  ...row,
  ...agency,
  id: 4,
  name: 'Cost per result',
  name_zh: '單次成果成本',
  explanation: '',
  formula: 'cost / (purchases + leads)',
  unit: 'money',
  decimals: 2,
  is_active: true,
  channels: ['fb', 'ln'],
  used_by: 14,
  may_change: true,
  ...facts,
})

export const conversion = (facts: Partial<ConversionDefinition> = {}): ConversionDefinition => ({
  ...row,
  ...ofAurora,
  id: 6,
  name: 'Orders',
  name_zh: '訂單',
  is_default: true,
  entries: [
    { channel: 'fb', metric: 'purchases' },
    { channel: 'aw', action: 'Web order' },
  ],
  used_by: 3,
  ...facts,
})

export const label = (facts: Partial<MetricLabel> = {}): MetricLabel => ({
  ...row,
  ...agency,
  id: 8,
  channel: null,
  metric: 'cost',
  label: 'Spend',
  label_zh: '廣告支出',
  may_change: true,
  ...facts,
})

export const rate = (facts: Partial<ExchangeRate> = {}): ExchangeRate => ({
  id: 9,
  version: 1,
  month: '2026-10',
  currency: 'USD',
  rate: '31.505',
  kind: 'final',
  source: '',
  is_locked: false,
  last_modified_at: at,
  ...facts,
})

/** Rates in TWD, of accounts in some currencies. */
export const ratesOf = (rates: readonly ExchangeRate[], inUse: readonly string[] = []) => ({
  count: rates.length,
  next: null as string | null,
  previous: null,
  results: rates,
  base: 'TWD',
  in_use: inUse,
})

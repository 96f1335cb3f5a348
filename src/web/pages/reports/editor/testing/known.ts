import type { AdAccount } from '#shared/api/ad-accounts.ts'
import { noMeanings, type MeantConversion, type Meanings, type MeantMetric } from '#shared/block-catalogue.ts'
import type { KnownHere } from '#web/pages/reports/editor/known.ts'

/** All that is known of some accounts. */
export const testKnown = (accounts: readonly AdAccount[], meanings: Partial<Meanings> = {}): KnownHere => ({
  accounts,
  meanings: { ...noMeanings, ...meanings },
  currencies: ['JPY', 'TWD'],
  isComplete: true,
})

/** What counts as a conversion for the first advertiser, in Meta. */
export const testConversion = (id: number, facts: Partial<MeantConversion> = {}): MeantConversion => ({
  id,
  advertiser: 1,
  name: 'Orders',
  name_zh: '訂單',
  is_default: false,
  entries: [{ channel: 'fb', action: 'purchase' }],
  ...facts,
})

/** The agency's. */
export const testMetric = (id: number, facts: Partial<MeantMetric> = {}): MeantMetric => ({
  id,
  advertiser: null,
  name: 'Cost per lead or purchase',
  name_zh: '單次成果成本',
  explanation: '',
  formula: 'cost / (purchases + leads)',
  unit: 'money',
  decimals: 2,
  is_active: true,
  ...facts,
})

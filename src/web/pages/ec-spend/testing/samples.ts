import type {
  Adjustment,
  BillingMonth,
  Check,
  EcSpend,
  EcSpendRow,
  Reconciliation,
  Statement,
} from '#shared/api/ec-spend.ts'

const UNIT = 1_000_000

/** Units of a currency as millionths. */
export const units = (amount: number) => Math.round(amount * UNIT)

/** A row of November in TWD, unless said otherwise: 15 % fee and 5 % tax on top. */
export function spendRow(more: Partial<EcSpendRow> & { media: number | null }): EcSpendRow {
  const { media, ...others } = more
  const part = (share: number) => (media === null ? null : Math.round(media * share) * UNIT)
  return {
    advertiser: 1,
    advertiser_name: 'Aurora',
    channel: 'fb',
    ad_account: null,
    account_name: null,
    month: '2026-11',
    currency: 'TWD',
    spend: part(1),
    invoiced: null,
    adjusted: 0,
    billing_currency: 'TWD',
    billed: part(1),
    fee: part(0.15),
    tax_amount: part(0.0575),
    total: part(1.2075),
    is_provisional: false,
    code: media === null ? 'days_unknown' : null,
    ...others,
  }
}

export const billingMonth = (month: string, more: Partial<BillingMonth> = {}): BillingMonth => ({
  month,
  state: 'open',
  locked_by: null,
  locked_at: null,
  waivers: [],
  ...more,
})

export const lockedMonth = (month: string, more: Partial<BillingMonth> = {}) =>
  billingMonth(month, {
    state: 'locked',
    locked_by: 'Fei Tsai',
    locked_at: '2026-11-03T01:00:00.000Z',
    ...more,
  })

const nobody = { advertiser: null, advertiser_name: null, billing_currency: null, billed: null }

/** Two advertisers and accounts of nobody over three months, the first of which is locked. */
export const spend: EcSpend = {
  months: [lockedMonth('2026-09'), billingMonth('2026-10'), billingMonth('2026-11')],
  rows: [
    spendRow({ media: 100_000, month: '2026-09' }),
    spendRow({ media: 120_000, month: '2026-10' }),
    spendRow({ media: 30_000, month: '2026-10', channel: 'aw' }),
    spendRow({ media: 80_000 }),
    spendRow({ media: 50_000, month: '2026-09', advertiser: 2, advertiser_name: 'Borealis' }),
    spendRow({ media: 40_000, month: '2026-10', advertiser: 2, advertiser_name: 'Borealis' }),
    spendRow({ media: null, channel: 'tt', advertiser: 2, advertiser_name: 'Borealis' }),
    spendRow({ media: 9000, currency: 'USD', billing_currency: 'USD', month: '2026-10' }),
    spendRow({ media: 700, month: '2026-10', ...nobody }),
  ],
  totals: [
    total('2026-09', 'TWD', 150_000),
    total('2026-10', 'TWD', 190_000),
    total('2026-10', 'USD', 9000),
    { ...total('2026-11', 'TWD', 80_000), is_complete: false },
  ],
  base_currency: 'TWD',
  as_of: '2026-11-26T01:30:00.000Z',
  waiting: 0,
}

function total(month: string, billing_currency: string, media: number): EcSpend['totals'][number] {
  const amounts = { fee: media * 0.15, tax_amount: media * 0.0575, total: media * 1.2075 }
  return {
    month,
    billing_currency,
    billed: units(media),
    fee: units(amounts.fee),
    tax_amount: units(amounts.tax_amount),
    total: units(amounts.total),
    is_complete: true,
  }
}

export const check = (code: Check['code'], more: Partial<Check> = {}): Check => ({
  code,
  is_blocker: code !== 'no_agreement' && code !== 'invoice_differs',
  can_waive: false,
  month: '2026-10',
  ad_account: null,
  account_name: null,
  advertiser: null,
  advertiser_name: null,
  channel: null,
  currency: null,
  billing_currency: null,
  until: null,
  ...more,
})

/** An account whose days are not known, which can be waived. */
export const unknownDays = check('days_unknown', {
  can_waive: true,
  ad_account: 31,
  account_name: 'Aurora Japan',
  advertiser: 1,
  advertiser_name: 'Aurora',
  channel: 'fb',
  currency: 'JPY',
})

/** The example of the specification: four lines, media 344,178, total 415,595. */
export const statement = (more: Partial<Statement> = {}): Statement => ({
  id: null,
  advertiser: 1,
  advertiser_name: 'Aurora',
  month: '2026-10',
  currency: 'TWD',
  tax: 'tw_vat',
  media_billing: 'agency',
  lines: [
    line({ channel: 'fb', spend: units(123_456.78), billed: units(123_457), fee: units(18_519) }),
    line({ channel: 'aw', spend: units(88_000.5), billed: units(88_001), fee: units(13_200) }),
    line({
      channel: 'tt',
      currency: 'USD',
      rate: '31.505',
      spend: units(1234.56),
      billed: units(38_895),
      fee: units(5834),
    }),
  ],
  media: units(344_178),
  fee: units(51_627),
  untaxed: 0,
  taxable: units(395_805),
  tax_amount: units(19_790),
  total: units(415_595),
  warnings: [],
  payment: null,
  covered_by: null,
  adjustments: [],
  drift: [],
  ...more,
})

export const line = (more: Partial<Statement['lines'][number]>): Statement['lines'][number] => ({
  channel: 'fb',
  currency: 'TWD',
  spend: 0,
  invoiced: null,
  adjusted: 0,
  rate: null,
  billed: 0,
  fee: 0,
  tax_amount: 0,
  total: 0,
  code: null,
  ...more,
})

/** Borealis is charged with an order, Cedar has not been asked for, Delta has a payment. */
export const frozen: readonly Statement[] = [
  statement({
    id: 11,
    advertiser: 2,
    advertiser_name: 'Borealis',
    covered_by: { id: 5, label: 'Q2026-0007' },
  }),
  statement({ id: 12, advertiser: 3, advertiser_name: 'Cedar', total: units(1000) }),
  statement({
    id: 13,
    advertiser: 4,
    advertiser_name: 'Delta',
    payment: { id: 8, number: 'P2026-0003', status: 'due' },
  }),
  statement({ id: 14, advertiser: 5, advertiser_name: 'Ember', total: 0, media: 0, fee: 0, tax_amount: 0 }),
  statement({ id: 15, advertiser: 6, advertiser_name: 'Fjord', currency: 'USD', total: units(99.5) }),
]

type AccountLine = Reconciliation['results'][number]

/** The account of the specification's example: 88,000.50 reported. */
export const accountLine = (more: Partial<AccountLine> = {}): AccountLine => ({
  ad_account: 21,
  account_name: 'Aurora Search',
  external_id: '520-314-1502',
  channel: 'aw',
  advertiser: 1,
  advertiser_name: 'Aurora',
  currency: 'TWD',
  spend: units(88_000.5),
  known: 'full',
  invoice: null,
  difference: null,
  difference_rate: null,
  locked_cost: null,
  drift: null,
  ...more,
})

export const reconciliation = (month: BillingMonth, results: readonly AccountLine[]): Reconciliation => ({
  month,
  results: [...results],
})

export const adjustment = (more: Partial<Adjustment> = {}): Adjustment => ({
  id: 41,
  version: 3,
  created_at: '2026-11-02T01:00:00.000Z',
  last_modified_at: '2026-11-02T01:00:00.000Z',
  advertiser: 1,
  advertiser_name: 'Aurora',
  channel: 'fb',
  month: '2026-10',
  concerns_month: '2026-09',
  currency: 'TWD',
  amount: units(-5000),
  reason: 'credit',
  note: 'Refund of Meta',
  ...more,
})

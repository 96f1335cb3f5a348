import { describe, expect, it } from 'vitest'
import { randomBelow, SEED } from '#server/testing/random.ts'
import type { FeeAgreement } from './fee.ts'
import type { AccountCost } from './media-line.ts'
import type { SpendChannel } from './spend-channels.ts'
import { statementOf, type Statement, type StatementRequest } from './statement.ts'
import { isOnStep } from './step.ts'
import { requestOf } from './testing/decimal-text.ts'
import { createDraw } from './testing/random-billing.ts'

const UNIT = 1_000_000n
const millionths = (units: number) => BigInt(Math.round(units * 1_000_000))
const units = (amount: bigint | null) => (amount === null ? null : Number(amount) / 1_000_000)

const cost = (channel: SpendChannel, amount: number | null, currency = 'TWD'): AccountCost => ({
  ad_account: 1,
  channel,
  currency,
  reported: amount === null ? null : millionths(amount),
  invoice: null,
})

const agreed = (fields: Partial<FeeAgreement> = {}): FeeAgreement => ({
  channel: null,
  currency: 'TWD',
  from_month: '2026-01',
  to_month: null,
  amount: 0n,
  tiers: [{ up_to: null, rate: 1500 }],
  tier_mode: 'marginal',
  basis: 'on_top',
  minimum: 0n,
  charges_idle_months: false,
  ...fields,
})

/** Example C1. */
const november: StatementRequest = {
  month: '2026-11',
  billing_currency: 'TWD',
  tax: 'tw_vat',
  media_billing: 'agency',
  accounts: [
    cost('fb', 123_456.78),
    cost('aw', 88_000.5),
    cost('fb', 450_000, 'JPY'),
    cost('tt', 1234.56, 'USD'),
  ],
  adjustments: [],
  rates: new Map([
    ['TWD', '1'],
    ['JPY', '0.2085'],
    ['USD', '31.505'],
  ]),
  agreements: [agreed()],
}

const only = (fields: Partial<StatementRequest>): Statement => {
  const [statement, ...others] = statementOf({ ...november, ...fields })
  if (!statement || others.length > 0) throw new Error('not one statement')
  return statement
}

const sums = ({ media, fee, untaxed, taxable, tax_amount, total }: Statement) => ({
  media: units(media),
  fee: units(fee),
  untaxed: units(untaxed),
  taxable: units(taxable),
  tax_amount: units(tax_amount),
  total: units(total),
})

const column = (
  { lines }: Statement,
  key: 'spend' | 'invoiced' | 'adjusted' | 'billed' | 'fee' | 'tax_amount' | 'total',
) => Object.fromEntries(lines.map(line => [`${line.channel} ${line.currency}`, units(line[key])]))

describe('a statement', () => {
  it('converts once per channel and currency, then has its fee and its tax (C1)', () => {
    const statement = only({})
    expect(column(statement, 'billed')).toEqual({
      'fb TWD': 123_457,
      'aw TWD': 88_001,
      'fb JPY': 93_825,
      'tt USD': 38_895,
    })
    expect(sums(statement)).toEqual({
      media: 344_178,
      fee: 51_627,
      untaxed: 0,
      taxable: 395_805,
      tax_amount: 19_790,
      total: 415_595,
    })
    expect(statement.warnings).toEqual([])
  })

  it('shares the fee out to its lines (C2)', () => {
    expect(column(only({}), 'fee')).toEqual({
      'fb TWD': 18_519,
      'aw TWD': 13_200,
      'fb JPY': 14_074,
      'tt USD': 5834,
    })
  })

  it('has lines in the order of the channels, whatever order the accounts are in', () => {
    const statement = only({ accounts: november.accounts.toReversed() })
    expect(statement).toEqual(only({}))
    expect(statement.lines.map(line => `${line.channel} ${line.currency}`)).toEqual([
      'fb JPY',
      'fb TWD',
      'aw TWD',
      'tt USD',
    ])
  })

  it('charges the fee alone where the client pays the media, and media untaxed in advance (C3)', () => {
    const client = sums(only({ media_billing: 'client' }))
    expect(client).toMatchObject({ untaxed: 0, taxable: 51_627, tax_amount: 2581, total: 54_208 })
    const advance = sums(only({ media_billing: 'advance' }))
    expect(advance).toMatchObject({ untaxed: 344_178, taxable: 51_627, tax_amount: 2581, total: 398_386 })
  })

  it('bills a platform’s invoice instead of what it reported (C4)', () => {
    const accounts = [{ ...cost('aw', 88_000.5), invoice: 87_650n * UNIT }]
    const statement = only({ accounts })
    expect(column(statement, 'spend')).toEqual({ 'aw TWD': 88_000.5 })
    expect(column(statement, 'invoiced')).toEqual({ 'aw TWD': 87_650 })
    expect(column(statement, 'billed')).toEqual({ 'aw TWD': 87_650 })
    expect(column(only({ accounts: [cost('aw', 88_000.5)] }), 'billed')).toEqual({ 'aw TWD': 88_001 })
  })

  it('bills a month’s drift beside the next month’s spend (C5)', () => {
    const statement = only({
      month: '2026-12',
      accounts: [cost('aw', 200_000)],
      adjustments: [{ channel: 'aw', currency: 'TWD', amount: -351n * UNIT }],
    })
    expect(column(statement, 'spend')).toEqual({ 'aw TWD': 200_000 })
    expect(column(statement, 'adjusted')).toEqual({ 'aw TWD': -351 })
    expect(sums(statement)).toMatchObject({ media: 199_649, fee: 29_947, tax_amount: 11_480, total: 241_076 })
  })

  it('has no amount where a rate is missing, and says so (C7)', () => {
    const statement = only({
      rates: new Map([
        ['TWD', '1'],
        ['JPY', '0.2085'],
      ]),
    })
    const [line] = statement.lines.filter(({ currency }) => currency === 'USD')
    expect(line).toMatchObject({ billed: null, fee: null, total: null, code: 'rate_missing' })
    expect(units(line?.spend ?? null)).toBe(1234.56)
    expect(column(statement, 'billed')).toMatchObject({ 'fb TWD': 123_457, 'aw TWD': 88_001 })
    expect(sums(statement)).toEqual({
      media: null,
      fee: null,
      untaxed: null,
      taxable: null,
      tax_amount: null,
      total: null,
    })
  })

  it('never takes unknown cost for none', () => {
    const statement = only({ accounts: [cost('fb', 1000), cost('fb', null), cost('aw', 2000)] })
    expect(statement.lines[0]).toMatchObject({
      channel: 'fb',
      spend: null,
      adjusted: 0n,
      billed: null,
      code: 'days_unknown',
    })
    expect(column(statement, 'billed')).toEqual({ 'fb TWD': null, 'aw TWD': 2000 })
    expect(statement.total).toBeNull()
  })

  it('takes an invoice for cost that is not known', () => {
    const accounts = [{ ...cost('fb', null), invoice: 500n * UNIT }]
    expect(sums(only({ accounts }))).toMatchObject({ media: 500 })
  })

  it('still knows the fee of channels whose own agreement does not depend on what is unknown', () => {
    const statement = only({
      accounts: [cost('fb', null), cost('aw', 2000)],
      agreements: [agreed(), agreed({ channel: 'aw', tiers: [{ up_to: null, rate: 1000 }] })],
    })
    expect(column(statement, 'fee')).toEqual({ 'fb TWD': null, 'aw TWD': 200 })
    expect(column(statement, 'total')).toEqual({ 'fb TWD': null, 'aw TWD': null })
  })

  it('has the fee of each channel’s own agreement before the general one', () => {
    const statement = only({
      accounts: [cost('fb', 100_000), cost('aw', 100_000), cost('yg', 100_000)],
      agreements: [
        agreed({ minimum: 40_000n * UNIT }),
        agreed({ channel: 'aw', tiers: [{ up_to: null, rate: 500 }] }),
      ],
    })
    expect(column(statement, 'fee')).toEqual({ 'fb TWD': 20_000, 'aw TWD': 5000, 'yg TWD': 20_000 })
  })

  it('has no fee without an agreement, and warns of it', () => {
    const statement = only({ agreements: [agreed({ channel: 'fb' }), agreed({ currency: 'USD' })] })
    expect(column(statement, 'fee')).toMatchObject({ 'aw TWD': 0, 'tt USD': 0 })
    expect(statement.warnings).toEqual([
      { code: 'no_agreement', channel: 'aw' },
      { code: 'no_agreement', channel: 'tt' },
    ])
    expect(only({ accounts: [cost('fb', 0)], agreements: [] }).warnings).toEqual([])
  })

  it('adjusts a channel without accounts', () => {
    const adjustments = [{ channel: 'ln' as const, currency: 'TWD', amount: -1000n * UNIT }]
    const statement = only({ accounts: [], adjustments })
    expect(statement.lines).toMatchObject([
      { channel: 'ln', spend: 0n, adjusted: -1000n * UNIT, billed: -1000n * UNIT, fee: -150n * UNIT },
    ])
    expect(sums(statement)).toMatchObject({ media: -1000, taxable: -1150, tax_amount: -58, total: -1208 })
  })

  it('is one for each currency where accounts are billed in their own', () => {
    const statements = statementOf({ ...november, billing_currency: null, rates: new Map() })
    expect(statements.map(({ currency, media, fee }) => [currency, units(media), units(fee)])).toEqual([
      ['JPY', 450_000, 0],
      ['TWD', 211_458, 31_719],
      ['USD', 1234.56, 0],
    ])
  })

  it('charges idle months where that is agreed', () => {
    const idle = agreed({ amount: 20_000n * UNIT, charges_idle_months: true })
    expect(column(only({ accounts: [cost('aw', 0)], agreements: [idle] }), 'fee')).toEqual({
      'aw TWD': 20_000,
    })
    expect(column(only({ accounts: [cost('aw', 0)] }), 'fee')).toEqual({ 'aw TWD': 0 })
  })

  it('has a line for the fee of an idle month even without accounts', () => {
    const fixed = { amount: 20_000n * UNIT, charges_idle_months: true }
    const fees = (agreements: FeeAgreement[], accounts: AccountCost[] = []) =>
      column(only({ accounts, agreements }), 'fee')
    expect(fees([agreed(fixed)])).toEqual({ 'fb TWD': 20_000 })
    expect(fees([agreed({ ...fixed, channel: 'ln' })])).toEqual({ 'ln TWD': 20_000 })
    expect(fees([agreed(fixed), agreed({ channel: 'fb' })], [cost('fb', 1000)])).toEqual({
      'fb TWD': 150,
      'aw TWD': 20_000,
    })
    const own = statementOf({
      ...november,
      accounts: [],
      billing_currency: null,
      agreements: [agreed(fixed)],
    })
    expect(own.map(({ currency, total }) => [currency, units(total)])).toEqual([['TWD', 21_000]])
    expect(statementOf({ ...november, accounts: [], agreements: [agreed()] })).toEqual([])
  })
})

describe('random months', () => {
  it('have rows that add up to their statements to the millionth (C10)', () => {
    const draw = createDraw(randomBelow(SEED))
    const wrong: unknown[] = []
    let known = 0
    for (let count = 0; count < (process.env.LONG ? 100_000 : 10_000); count++) {
      const request = requestOf(draw.month())
      for (const statement of statementOf(request)) {
        const isKnown = statement.lines.every(line => line.code === null)
        if (isKnown) known++
        if (isKnown ? !addsUp(statement, request) : statement.total !== null) wrong.push(statement)
      }
    }
    expect(wrong).toEqual([])
    expect(known).toBeGreaterThan(1000)
  })

  const addsUp = (statement: Statement, { media_billing }: StatementRequest) => {
    const { currency, lines, media, fee, untaxed, taxable, tax_amount, total } = statement
    if (media === null || fee === null || untaxed === null || taxable === null || tax_amount === null)
      return false
    const sum = (key: 'billed' | 'fee' | 'tax_amount' | 'total') =>
      lines.reduce((all, line) => all + (line[key] ?? 0n), 0n)
    return (
      sum('billed') === media &&
      sum('fee') === fee &&
      sum('tax_amount') === tax_amount &&
      sum('total') === total &&
      untaxed + taxable + tax_amount === total &&
      untaxed + taxable === (media_billing === 'client' ? fee : media + fee) &&
      lines
        .flatMap(line => [line.billed, line.fee, line.tax_amount, line.total])
        .every(amount => amount !== null && isOnStep(amount, currency))
    )
  }

  it('have no line more than once, and every account and adjustment in one', () => {
    const draw = createDraw(randomBelow(SEED))
    for (let count = 0; count < 1000; count++) {
      const request = requestOf(draw.month())
      const isOwn = request.billing_currency === null
      const statements = statementOf(request)
      const keys = statements.flatMap(({ currency, lines }) =>
        lines.map(line => `${isOwn ? currency : ''} ${line.channel} ${line.currency}`),
      )
      expect(new Set(keys).size).toBe(keys.length)
      const entries = [...request.accounts, ...request.adjustments].map(
        ({ channel, currency }) => `${isOwn ? currency : ''} ${channel} ${currency}`,
      )
      expect(new Set(entries).isSubsetOf(new Set(keys))).toBe(true)
    }
  })
})

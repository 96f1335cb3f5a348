import { describe, expect, it } from 'vitest'
import {
  accountLines,
  changeOf,
  currenciesOf,
  linesOf,
  linesOfNobody,
  totalLine,
  type Line,
} from './lines.ts'
import { spendRow as row } from './testing/samples.ts'

const UNIT = 1_000_000
const request = { currency: 'TWD', measure: 'billed', group: 'advertiser' } as const
const amounts = (lines: readonly Line[]) => lines.map(({ key, sum }) => [key, Number(sum.amount) / UNIT])

describe('the lines of a currency', () => {
  const rows = [
    row({ media: 200, channel: 'aw' }),
    row({ media: 100 }),
    row({ media: 50, currency: 'USD' }),
    row({ media: 70, month: '2026-10' }),
    row({ media: 900, advertiser: 2, advertiser_name: 'Borealis' }),
    row({ media: 5, billing_currency: 'JPY', currency: 'JPY' }),
  ]

  it('are the advertisers, the largest first, each with its channels in their order', () => {
    const lines = linesOf(rows, request)
    expect(amounts(lines)).toEqual([
      ['advertiser 2', 900],
      ['advertiser 1', 420],
    ])
    expect(amounts(lines[1]?.parts ?? [])).toEqual([
      ['channel fb', 220],
      ['channel aw', 200],
    ])
    expect(lines[1]?.cells.get('2026-11')).toEqual({ amount: 350_000_000n, gap: null })
  })

  it('are the channels, each with its advertisers', () => {
    const lines = linesOf(rows, { ...request, group: 'channel' })
    expect(amounts(lines)).toEqual([
      ['channel fb', 1120],
      ['channel aw', 200],
    ])
    expect(amounts(lines[0]?.parts ?? [])).toEqual([
      ['advertiser 2', 900],
      ['advertiser 1', 220],
    ])
  })

  it('add up to the sum of each month and of all', () => {
    const { cells, sum } = totalLine(rows, 'TWD', 'billed')
    expect([cells.get('2026-10')?.amount, cells.get('2026-11')?.amount]).toEqual([
      70_000_000n,
      1_250_000_000n,
    ])
    expect(sum.amount).toBe(1_320_000_000n)
  })

  it('keep every unit of sums beyond the safe integers', () => {
    const large = { media: 90_000_000_000 }
    const { amount } = totalLine([row(large), row({ ...large, channel: 'aw' })], 'TWD', 'billed').sum
    expect(amount).toBe(180_000_000_000_000_000n)
  })
})

describe('an amount that is not known', () => {
  it('is never 0: alone it has no amount, among others it marks the sum', () => {
    const rows = [row({ media: null }), row({ media: 100, channel: 'aw' })]
    const [line] = linesOf(rows, request)
    expect(line?.parts.map(({ sum }) => sum)).toEqual([
      { amount: null, gap: 'days_unknown' },
      { amount: 100_000_000n, gap: null },
    ])
    expect(line?.sum).toEqual({ amount: 100_000_000n, gap: 'days_unknown' })
  })

  it('takes the fee of its neighbours along, which depends on it', () => {
    const [line] = linesOf([row({ media: 100, fee: null })], { ...request, measure: 'fee' })
    expect(line?.sum).toEqual({ amount: null, gap: 'depends' })
  })

  it('cannot be compared', () => {
    const known = { amount: 120n, gap: null }
    expect(changeOf(known, { amount: 100n, gap: null })).toBe(0.2)
    expect(changeOf(known, { amount: 100n, gap: 'days_unknown' })).toBeNull()
    expect(changeOf(known, { amount: 0n, gap: null })).toBeNull()
    expect(changeOf(known, undefined)).toBeNull()
  })
})

it('accounts of nobody are lines of their own, by the currency of the accounts, and in no sum', () => {
  const nobody = { advertiser: null, advertiser_name: null, billing_currency: null, billed: null }
  const rows = [
    row({ media: 30, ...nobody }),
    row({ media: 20, ...nobody, channel: 'aw', invoiced: 25_000_000 }),
    row({ media: 7, ...nobody, currency: 'JPY' }),
    row({ media: 100 }),
  ]
  expect(amounts(linesOfNobody(rows))).toEqual([
    ['nobody TWD', 55],
    ['nobody JPY', 7],
  ])
  expect(totalLine(rows, 'TWD', 'billed').sum.amount).toBe(100_000_000n)
})

it('a channel opens into its accounts, with the adjustments beside them', () => {
  const rows = [
    row({ media: 60, ad_account: 11, account_name: 'One' }),
    row({ media: 40, ad_account: 12, account_name: 'Two' }),
    row({ media: -5 }),
    row({ media: 9, channel: 'aw', ad_account: 13, account_name: 'Three' }),
  ]
  const lines = accountLines(rows, { currency: 'TWD', measure: 'billed', channel: 'fb' })
  expect(lines.map(({ account_name, sum }) => [account_name, Number(sum.amount) / UNIT])).toEqual([
    ['One', 60],
    ['Two', 40],
    [null, -5],
  ])
})

it('the base currency is the first to be shown, then the one of the most months', () => {
  const nothing = { billed: 0, fee: 0, tax_amount: 0, total: 0, is_complete: true }
  const total = (month: string, billing_currency: string) => ({ ...nothing, month, billing_currency })
  const totals = [
    total('2026-10', 'JPY'),
    total('2026-10', 'USD'),
    total('2026-11', 'TWD'),
    total('2026-11', 'USD'),
  ]
  expect(currenciesOf({ totals, base_currency: 'TWD' })).toEqual(['TWD', 'USD', 'JPY'])
})

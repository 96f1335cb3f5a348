import { describe, expect, it } from 'vitest'
import type { Meanings } from '#shared/block-catalogue.ts'
import { noMeanings } from '#shared/block-catalogue.ts'
import type { FeeAgreement } from '#shared/billing/fee.ts'
import { noMoney, type MoneyFacts } from './plan-money.ts'
import { totalsOf } from './totals.ts'
import { cellsOfTable, serial, tableOf, testAccount, testPlan, type TestReport } from './testing/table.ts'

const MILLION = 1_000_000
const money = (amount: number) => Math.round(amount * MILLION)

/** A calculated metric of the whole agency: `calc:1`, `calc:2` … in the order of the formulas. */
const calculated = (...formulas: string[]): Meanings => ({
  ...noMeanings,
  metrics: formulas.map((formula, at) => ({
    id: at + 1,
    advertiser: null,
    name: `Calculated ${at + 1}`,
    name_zh: '',
    explanation: '',
    formula,
    unit: 'ratio',
    decimals: 2,
    is_active: true,
  })),
})

describe('a calculated metric', () => {
  const column = (formula: string, rows: number[][], more: Partial<TestReport> = {}) => {
    const plan = testPlan({
      dimensions: ['date'],
      blocks: [{ metrics: ['calc:1'] }],
      meanings: calculated(formula),
      ...more,
    })
    const facts = rows.map((metrics, at) => ({ date: `2026-11-0${at + 1}`, metrics }))
    return cellsOfTable(tableOf(plan, [facts]))
      .slice(1)
      .map(row => row.at(-1))
  }

  it('counts an empty additive operand as 0 and divides by nothing to an empty cell', () => {
    expect(column('Cost / (Clicks + Sessions)'.toLowerCase(), [[money(1000), 3, Number.NaN]])).toEqual([
      1000 / 3,
    ])
    expect(column('cost / (clicks + sessions)', [[money(1000), Number.NaN, Number.NaN]])).toEqual([''])
    expect(
      column('cost / (clicks + sessions)', [[money(1000), Number.NaN, Number.NaN]], {
        fill_zero: true,
        range: { start: '2026-11-01', end: '2026-11-01' },
      }),
    ).toEqual([0])
  })

  it('is worked out of the sums of its row', () => {
    const facts = [
      [money(100), 5],
      [money(300), 10],
    ]
    expect(column('cost / clicks', facts, { dimensions: ['month'] })).toEqual([400 / 15])
  })

  it('reads from left to right, products before sums', () => {
    expect(column('8/4/2', [[1]])).toEqual([1])
    expect(column('2 × (3 − 1) ÷ 4', [[1]])).toEqual([1])
    expect(column('(value - cost) / cost', [[money(900), money(300)]])).toEqual([2])
    expect(column('-2 - -3', [[1]])).toEqual([1])
  })

  it('divides by nothing where decimals add up to nothing', () => {
    expect(column('clicks / (0.1 * clicks + 0.2 * clicks - 0.3 * clicks)', [[1], [7]])).toEqual(['', ''])
    expect(column('clicks / (clicks * 1.15 - clicks - clicks * 0.15)', [[3], [11]])).toEqual(['', ''])
    expect(column('1.1 * clicks - clicks - 0.1 * clicks', [[3], [7]])).toEqual([0, 0])
  })

  it('is exact for differences of money', () => {
    expect(column('(value - cost) / 1', [[money(1_234_567.1), money(1_234_567)]])).toEqual([0.1])
  })
})

/** Base TWD, the same rates in every month unless a month has its own. */
const rates = (own: Record<string, Record<string, string>> = {}): MoneyFacts => ({
  ...noMoney,
  ratesOf: month => ({
    rates: new Map(Object.entries({ TWD: '1', USD: '31.505', JPY: '0.2085', ...own[month] })),
    provisional: new Set(),
  }),
})

describe('money in another currency', () => {
  const converted = (
    amount: number,
    { from, to }: { from: string; to: string },
    more: Partial<TestReport> = {},
  ) => {
    const plan = testPlan({
      dimensions: ['date'],
      blocks: [{ metrics: ['cost'] }],
      accounts: [testAccount(1, { currency: from })],
      currency: to,
      money: rates(),
      ...more,
    })
    return cellsOfTable(tableOf(plan, [[{ date: '2026-11-01', metrics: [money(amount)] }]]))
  }

  it('is that of its rate, to the millionth', () => {
    expect(converted(100.5, { from: 'USD', to: 'TWD' })).toEqual([
      ['Date', 'Cost (TWD)'],
      [serial('2026-11-01'), 3166.2525],
    ])
    expect(converted(100, { from: 'USD', to: 'JPY' })[1]?.[1]).toBe(15_110.311_751)
    expect(converted(10_000, { from: 'JPY', to: 'USD' })[1]?.[1]).toBe(66.179_971)
    expect(converted(100, { from: 'USD', to: 'USD' })[1]?.[1]).toBe(100)
  })

  it('is asked by month where the table has none, and by weeks that end with their month', () => {
    const plan = testPlan({
      dimensions: ['week'],
      blocks: [{ metrics: ['cost', 'ctr'] }],
      currency: 'TWD',
      range: { start: '2026-10-26', end: '2026-11-01' },
      money: rates({ '2026-10': { USD: '31.9' } }),
    })
    expect(plan.requests.map(({ request }) => [request.time, request.metrics])).toEqual([
      ['month_week', ['cost', 'clicks', 'impressions']],
    ])
    const rows = [
      { date: '2026-10-26', metrics: [money(600), 1, 100] },
      { date: '2026-11-01', metrics: [money(100), 1, 100] },
    ]
    expect(cellsOfTable(tableOf(plan, [rows]))[1]).toEqual([serial('2026-10-26'), 22_290.5, 0.01])
  })

  it('is asked apart from what the platform alone can count', () => {
    const plan = testPlan({
      dimensions: [],
      blocks: [{ metrics: ['cost', 'reach', 'clicks'] }],
      currency: 'TWD',
      money: rates(),
    })
    expect(plan.requests.map(({ request }) => [request.time, request.metrics])).toEqual([
      ['month', ['cost']],
      ['total', ['reach', 'clicks']],
    ])
    const rows = [[{ date: '2026-11-01', metrics: [money(2)] }], [{ date: '2026-11-01', metrics: [7, 5] }]]
    expect(cellsOfTable(tableOf(plan, rows))[1]).toEqual([63.01, 7, 5])
  })

  it('is never converted by a silent 1', () => {
    const plan = testPlan({ blocks: [{ metrics: ['cost'] }], currency: 'EUR', money: rates() })
    expect(plan.blocks[0]?.refusal).toEqual({
      code: 'rate_missing',
      detail: { month: '2026-11', from: 'USD', to: 'EUR' },
    })
    expect(plan.requests).toEqual([])
  })

  it('costs nothing where every account has the currency already', () => {
    const plain = testPlan({ dimensions: [], blocks: [{ metrics: ['cost', 'reach'] }] })
    const same = testPlan({
      dimensions: [],
      blocks: [{ metrics: ['cost', 'reach'] }],
      currency: 'USD',
      money: rates(),
    })
    expect(same.requests).toEqual(plain.requests)
  })

  it('is rounded once, half a millionth away from zero, however large it is', () => {
    const cases = [
      [0.000_001, '0.5', 0.000_001],
      [0.000_003, '0.5', 0.000_002],
      [-0.000_001, '0.5', -0.000_001],
      [9_000_000_000, '0.0000000001', 0.9],
      [4_503_599_627.25, '1.0000000001', 4_503_599_627.700_36],
    ] as const
    for (const [amount, rate, expected] of cases) {
      const own = { '2026-11': { USD: rate } }
      const [, row] = converted(amount, { from: 'USD', to: 'TWD' }, { money: rates(own) })
      expect([amount, rate, row?.[1]]).toEqual([amount, rate, expected])
    }
  })
})

describe('the cost with the service fee', () => {
  const agreement = (from_month: string, to_month: string | null, rate: number): FeeAgreement => ({
    channel: null,
    currency: 'USD',
    from_month,
    to_month,
    amount: 0n,
    tiers: [{ up_to: null, rate }],
    tier_mode: 'marginal',
    basis: 'on_top',
    minimum: 0n,
    charges_idle_months: false,
  })
  const report = (agreements: FeeAgreement[], more: Partial<TestReport> = {}) =>
    testPlan({
      dimensions: [],
      blocks: [{ metrics: ['client_cost', 'cost'] }],
      range: { start: '2026-10-01', end: '2026-11-30' },
      money: { ...noMoney, feesOf: () => ({ billing_currency: null, agreements }) },
      ...more,
    })
  const rows = [
    { date: '2026-10-01', metrics: [money(100.5)] },
    { date: '2026-11-01', metrics: [money(200)] },
  ]

  it('has the fee of each month', () => {
    const plan = report([agreement('2026-10', '2026-10', 1500), agreement('2026-11', null, 1250)])
    expect(plan.requests.map(({ request }) => [request.time, request.metrics])).toEqual([['month', ['cost']]])
    expect(cellsOfTable(tableOf(plan, [rows]))[1]).toEqual([340.575, 300.5])
  })

  it('has a fee within the whole amount on top of the media, and none without an agreement', () => {
    const within = { ...agreement('2026-10', null, 1500), basis: 'within' as const }
    const plan = report([within])
    expect(cellsOfTable(tableOf(plan, [rows]))[1]).toEqual([353.529_412, 300.5])
    expect(cellsOfTable(tableOf(report([]), [rows]))[1]).toEqual([300.5, 300.5])
  })

  it('is not worked out of a fee that is not one rate', () => {
    const tiered = { ...agreement('2026-10', null, 1500), amount: 5_000_000n }
    expect(report([tiered]).blocks[0]?.refusal).toEqual({
      code: 'fee_not_flat',
      detail: { month: '2026-10', channel: 'fb' },
    })
  })
})

describe('a compared table', () => {
  const comparison = { to: 'previous_period', align: 'date', show: ['percent', 'value', 'change'] } as const
  const plan = (more: Partial<TestReport>) =>
    testPlan({
      comparison: { ...comparison, show: [...comparison.show] },
      blocks: [{ metrics: ['clicks'] }],
      ...more,
    })
  const day = (date: string, ...metrics: number[]) => ({ date, metrics })

  it('has what was, the change and the change in percent beside each metric', () => {
    const of = (now: number, then: number) =>
      cellsOfTable(
        tableOf(plan({ dimensions: [] }), [[day('2026-11-01', now)], [day('2026-10-01', then)]]),
      )[1]
    expect(cellsOfTable(tableOf(plan({ dimensions: [] }), [[], []]))[0]).toEqual([
      'Clicks',
      'Clicks previous period',
      'Clicks change',
      'Clicks change %',
    ])
    expect(of(120, 100)).toEqual([120, 100, 20, 0.2])
    expect(of(50, 0)).toEqual([50, 0, 50, ''])
    expect(of(0, 50)).toEqual([0, 50, -50, -1])
  })

  it('has the change of a share in points', () => {
    const compared = plan({ dimensions: [], blocks: [{ metrics: ['ctr'] }] })
    const cells = cellsOfTable(
      tableOf(compared, [[day('2026-11-01', 12, 1000)], [day('2026-10-01', 10, 1000)]]),
    )[1]
    expect(cells?.map(cell => Number(cell).toFixed(6))).toEqual([
      '0.012000',
      '0.010000',
      '0.200000',
      '0.200000',
    ])
  })

  it('asks the compared period like the range, and has the rows of either', () => {
    const compared = plan({
      dimensions: ['campaign'],
      range: { start: '2026-11-01', end: '2026-11-20' },
    })
    expect(compared.requests.map(({ request }) => request.range)).toEqual([
      { start: '2026-11-01', end: '2026-11-20' },
      { start: '2026-10-01', end: '2026-10-20' },
    ])
    const named = (date: string, name: string, clicks: number) => ({
      date,
      dimensions: [name],
      metrics: [clicks],
    })
    const table = tableOf(compared, [
      [named('2026-11-01', 'a', 3), named('2026-11-01', 'b', 4)],
      [named('2026-10-01', 'b', 2), named('2026-10-01', 'c', 5)],
    ])
    expect(cellsOfTable(table).slice(1)).toEqual([
      ['a', 3, '', 3, ''],
      ['b', 4, 2, 2, 1],
      ['c', '', 5, -5, -1],
    ])
  })

  it('leaves a day without its match empty, and its own unmatched days out of the rows by date', () => {
    const march = plan({ dimensions: ['date'], range: { start: '2026-03-01', end: '2026-03-31' } })
    const now = ['2026-03-28', '2026-03-29', '2026-03-31'].map(date => day(date, 10))
    const table = tableOf(march, [now, [day('2026-02-28', 5)]])
    expect(cellsOfTable(table).slice(1)).toEqual([
      [serial('2026-03-28'), 10, 5, 5, 1],
      [serial('2026-03-29'), 10, '', '', ''],
      [serial('2026-03-31'), 10, '', '', ''],
    ])
    const february = plan({ dimensions: ['date'], range: { start: '2026-02-01', end: '2026-02-28' } })
    const rows = [[day('2026-02-01', 1)], [day('2026-01-01', 2), day('2026-01-31', 9)]]
    expect(cellsOfTable(tableOf(february, rows)).slice(1)).toEqual([[serial('2026-02-01'), 1, 2, -1, -0.5]])
  })

  it('leaves a calculated metric of a day without its match empty, too', () => {
    const march = plan({
      dimensions: ['date'],
      range: { start: '2026-03-01', end: '2026-03-31' },
      blocks: [{ metrics: ['calc:1'] }],
      meanings: calculated('clicks + 1'),
    })
    expect(cellsOfTable(tableOf(march, [[day('2026-03-29', 10)], []])).slice(1)).toEqual([
      [serial('2026-03-29'), 11, '', '', ''],
    ])
  })

  it('calls what has been renamed since by its new name', () => {
    const compared = plan({ dimensions: ['campaign'] })
    const named = (date: string, name: string) => ({ date, dimensions: [name], metrics: [1] })
    const rows = [[named('2026-11-01', '1=new')], [named('2026-10-03', '1=old')]]
    expect(cellsOfTable(tableOf(compared, rows))[1]?.[0]).toBe('new')
  })

  it('sets months beside months, and weeks beside weeks', () => {
    const months = plan({ dimensions: ['month'], range: { start: '2026-10-01', end: '2026-11-20' } })
    expect(
      cellsOfTable(
        tableOf(months, [
          [day('2026-10-01', 4), day('2026-11-01', 6)],
          [day('2026-08-01', 2), day('2026-09-01', 3)],
        ]),
      ).slice(1),
    ).toEqual([
      [serial('2026-10-01'), 4, 2, 2, 1],
      [serial('2026-11-01'), 6, 3, 3, 1],
    ])
    const weeks = testPlan({
      dimensions: ['week'],
      blocks: [{ metrics: ['clicks'] }],
      range: { start: '2026-11-04', end: '2026-11-10' },
      comparison: { to: 'last_year', align: 'weekday', show: ['value'] },
    })
    const rows = [
      [day('2026-11-04', 5), day('2026-11-09', 7)],
      [day('2025-11-05', 1), day('2025-11-10', 2)],
    ]
    expect(cellsOfTable(tableOf(weeks, rows)).slice(1)).toEqual([
      [serial('2026-11-02'), 5, 1],
      [serial('2026-11-09'), 7, 2],
    ])
  })

  it('is converted by the rates of its own months', () => {
    const compared = plan({
      dimensions: [],
      blocks: [{ metrics: ['cost'] }],
      currency: 'TWD',
      money: rates({ '2026-10': { USD: '30' } }),
    })
    const rows = [[day('2026-11-01', money(10))], [day('2026-10-01', money(10))]]
    expect(cellsOfTable(tableOf(compared, rows))[1]).toEqual([315.05, 300, 15.05, 1505 / 30_000])
  })
})

describe('a blend', () => {
  const blended = (formula: string, more: Partial<TestReport> = {}) =>
    testPlan({
      blocks: [{ metrics: ['cost'] }, { metrics: ['cost', 'sessions'] }, { metrics: ['sessions'] }],
      blends: [{ name: 'Blend', formula, unit: 'money', decimals: 2 }],
      ...more,
    })
  const responses = [
    [{ date: '2026-11-01', metrics: [money(10)] }],
    [{ date: '2026-11-02', metrics: [money(20), 4] }],
    [{ date: '2026-11-01', metrics: [5] }],
  ]
  const lastColumn = (plan: ReturnType<typeof blended>) =>
    cellsOfTable(tableOf(plan, responses)).map(row => row.at(-1))

  it('is worked out over channels, where those without a row count as 0', () => {
    expect(lastColumn(blended('all.cost'))).toEqual(['Blend', 10, 20])
    expect(lastColumn(blended('all.cost / 3.sessions'))).toEqual(['Blend', 2, ''])
    expect(lastColumn(blended('1.cost + 2.cost'))).toEqual(['Blend', 10, 20])
  })

  it('has the ratio of all channels of their sums', () => {
    const plan = testPlan({
      dimensions: [],
      blocks: [{ metrics: ['cpm'] }, { metrics: ['cpm'] }],
      blends: [{ name: 'Blend', formula: 'all.cpm', unit: 'money', decimals: 2 }],
    })
    const day = (cost: number, impressions: number) => [
      { date: '2026-11-01', metrics: [money(cost), impressions] },
    ]
    expect(cellsOfTable(tableOf(plan, [day(10, 1000), day(20, 4000)]))[1]).toEqual([10, 5, 6])
  })

  it('fetches what its formula needs beside the columns', () => {
    const plan = blended('1.cost / 3.clicks')
    expect(plan.requests.map(({ request }) => request.metrics)).toEqual([
      ['cost'],
      ['cost', 'sessions'],
      ['sessions', 'clicks'],
    ])
  })

  it('has no total over money of several currencies, nor over no rows', () => {
    const plan = testPlan({
      dimensions: ['currency'],
      accounts: [testAccount(1), testAccount(2, { currency: 'JPY' })],
      blocks: [{ metrics: ['cost'] }, { metrics: ['cost'], accounts: [2] }],
      blends: [
        { name: 'Money', formula: 'all.cost', unit: 'money', decimals: 2 },
        { name: 'Count', formula: '1.clicks + 2.clicks + 1', unit: 'count', decimals: 0 },
      ],
    })
    const rows = [money(10), money(1000)].map(cost => [{ date: '2026-11-01', metrics: [cost, 5] }])
    expect(totalsOf(plan, tableOf(plan, rows))).toEqual(['', 10, 1000, '', 11])
    expect(totalsOf(plan, tableOf(plan, [[], []]))).toEqual(['', '', '', '', ''])
  })

  it('is empty where a channel failed, since its numbers are unknown', () => {
    const plan = blended('all.cost')
    const refusal = { code: 'account_access_lost', detail: {} } as const
    const blocks = plan.blocks.map((block, at) => (at === 0 ? { ...block, refusal } : block))
    for (const fill_zero of [false, true]) {
      const failed = { ...plan, blocks, fill_zero, requests: plan.requests.slice(1) }
      const [, ...cells] = cellsOfTable(tableOf(failed, responses.slice(1))).map(row => row.at(-1))
      expect(new Set(cells)).toEqual(new Set(['']))
    }
  })
})

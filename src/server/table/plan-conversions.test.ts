import { describe, expect, it } from 'vitest'
import type { ConversionEntry } from '#shared/api/insight-settings.ts'
import { noMeanings } from '#shared/block-catalogue.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import type { Provider } from '#shared/platforms.ts'
import { planReport, type AccountFacts, type TableFields } from './plan.ts'
import { noMoney } from './plan-money.ts'
import { cellsOfTable, tableOf, testAccount } from './testing/table.ts'

const MILLION = 1_000_000
const providers: Partial<Record<Channel, Provider>> = { fb: 'meta', aw: 'google_ads', yg: 'ly_search' }

/** A report with a block that counts by a definition of advertiser 7. */
function planFor(
  channel: 'fb' | 'aw' | 'yg',
  entries: ConversionEntry[],
  more: Partial<TableFields> & { accounts?: Partial<AccountFacts>[]; metrics?: string[] } = {},
) {
  const { accounts = [{}], metrics = ['cost', 'conversions', 'cpa'], ...fields } = more
  const facts = accounts.map((account, at) =>
    testAccount(at + 1, { channel, provider: providers[channel] ?? 'meta', advertiser: 7, ...account }),
  )
  const block = { channel, accounts: facts.map(({ id }) => id), metrics, conversion: 3 }
  return planReport(
    {
      dimensions: ['date'],
      arrangement: 'joined',
      fill_zero: false,
      header_language: 'en',
      ...fields,
      channels: [{ label: null, filters: [], on_error: 'leave_empty', ...block }],
    },
    {
      accounts: facts,
      range: { start: '2026-11-01', end: '2026-11-03' },
      meanings: {
        ...noMeanings,
        conversions: [{ id: 3, advertiser: 7, name: 'Leads', name_zh: '名單', is_default: false, entries }],
      },
      money: {
        ...noMoney,
        ratesOf: () => ({
          rates: new Map([
            ['TWD', '1'],
            ['USD', '30'],
          ]),
          provisional: new Set(),
        }),
      },
    },
  )
}

const requests = (plan: ReturnType<typeof planFor>) =>
  plan.requests.map(({ request: { time, metrics, actions = [] } }) => [time, metrics, actions])

describe('a conversion definition', () => {
  it('costs no request more where actions stand beside cost', () => {
    const plan = planFor('fb', [
      { channel: 'fb', action: 'lead' },
      { channel: 'fb', metric: 'purchases' },
      { channel: 'aw', action: 'Order' },
    ])
    expect(requests(plan)).toEqual([['date', ['cost', 'conversions'], ['lead', 'omni_purchase']]])
    const table = tableOf(plan, [[{ date: '2026-11-01', metrics: [10 * MILLION, 4] }]])
    expect(cellsOfTable(table)).toEqual([
      ['Date', 'Cost', 'Conversions (Leads)', 'CPA (Leads)'],
      [expect.any(Number), 10, 4, 2.5],
    ])
  })

  it('asks a second question where they cannot', () => {
    const plan = planFor('aw', [{ channel: 'aw', action: 'Order' }], { metrics: ['cost', 'roas', 'cpa'] })
    expect(requests(plan)).toEqual([
      ['date', ['cost'], []],
      ['date', ['conversion_value', 'conversions'], ['Order']],
    ])
    const table = tableOf(plan, [
      [{ date: '2026-11-01', metrics: [10 * MILLION] }],
      [
        { date: '2026-11-01', metrics: [30 * MILLION, 4] },
        { date: '2026-11-02', metrics: [5 * MILLION, 1] },
      ],
    ])
    expect(cellsOfTable(table).slice(1)).toEqual([
      [expect.any(Number), 10, 3, 2.5],
      [expect.any(Number), '', '', ''],
    ])
  })

  it('adds up actions and metrics, and has no value where none of them has one', () => {
    const plan = planFor('aw', [{ channel: 'aw', metric: 'view_through_conversions' }], {
      metrics: ['conversions', 'conversion_value', 'cvr'],
    })
    expect(requests(plan)).toEqual([['date', ['view_through_conversions', 'clicks'], []]])
    const table = tableOf(plan, [[{ date: '2026-11-01', metrics: [2, 8] }]])
    expect(cellsOfTable(table)[1]).toEqual([expect.any(Number), 2, '', 0.25])
  })

  it('converts the value by month and the count with it', () => {
    const plan = planFor('aw', [{ channel: 'aw', action: 'Order' }], {
      dimensions: [],
      currency: 'TWD',
      metrics: ['cost', 'clicks', 'roas'],
    })
    expect(requests(plan)).toEqual([
      ['month', ['cost', 'clicks'], []],
      ['month', ['conversion_value'], ['Order']],
    ])
  })

  it('is refused for accounts of another advertiser, and for a channel that it says nothing of', () => {
    const refusal = { code: 'combination_not_allowed', detail: { reason: 'conversion_not_offered' } }
    const lead = [{ channel: 'fb' as const, action: 'lead' }]
    expect(planFor('fb', lead, { accounts: [{}, { advertiser: 8 }] }).blocks[0]?.refusal).toMatchObject(
      refusal,
    )
    expect(planFor('aw', lead).blocks[0]?.refusal).toMatchObject(refusal)
    expect(planFor('fb', lead).blocks[0]?.refusal).toBeNull()
  })
})

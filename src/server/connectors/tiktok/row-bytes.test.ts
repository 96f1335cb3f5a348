import { describe, expect, it, vi } from 'vitest'
import { SEED } from '#server/testing/random.ts'
import {
  expectSameRows,
  oddDigits,
  oneOf,
  plainFormat,
  Spelled,
  type Below,
  type Json,
  type RowFormat,
} from '#server/connectors/testing/row-bytes.ts'
import { rowsOf, testContext } from '#server/connectors/testing/context.ts'
import { startServer } from '#server/connectors/testing/server.ts'
import { columnsOf, deliveryOf, type ColumnSpec } from './columns.ts'
import { tiktok } from './report.ts'

const DAYS = ['2026-11-01', '2026-11-02']

const digits = (below: Below, isOdd: boolean): Json =>
  isOdd && below(3) === 0 ? oddDigits(below) : oneOf(below, '-', '', String(below(100_000)))
const amount = (below: Below, isOdd: boolean): Json =>
  isOdd && below(3) === 0
    ? oddDigits(below)
    : oneOf(below, '-', `-${below(99)}.5`, `${below(10_000)}.${below(100)}`)

const row = (below: Below, isOdd: boolean): Json => {
  const number = below(9)
  const odd = (value: Json, ...others: Json[]) => (isOdd && below(9) === 0 ? oneOf(below, ...others) : value)
  const day = `${oneOf(below, ...DAYS)}${oneOf(below, '', ' 00:00:00')}`
  return {
    metrics: odd(
      {
        campaign_name: odd(`Sale ${number} 秋`, '', '"', '\\', '😀', new Spelled('"\\ud800"'), 7),
        impressions: digits(below, isOdd),
        spend: amount(below, isOdd),
        frequency: amount(below, isOdd),
        total_complete_payment_rate: amount(below, isOdd),
        total_purchase_value: amount(below, isOdd),
        total_onsite_shopping_value: amount(below, isOdd),
      },
      null,
      {},
      [],
      'x',
    ),
    dimensions: odd(
      {
        campaign_id: odd(`178000${number}`, '', '-', 5, null),
        platform: oneOf(below, 'ANDROID', 'IPHONE'),
        stat_time_day: odd(day, '2026-10-31', '', null),
      },
      null,
      [],
    ),
  }
}

const formatOf = (spec: ColumnSpec, by_day: boolean): RowFormat => ({
  ...plainFormat(['data', 'list'], rows => {
    const dates = new Map((by_day ? DAYS : DAYS.slice(0, 1)).map(day => [day, 0]))
    const page = columnsOf(rows, spec, { by_day, dates })
    return { ...page, metrics: [...page.metrics, ...deliveryOf(rows)] }
  }),
  row,
  response: rows =>
    `{"code":0,"message":"OK","request_id":"r","data":{"page_info":{"total_number":3,"total_page":1},"list":${rows}}}`,
})

const campaigns: ColumnSpec = {
  level: 'campaign',
  dimensions: ['campaign', 'device_type'],
  metrics: ['impressions', 'cost', 'conversion_value', 'complete_payment_value', 'frequency'],
}

describe("TikTok's rows out of bytes", () => {
  it.each([
    ['campaigns by day', campaigns, true],
    ['campaigns of a month', campaigns, false],
    ['the whole account', { level: 'advertiser', dimensions: [], metrics: [] } satisfies ColumnSpec, true],
  ])('are the same as out of parsed JSON: %s', (_, spec, by_day) => {
    expectSameRows(formatOf(spec, by_day), SEED)
  })

  it('are the way that pages as TikTok writes them take, and no row of them is parsed', async () => {
    const list = ['1', '2'].map(campaign_id => ({
      dimensions: { campaign_id, stat_time_day: '2026-11-01 00:00:00' },
      metrics: { campaign_name: `Sale ${campaign_id}`, impressions: '7', spend: '-' },
    }))
    const page_info = { page: 1, page_size: 1000, total_number: 2, total_page: 1 }
    const body = { code: 0, message: 'OK', request_id: 'r', data: { list, page_info } }
    const origin = await startServer((_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    )
    const parse = vi.spyOn(JSON, 'parse')
    const rows = await rowsOf(
      tiktok.fetchReport(
        {
          channel: 'tt',
          account: { provider: 'tiktok', external_id: '1', currency: 'USD', timezone: 'UTC', via: null },
          range: { start: '2026-11-01', end: '2026-11-02' },
          time: 'date',
          dimensions: ['campaign'],
          metrics: ['impressions', 'cost'],
          filters: [],
        },
        {
          ...testContext(origin, '2026-11-21T04:00:00Z'),
          login: { access_token: 'token', app_id: '1', app_secret: 'secret' },
          rounds: new Map(),
        },
      ),
    )
    const parsed = parse.mock.calls.map(([text]) => text).filter(text => text.includes('campaign_id'))
    parse.mockRestore()
    expect(rows.map(({ values }) => values)).toEqual([
      [7, Number.NaN],
      [7, Number.NaN],
    ])
    expect(parsed).toEqual([])
  })
})

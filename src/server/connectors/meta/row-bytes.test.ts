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
import { meta } from './report.ts'
import { columnsOf, type ColumnSpec } from './columns.ts'

const DAYS = ['2026-11-01', '2026-11-02']

const TYPES = ['link_click', 'omni_purchase', 'purchase', 'comment', 'video_view', 'landing_page_view']

const digits = (below: Below, isOdd: boolean): Json =>
  isOdd && below(3) === 0 ? oddDigits(below) : String(below(100_000))
const amount = (below: Below, isOdd: boolean): Json =>
  isOdd && below(3) === 0 ? oddDigits(below) : `${below(10_000)}.${below(100)}`

function actions(below: Below, isOdd: boolean): Json {
  const types = TYPES.filter(() => below(3) > 0)
  const entries = types.map((action_type): Json => ({ action_type, value: digits(below, isOdd) }))
  if (isOdd && below(8) === 0) entries.push(...entries.slice(0, 1))
  if (isOdd && below(8) === 0) return oneOf<Json>(below, null, 'none', [null], [{ value: '1' }], {})
  return entries
}

const row = (below: Below, isOdd: boolean): Json => {
  const number = below(9)
  return {
    campaign_id: isOdd && below(9) === 0 ? oneOf<Json>(below, '', 'x', 5, null) : `12021001${number}`,
    campaign_name:
      isOdd && below(9) === 0
        ? oneOf<Json>(below, '', '"', '\\', '😀', new Spelled('"\\ud800"'), 7)
        : `Sale ${number} 秋`,
    device_platform: oneOf(below, 'mobile_app', 'desktop'),
    impressions: digits(below, isOdd),
    spend: amount(below, isOdd),
    ...(below(4) > 0 && { reach: digits(below, isOdd) }),
    ...(below(4) > 0 && { actions: actions(below, isOdd) }),
    ...(below(4) > 0 && { action_values: [{ action_type: 'omni_purchase', value: amount(below, isOdd) }] }),
    quality_ranking: oneOf(below, 'UNKNOWN', 'AVERAGE', ...(isOdd ? ['BEST'] : [])),
    ...(below(3) > 0 && { results: [{ indicator: 'x', values: [{ value: digits(below, isOdd) }] }] }),
    date_start: isOdd && below(9) === 0 ? '2026-11-09' : oneOf(below, ...DAYS),
    date_stop: oneOf(below, ...DAYS),
  }
}

const formatOf = (spec: ColumnSpec): RowFormat => ({
  ...plainFormat(['data'], rows => columnsOf(rows, spec, new Set(DAYS))),
  row,
  response: rows => `{"data":${rows},"paging":{"cursors":{"after":"MTI="},"next":"https://graph"}}`,
})

const specs: Record<string, ColumnSpec> = {
  'plain numbers': { dimensions: ['campaign'], metrics: ['impressions', 'cost', 'reach'], actions: null },
  'lists of actions': {
    dimensions: ['campaign', 'device_type'],
    metrics: ['clicks', 'conversions', 'conversion_value', 'link_clicks', 'landing_page_views', 'purchases'],
    actions: null,
  },
  'counted actions, rankings and results': {
    dimensions: [],
    metrics: ['conversions', 'conversion_value', 'quality_ranking', 'results', 'cost'],
    actions: ['link_click', 'omni_purchase', 'never'],
  },
}

describe("Meta's rows out of bytes", () => {
  it.each(Object.entries(specs))('are the same as out of parsed JSON: %s', (_, spec) => {
    expectSameRows(formatOf(spec), SEED)
  })

  it('are the way that pages as Meta writes them take, and no row of them is parsed', async () => {
    const regular = (day: string, id: string) => ({
      campaign_id: id,
      campaign_name: `Sale ${id}`,
      impressions: '7',
      date_start: day,
      date_stop: day,
    })
    const data = DAYS.flatMap(day => [regular(day, '1'), regular(day, '2')])
    const origin = await startServer((_, response) => response.end(JSON.stringify({ data, paging: {} })))
    const parse = vi.spyOn(JSON, 'parse')
    const rows = await rowsOf(
      meta.fetchReport(
        {
          channel: 'fb',
          account: { provider: 'meta', external_id: '1', currency: 'USD', timezone: 'UTC', via: null },
          range: { start: '2026-11-01', end: '2026-11-02' },
          time: 'date',
          dimensions: ['campaign'],
          metrics: ['impressions'],
          filters: [],
        },
        { ...testContext(origin, '2026-11-21T04:00:00Z'), login: { access_token: 'token' } },
      ),
    )
    const parsed = parse.mock.calls.map(([text]) => text).filter(text => text.includes('campaign_id'))
    parse.mockRestore()
    expect(rows).toHaveLength(4)
    expect(parsed).toEqual([])
  })
})

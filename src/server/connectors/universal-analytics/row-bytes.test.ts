import { describe, expect, it, vi } from 'vitest'
import { SEED } from '#server/testing/random.ts'
import type { ReportRequest } from '#server/connectors/connector.ts'
import { parseWith } from '#server/connectors/kit/http.ts'
import { slicesOf } from '#server/connectors/kit/slices.ts'
import {
  expectSameRows,
  oddDigits,
  oneOf,
  Spelled,
  type Below,
  type Json,
  type RowFormat,
} from '#server/connectors/testing/row-bytes.ts'
import { rowsOf, testContext } from '#server/connectors/testing/context.ts'
import { startServer } from '#server/connectors/testing/server.ts'
import { columnsOf, readerOf } from './columns.ts'
import { layoutOf, queryOf, type Layout } from './query.ts'
import { universalAnalytics } from './report.ts'
import { Reports } from './schema.ts'

const request: ReportRequest = {
  channel: 'ga',
  account: {
    provider: 'universal_analytics',
    external_id: '1',
    currency: 'TWD',
    timezone: 'Asia/Taipei',
    via: null,
  },
  range: { start: '2023-04-30', end: '2023-05-02' },
  time: 'date',
  dimensions: ['campaign'],
  metrics: ['sessions', 'revenue'],
  filters: [],
}

const odd = (below: Below, isOdd: boolean, value: Json, ...others: Json[]): Json =>
  isOdd && below(12) === 0 ? oneOf(below, ...others) : value

const digits = (below: Below, isOdd: boolean): Json =>
  isOdd && below(4) === 0
    ? oneOf<Json>(below, oddDigits(below), '1.25E7', '-2.5E-3', '1E400', 7)
    : oneOf(below, String(below(100_000)), `-${below(99)}.5`, `${below(10_000)}.${below(100)}`)

const list = (below: Below, isOdd: boolean, values: Json[]): Json =>
  odd(below, isOdd, values, null, [], {}, values.slice(1), [...values, null])

const headerOf = ({ body }: Layout) => ({
  dimensions: body.dimensions.map(({ name }) => name),
  metricHeader: {
    metricHeaderEntries: body.metrics.map(({ expression }) => ({ name: expression, type: 'INTEGER' })),
  },
})

function formatOf(changes: Partial<ReportRequest>): RowFormat {
  const query = queryOf({ ...request, ...changes })
  const [first, ...others] = slicesOf(request.range, query.time)
  if (first === undefined) throw new Error('no slices')
  const layout = layoutOf(query, [first, ...others], query.groups[0] ?? [])
  const times = [...layout.starts.keys()].map(time => time.split(' '))
  return {
    path: ['reports', 0, 'data', 'rows'],
    reader: () => readerOf(layout),
    pageOf: body => columnsOf(parseWith(Reports, body, 'report').reports[0], layout),
    row(below, isOdd) {
      const number = below(9)
      const own = oneOf(below, ...times).slice(0, layout.time_fields)
      const names = layout.body.dimensions
        .slice(layout.time_fields)
        .map(() => odd(below, isOdd, `Sale ${number} 秋`, '', '"', '\\', '😀', new Spelled('"\\ud800"'), 7))
      const values = layout.body.metrics.map(() => digits(below, isOdd))
      return {
        ...(layout.body.dimensions.length > 0 && {
          dimensions: list(below, isOdd, [
            ...own.map(time => odd(below, isOdd, time, '(other)', '')),
            ...names,
          ]),
        }),
        metrics: list(below, isOdd, [
          odd(below, isOdd, { values: list(below, isOdd, values) }, null, {}, []),
        ]),
      }
    },
    response: (rows, below, isOdd) => {
      const header =
        isOdd && below(20) === 0 ? { metricHeader: { metricHeaderEntries: [] } } : headerOf(layout)
      return `{"reports":[{"columnHeader":${JSON.stringify(header)},"data":{"rows":${rows},"rowCount":5},"nextPageToken":"7"}]}`
    },
  }
}

const requests: Record<string, Partial<ReportRequest>> = {
  'campaigns by day': { dimensions: ['campaign', 'source_medium', 'keyword'] },
  'sources and media by month and week': {
    dimensions: ['source_medium', 'source', 'medium'],
    time: 'month_week',
  },
  'nothing but rows': { metrics: [] },
  'a whole view': { dimensions: [], time: 'total' },
}

describe("Universal Analytics' rows out of bytes", () => {
  it.each(Object.entries(requests))('are the same as out of parsed JSON: %s', (_, changes) => {
    expectSameRows(formatOf(changes), SEED)
  })

  it('are the way that pages as Google writes them take, and no row of them is parsed', async () => {
    const [slice, ...slices] = slicesOf(request.range, 'date')
    if (slice === undefined) throw new Error('no slices')
    const columnHeader = headerOf(layoutOf(queryOf(request), [slice, ...slices], ['sessions', 'revenue']))
    const rows = ['a', 'b'].map(name => ({
      dimensions: ['20230501', name],
      metrics: [{ values: ['1', '2.5'] }],
    }))
    const origin = await startServer(({ url }, response) =>
      response.end(
        JSON.stringify(
          url === '/token'
            ? { access_token: 'token', expires_in: 3600 }
            : { reports: [{ columnHeader, data: { rows, rowCount: 2 } }] },
        ),
      ),
    )
    const login = { client_id: 'id', client_secret: 'secret', refresh_token: 'refresh' }
    const parse = vi.spyOn(JSON, 'parse')
    const read = await rowsOf(
      universalAnalytics.fetchReport(request, { ...testContext(origin, '2023-05-20T04:00:00Z'), login }),
    )
    const parsed = parse.mock.calls.map(([text]) => text).filter(text => text.includes('"values"'))
    parse.mockRestore()
    expect(read.map(({ values }) => values)).toEqual([
      [1, 2_500_000],
      [1, 2_500_000],
    ])
    expect(parsed).toEqual([])
  })
})

import { describe, expect, it, vi } from 'vitest'
import { SEED } from '#server/testing/random.ts'
import {
  expectSameRows,
  oddDigits,
  oneOf,
  Spelled,
  type Below,
  type Json,
  type RowFormat,
} from '#server/connectors/testing/row-bytes.ts'
import { slicesOf } from '#server/connectors/kit/slices.ts'
import { parseWith } from '#server/connectors/kit/http.ts'
import type { TimeGrain } from '#server/connectors/connector.ts'
import { answerOf, fetchFrom, kind, row as responseRow } from './testing/responses.ts'
import { columnsOf, readerOf, type ColumnSpec } from './columns.ts'
import { timesOf } from './ranges.ts'
import { ReportResponse } from './schema.ts'

const digits = (below: Below, isOdd: boolean): Json =>
  isOdd && below(4) === 0
    ? oneOf<Json>(below, oddDigits(below), '1.25E7', '-2.5e-3', '1E400', 7)
    : oneOf(below, String(below(100_000)), `-${below(99)}.5`, `${below(10_000)}.${below(100)}`)

const odd = (below: Below, isOdd: boolean, value: Json, ...others: Json[]): Json =>
  isOdd && below(12) === 0 ? oneOf(below, ...others) : value

const times = (time: TimeGrain) => {
  const [all] = timesOf(slicesOf({ start: '2026-10-31', end: '2026-11-02' }, time), time, 3)
  if (all === undefined) throw new Error('no times')
  return all
}

/** A list of values, of which rows have two. */
const values = (below: Below, isOdd: boolean, texts: Json[]): Json => {
  const list = texts.map(value => odd(below, isOdd, { value }, null, {}, 'x', { value, oneValue: {} }))
  return odd(below, isOdd, list, null, [], {}, list.slice(1), [...list, null])
}

function formatOf(spec: ColumnSpec, fields: string[]): RowFormat {
  const headers = {
    dimensionHeaders: [...spec.times.fields, ...spec.dimensions].map(name => ({ name })),
    metricHeaders: fields.map(name => ({ name })),
  }
  return {
    path: ['rows'],
    reader: () => readerOf(spec, fields),
    pageOf: body => columnsOf(parseWith(ReportResponse, body, 'report'), spec),
    row(below, isOdd) {
      const number = below(9)
      const time = spec.times.fields.map(field =>
        odd(
          below,
          isOdd,
          oneOf(below, ...TIMES[field === 'yearMonth' ? 'yearMonth' : 'date']),
          '(other)',
          '20261109',
        ),
      )
      const name = odd(below, isOdd, `Sale ${number} 秋`, '', '"', '\\', '😀', new Spelled('"\\ud800"'), 7)
      return {
        dimensionValues: values(below, isOdd, [...time, ...spec.dimensions.map(() => name)]),
        metricValues: values(
          below,
          isOdd,
          fields.map(() => digits(below, isOdd)),
        ),
      }
    },
    response(rows, below, isOdd) {
      const { dimensionHeaders, metricHeaders } = headers
      const others = {
        dimensionHeaders: dimensionHeaders.toReversed(),
        metricHeaders: metricHeaders.toReversed(),
      }
      const own =
        isOdd && below(9) === 0 ? oneOf<object>(below, others, {}, { ...headers, metricHeaders: 7 }) : headers
      return `{"rows":${rows},${JSON.stringify({ ...own, rowCount: 5, kind }).slice(1)}`
    },
  }
}

const TIMES = { date: ['20261031', '20261101', '20261102'], yearMonth: ['202610', '202611'] }

const specs: Record<string, [ColumnSpec, string[]]> = {
  'campaigns by day': [
    {
      times: times('date'),
      dimensions: ['sessionCampaignName', 'sessionSourceMedium'],
      metrics: ['sessions', 'revenue', 'conversion_value', 'bounces'],
      actions: null,
    },
    ['sessions', 'purchaseRevenue', 'engagedSessions'],
  ],
  'key events by month': [
    {
      times: times('month'),
      dimensions: ['sessionCampaignName'],
      metrics: ['conversions', 'conversion_value'],
      actions: ['purchase'],
    },
    ['keyEvents', 'eventValue'],
  ],
  'no numbers': [
    { times: times('date'), dimensions: ['sessionSource'], metrics: [], actions: null },
    ['eventCount'],
  ],
}

describe("GA4's rows out of bytes", () => {
  it.each(Object.entries(specs))('are the same as out of parsed JSON: %s', (_, [spec, fields]) => {
    expectSameRows(formatOf(spec, fields), SEED)
  })

  it('are the way that pages as GA4 writes them take, and no row of them is parsed', async () => {
    const parse = vi.spyOn(JSON, 'parse')
    const list = ['a', 'b'].map(name => responseRow(['20261101', name], ['1', '2.5']))
    const { rows } = await fetchFrom(body => answerOf(body, list))
    const parsed = parse.mock.calls.map(([text]) => text).filter(text => text.includes('dimensionValues'))
    parse.mockRestore()
    expect(rows).toHaveLength(2)
    expect(parsed).toEqual([])
  })
})

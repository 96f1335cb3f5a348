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
import { rowsOf } from '#server/connectors/testing/context.ts'
import { googleAds } from './report.ts'
import { page, request, row as responseRow, serving } from './testing/responses.ts'
import { columnsOf, type ColumnSpec } from './columns.ts'

const DAYS = ['2026-11-01', '2026-11-02', '2026-11-03']

const digits = (below: Below, isOdd: boolean): Json =>
  isOdd && below(3) === 0 ? oddDigits(below) : String(below(100_000))

/** A number of JSON in all its spellings, and what comes instead of one. */
function fraction(below: Below, isOdd: boolean): Json {
  if (!isOdd || below(3) > 0) return oneOf<Json>(below, below(100), below(1e6) / 1000, 4.143_961 + below(30))
  const odd = [
    '-0',
    '0.5',
    '1e5',
    '1E-7',
    '-1.25',
    '123456789012345678',
    '0.1234567890123456789',
    '1e400',
    '01',
    '1.',
  ]
  return oneOf<Json>(below, 'NaN', 'Infinity', 'x', '1', null, true, new Spelled(oneOf(below, ...odd)))
}

const row = (below: Below, isOdd: boolean): Json => {
  const number = below(9)
  const odd = (value: Json, ...others: Json[]) => (isOdd && below(9) === 0 ? oneOf(below, ...others) : value)
  return {
    campaign: odd(
      {
        resourceName: `customers/1/campaigns/${number}`,
        id: odd(`2202100${number}`, '', 5, null),
        ...(below(9) > 0 && { name: odd(`Sale ${number} 秋`, '', '"\\', '😀', new Spelled('"\\ud800"'), 7) }),
      },
      null,
      'x',
      [],
    ),
    adGroup: { id: String(below(3)) },
    adGroupAd: {
      ad: {
        id: String(number),
        ...(below(2) > 0 && { name: 'Ad' }),
        ...(below(2) > 0 && { type: 'IMAGE_AD' }),
      },
    },
    segments: {
      date: odd(DAYS[1] ?? '', ...DAYS, '2026-10-31', ''),
      device: oneOf(below, 'MOBILE', 'DESKTOP'),
    },
    metrics: odd(
      {
        ...(below(4) > 0 && { impressions: digits(below, isOdd) }),
        costMicros: digits(below, isOdd),
        ...(below(4) > 0 && { conversions: fraction(below, isOdd) }),
        ...(below(4) > 0 && { conversionsValue: fraction(below, isOdd) }),
        ...(below(4) > 0 && { videoQuartileP25Rate: fraction(below, isOdd) }),
        ...(below(4) > 0 && { searchImpressionShare: fraction(below, isOdd) }),
      },
      {},
      null,
      [],
    ),
  }
}

const formatOf = (spec: ColumnSpec): RowFormat => ({
  ...plainFormat(['results'], rows =>
    columnsOf(rows, spec, { starts: new Set(DAYS), first: '2026-11-01', reached: '2026-11-01' }),
  ),
  row,
  response: rows => `{"results":${rows},"nextPageToken":"x","fieldMask":"campaign.id","requestId":"y"}`,
})

const plain = { segments: ['segments.date'], hides_zeros: true, headlines: new Map([['1~2', 'Headline']]) }
const specs: Record<string, ColumnSpec> = {
  'campaigns by device': {
    ...plain,
    dimensions: ['campaign', 'device_type'],
    metrics: ['impressions', 'cost', 'conversions', 'conversion_value'],
  },
  'ads without segments of time': {
    ...plain,
    segments: [],
    dimensions: ['ad'],
    metrics: ['video_p25', 'search_impression_share', 'cost'],
  },
}

describe("Google's rows out of bytes", () => {
  it.each(Object.entries(specs))('are the same as out of parsed JSON: %s', (_, spec) => {
    expectSameRows(formatOf(spec), SEED)
  })

  it('are the way that pages as Google writes them take, and no row of them is parsed', async () => {
    const parse = vi.spyOn(JSON, 'parse')
    const { io } = await serving(page([responseRow(1, '1'), responseRow(1, '2'), responseRow(2, '1')]))
    const rows = await rowsOf(googleAds.fetchReport(request, io))
    const parsed = parse.mock.calls.map(([text]) => text).filter(text => text.includes('segments":'))
    parse.mockRestore()
    expect(rows).toHaveLength(3)
    expect(parsed).toEqual([])
  })
})

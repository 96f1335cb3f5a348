import { describe, expect, it } from 'vitest'
import type { Page } from '#server/connectors/connector.ts'
import { plainPage } from '#server/connectors/testing/pages.ts'
import { textColumn } from '#server/connectors/text-column.ts'
import { rowMerger } from './merge.ts'

/** Rows of a date, a campaign, a keyword, impressions and a Quality Score. */
type Row = readonly [string, string, string, number, number]

const pageOf = (...rows: Row[]): Page => ({
  length: rows.length,
  dates: textColumn(rows.map(([date]) => date)),
  dimensions: [
    { keys: textColumn(rows.map(([, campaign]) => campaign)) },
    { keys: textColumn(rows.map(([, , keyword]) => keyword)) },
  ],
  metrics: [Float64Array.from(rows, row => row[3]), Float64Array.from(rows, row => row[4])],
})

const merge = () => rowMerger(['impressions', 'historical_quality_score'])

describe('rows of Google Ads about the same', () => {
  it('become one for each date: sums, and what all of them say', () => {
    const pages = [
      pageOf(
        ['2026-11-01', '1', 'shoes', 1, 7],
        ['2026-11-01', '1', 'boots', 2, 5],
        ['2026-11-01', '2', 'shoes', 4, 9],
      ),
      pageOf(
        ['2026-11-01', '1', 'shoes', 8, 7],
        ['2026-11-01', '1', 'boots', 16, 6],
        ['2026-11-02', '1', 'shoes', 32, 3],
      ),
    ]
    expect(plainPage(merge()(pages))).toEqual(
      plainPage(
        pageOf(
          ['2026-11-01', '1', 'shoes', 9, 7],
          ['2026-11-01', '1', 'boots', 18, Number.NaN],
          ['2026-11-01', '2', 'shoes', 4, 9],
          ['2026-11-02', '1', 'shoes', 32, 3],
        ),
      ),
    )
  })

  it('are distinguished from those of pages before', () => {
    const own = merge()
    const first = pageOf(['2026-11-01', '1', 'shoes', 1, 7])
    const second = pageOf(['2026-11-02', '1', 'boots', 2, 7], ['2026-11-02', '1', 'shoes', 4, 7])
    expect(own([first])).toBe(first)
    expect(own([second])).toBe(second)
  })
})

import { describe, expect, it } from 'vitest'
import type { Page } from '#server/connectors/connector.ts'
import { pageFrom, plainPage } from '#server/connectors/testing/pages.ts'
import { createMerger, sumOfAll, sumOfKnown } from './merger.ts'

const page = (rows: [date: string, key: string, ...numbers: number[]][]): Page =>
  pageFrom({
    length: rows.length,
    dates: rows.map(([date]) => date),
    dimensions: [{ keys: rows.map(([, key]) => key), labels: rows.map(([, key]) => `name of ${key}`) }],
    metrics: Array.from({ length: (rows[0]?.length ?? 2) - 2 }, (_, at) =>
      Float64Array.from(rows, ([, , ...numbers]) => numbers[at] ?? Number.NaN),
    ),
  })
const numbersOf = ({ metrics }: Page) => metrics.map(column => [...column])

describe('merged rows', () => {
  it('are one where slice and keys are the same, in the order in which they first came', () => {
    const merger = createMerger(1, sumOfAll)
    merger.add(page([['2026-11-01', 'a', 1]]))
    merger.add(
      page([
        ['2026-11-01', 'b', 2],
        ['2026-11-02', 'a', 4],
        ['2026-11-01', 'a', 8],
      ]),
    )
    expect(plainPage(merger.page())).toEqual({
      length: 3,
      dates: ['2026-11-01', '2026-11-01', '2026-11-02'],
      dimensions: [{ keys: ['a', 'b', 'a'], labels: ['name of a', 'name of b', 'name of a'] }],
      metrics: [Float64Array.of(9, 2, 4)],
    })
  })

  it('belong to the slice that their date is in', () => {
    const merger = createMerger(1, sumOfAll)
    const days = page([
      ['2026-11-03', 'a', 1],
      ['2026-11-04', 'a', 2],
    ])
    merger.add(days, { startOf: () => '2026-11-02' })
    expect(plainPage(merger.page())).toMatchObject({
      length: 1,
      dates: ['2026-11-02'],
      metrics: [Float64Array.of(3)],
    })
  })

  it('have the metrics of several requests side by side, and what is left out in one of them', () => {
    const merger = createMerger(2, sumOfAll)
    merger.add(page([['2026-11-01', 'a', 1]]), { columns: [1] })
    merger.add(page([['2026-11-01', 'b', 2]]), { columns: [0] })
    expect(numbersOf(merger.page([0]))).toEqual([
      [0, 2],
      [1, Number.NaN],
    ])
  })

  it('with an unknown number are unknown, or the sum of what is known', () => {
    const rows = page([
      ['2026-11-01', 'a', Number.NaN],
      ['2026-11-01', 'a', 3],
    ])
    const sums = [sumOfAll, sumOfKnown].map(sum => {
      const merger = createMerger(1, sum)
      merger.add(rows)
      return numbersOf(merger.page())
    })
    expect(sums).toEqual([[[Number.NaN]], [[3]]])
  })
})

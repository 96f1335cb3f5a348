import { describe, expect, it } from 'vitest'
import { CsvReader } from '#server/connectors/kit/csv-bytes.ts'
import { quoted } from '#server/connectors/testing/hostile-files.ts'
import { plainPage } from '#server/connectors/testing/pages.ts'
import type { FetchedMetric } from './fields.ts'
import { pagesOf as pagesIn, sideOf, summedPage, type Layout } from './table.ts'

const pagesOf = (rows: readonly (readonly string[])[], layout: Layout) =>
  pagesIn(new CsvReader([Buffer.from(rows.map(row => `${row.map(quoted).join(',')}\n`).join(''))]), layout)

const layout = (...metrics: FetchedMetric[]): Layout => ({
  width: metrics.length + 1,
  startOf: () => '2026-10-01',
  dimensions: [{ key: 0, is_device: true }],
  metrics: metrics.map((metric, index) => ({ metric, at: index + 1 })),
})
const numbersIn = (metric: FetchedMetric, ...cells: string[]) =>
  [
    ...pagesOf(
      cells.map(cell => ['PC', cell]),
      layout(metric),
    ),
  ].flatMap(({ metrics: [column] }) => [...(column ?? [])])

describe('a cell of a Yahoo report', () => {
  it('is read to its last decimal, money in millionths, percentages as shares', () => {
    expect(numbersIn('conversions', '2.5', '0', '18000')).toEqual([2.5, 0, 18_000])
    expect(numbersIn('cost', '5120', '5120.25', '0.1')).toEqual([5_120_000_000, 5_120_250_000, 100_000])
    expect(numbersIn('impression_share', '41.5', '41.5%', '100')).toEqual([0.415, 0.415, 1])
  })

  it('says nothing where the platform does not say a number', () => {
    expect(numbersIn('cross_device_conversions', '', '--')).toEqual([Number.NaN, Number.NaN])
    expect(numbersIn('impression_share', '--', '<10%', '> 90%')).toEqual([Number.NaN, Number.NaN, Number.NaN])
  })

  it.each([
    ['impressions', '1,200'],
    ['impressions', '1e3'],
    ['cost', 'JPY 5'],
    ['cost', ' 5'],
    ['impression_share', 'n/a'],
  ] as const)('ends the fetch as %s %s', (metric, cell) => {
    expect(() => numbersIn(metric, cell)).toThrow(`unreadable answer, ${metric}`)
  })
})

describe('rows of a Yahoo report', () => {
  it('of another width end the fetch', () => {
    expect(() => [...pagesOf([['PC', '1', '2']], layout('clicks'))]).toThrow('3 cells instead of 2')
    expect(() => [...pagesOf([['PC']], layout('clicks'))]).toThrow('1 cells instead of 2')
  })

  it('come in pages, none of them empty', () => {
    const rows = Array.from({ length: 4000 }, (_, at) => ['PC', String(at)])
    expect([...pagesOf(rows, layout('clicks'))].map(({ length }) => length)).toEqual([2000, 2000])
    expect([...pagesOf([], layout('clicks'))]).toEqual([])
  })

  it('that have become one are summed; an unknown number is nothing', () => {
    const rows = [
      ['Mobile', '1', '--'],
      ['PC', '5', '--'],
      ['SmartPhone', '2', '3'],
    ]
    const page = summedPage(pagesOf(rows, layout('clicks', 'cross_device_conversions')))
    expect(page && plainPage(page).dimensions).toEqual([{ keys: ['mobile', 'desktop'] }])
    expect(page?.metrics.map(column => [...column])).toEqual([
      [3, 5],
      [3, Number.NaN],
    ])
    expect(summedPage([])).toBeNull()
  })

  it('of settings keep what all agree on', () => {
    const rows = [
      ['PC', '5', '40'],
      ['PC', '5', '60'],
    ]
    const side = sideOf(pagesOf(rows, layout('quality_index', 'bid')))
    expect([...side.values()]).toEqual([[5, Number.NaN]])
  })

  it('keep the name of a device that is new', () => {
    const [page] = pagesOf([['Game Console', '1']], layout('clicks'))
    expect(page && plainPage(page).dimensions).toEqual([{ keys: ['Game Console'] }])
  })
})

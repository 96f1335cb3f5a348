import { describe, expect, it } from 'vitest'
import { cellsOfTable, serial, tableOf, testPlan } from './table-testing.ts'

const MILLION = 1_000_000

describe('the worked example', () => {
  // parts: Cost, Clicks, Impressions
  const fb = [
    { date: '2026-11-01', metrics: [100.5 * MILLION, 10, 1000] },
    { date: '2026-11-03', metrics: [50.25 * MILLION, 0, 0] },
  ]
  const ga4 = [
    { date: '2026-11-01', metrics: [70] },
    { date: '2026-11-02', metrics: [30] },
  ]
  const [first, second, third] = ['2026-11-01', '2026-11-02', '2026-11-03'].map(serial)
  const cells = (arrangement: 'joined' | 'stacked', fill_zero: boolean) => {
    const blocks = [{ metrics: ['Cost', 'CTR'] }, { label: 'GA4', metrics: ['Sessions'] }]
    return cellsOfTable(tableOf(testPlan({ arrangement, fill_zero, blocks }), [fb, ga4]))
  }

  it('is joined: a row for each day that any block has', () => {
    expect(cells('joined', false)).toEqual([
      ['Date', 'Meta ads Cost', 'Meta ads CTR', 'GA4 Sessions'],
      [first, 100.5, 0.01, 70],
      [second, '', '', 30],
      [third, 50.25, '', ''],
    ])
  })

  it('is joined and filled: the empty cells are 0', () => {
    expect(cells('joined', true)).toEqual([
      ['Date', 'Meta ads Cost', 'Meta ads CTR', 'GA4 Sessions'],
      [first, 100.5, 0.01, 70],
      [second, 0, 0, 30],
      [third, 50.25, 0, 0],
    ])
  })

  it('is stacked: a row for each block and day', () => {
    expect(cells('stacked', false)).toEqual([
      ['Channel', 'Date', 'Cost', 'CTR', 'Sessions'],
      ['Meta ads', first, 100.5, 0.01, ''],
      ['Meta ads', third, 50.25, '', ''],
      ['GA4', first, '', '', 70],
      ['GA4', second, '', '', 30],
    ])
  })

  it('is stacked and filled: every block has every day', () => {
    expect(cells('stacked', true)).toEqual([
      ['Channel', 'Date', 'Cost', 'CTR', 'Sessions'],
      ['Meta ads', first, 100.5, 0.01, 0],
      ['Meta ads', second, 0, 0, 0],
      ['Meta ads', third, 50.25, 0, 0],
      ['GA4', first, 0, 0, 70],
      ['GA4', second, 0, 0, 30],
      ['GA4', third, 0, 0, 0],
    ])
  })
})

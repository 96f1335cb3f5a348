import { describe, expect, it } from 'vitest'
import { readRows } from './paste.ts'
import { parseCells } from './tab-separated.ts'

const UNIT = 1_000_000
const rows = (...lines: string[][]) => lines.map(cells => cells.join('\t')).join('\r\n')

describe('pasted rows', () => {
  it('are read in the order of the columns where no header names them', () => {
    const { lines, hasHeader, unread } = readRows(
      rows(
        ['Facebook', 'Awareness', '2026/11/1', '2026-11-30', '', '', '', 'NT$ 100,000', '15%', 'on top', ''],
        [
          'Google Ads',
          'Search',
          '20261101',
          '2026.11.30',
          'CPM',
          '833,333',
          '120.5',
          '',
          '10',
          '內含',
          'Two',
        ],
      ),
      'TWD',
    )
    expect(hasHeader).toBe(false)
    expect(unread).toBe(0)
    expect(lines).toMatchObject([
      {
        kind: 'fb',
        title: 'Awareness',
        start: '2026-11-01',
        end: '2026-11-30',
        pricing: 'budget',
        budget: 100_000 * UNIT,
        fee_rate: 1500,
        fee_basis: 'on_top',
      },
      {
        kind: 'aw',
        start: '2026-11-01',
        end: '2026-11-30',
        pricing: 'cpm',
        quantity: 833_333,
        unit_price: 120_500_000,
        fee_rate: 1000,
        fee_basis: 'within',
        description: 'Two',
      },
    ])
  })

  it('are read by the names of a header, in either language and any order', () => {
    const { lines, hasHeader, ignored } = readRows(
      rows(
        ['預算', '媒體', 'KPI', '開始日', '結束日期'],
        ['55,555', '自由時報', 'CTR 1%', '2026/12/1', '2026/12/31'],
      ),
      'TWD',
    )
    expect(hasHeader).toBe(true)
    expect(ignored).toEqual(['KPI'])
    expect(lines).toMatchObject([
      {
        kind: 'publisher',
        publisher: '自由時報',
        budget: 55_555 * UNIT,
        start: '2026-12-01',
        end: '2026-12-31',
      },
    ])
  })

  it('keep the text of a cell that cannot be read', () => {
    const { lines, unread } = readRows(
      rows(['fb', 'One', '11/1', '2026-02-30', 'CPA', 'many', 'about 3', '12k', '120%', 'maybe', '']),
      'TWD',
    )
    expect(unread).toBe(8)
    expect(lines[0]).toMatchObject({
      kind: 'fb',
      title: 'One',
      start: '',
      budget: 'invalid',
      quantity: 'invalid',
      unit_price: 'invalid',
      fee_rate: 'invalid',
      unread: { start: '11/1', end: '2026-02-30', pricing: 'CPA', budget: '12k', fee_rate: '120%' },
    })
  })

  it('may not be billed below the step of the currency', () => {
    expect(readRows(rows(['fb', '', '', '', '', '', '', '10.5']), 'TWD').unread).toBe(1)
    expect(readRows(rows(['fb', '', '', '', '', '', '', '10.5']), 'USD').unread).toBe(0)
  })

  it.each([
    ['Meta', 'fb'],
    ['Instagram', 'fb'],
    ['Meta 廣告', 'fb'],
    ['YouTube', 'aw'],
    ['雅虎', 'yg'],
    ['TikTok ads', 'tt'],
    ['LINE', 'ln'],
  ] as const)('name the channel “%s”', (name, kind) => {
    expect(readRows(rows([name, 'A']), 'TWD').lines[0]).toMatchObject({ kind, publisher: '' })
  })

  it.each([
    ['2026-11-01', '2026-11-01'],
    ['2026/1/9', '2026-01-09'],
    ['2026年11月1日', '2026-11-01'],
    ['２０２６-11-01', '2026-11-01'],
    ['11/01/2026', ''],
    ['1 Nov', ''],
    ['2026-13-01', ''],
  ])('have the day “%s” as %s', (text, day) => {
    expect(readRows(rows(['fb', '', text]), 'TWD').lines[0]).toMatchObject({ start: day })
  })

  it('are none where nothing but empty cells was pasted', () => {
    expect(readRows('\t\t\n\n', 'TWD').lines).toEqual([])
  })
})

describe('cells', () => {
  it('may have tabs, quotes and ends of lines in quotes', () => {
    expect(parseCells('a\t"b\n""c"""\td"\ne')).toEqual([['a', 'b\n"c"', 'd"'], ['e']])
  })

  it('that only begin with a quote are as they are', () => {
    expect(parseCells('"15 inch\tb\nc')).toEqual([['"15 inch', 'b'], ['c']])
  })
})

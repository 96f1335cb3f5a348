import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cellName, columnName, parseRect, parseStartCell, rangeOf, rectName } from './cell.ts'

describe('the start cell', () => {
  it.each([
    ['A1', 0, 0],
    [' b2 ', 1, 1],
    ['z9', 8, 25],
    ['AA10', 9, 26],
    ['ZZZ10000000', 9_999_999, 18_277],
  ])('reads %s', (text, row, column) => {
    expect(parseStartCell(text)).toEqual({ row, column })
  })

  it.each(['', '   ', '\t\n'])('requires a cell when there is none (%j)', text => {
    expect(parseStartCell(text)).toBe('start_cell_not_set')
  })

  it.each([
    'A0',
    'A01',
    '1A',
    '1',
    'A',
    'AAAA1',
    '$A$1',
    'A1:B2',
    'Tab!A1',
    "'Tab'!A1",
    'A10000001',
    'A99999999',
    'A100000000',
    'Ａ１',
    'A１',
    'ſ1',
    'ı1',
    'A-1',
    'A1.5',
    'A 1',
    'R1C1',
    '=A1',
    'A1\u0000',
    'А1',
  ])('refuses %j', text => {
    expect(parseStartCell(text)).toBe('start_cell_format')
  })

  it('reads back every cell that it names', () => {
    fc.assert(
      fc.property(fc.nat(9_999_999), fc.nat(18_277), (row, column) => {
        expect(parseStartCell(cellName({ row, column }))).toEqual({ row, column })
      }),
    )
  })

  it('never throws and never leaves the grid, whatever is typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 12 }), text => {
        const cell = parseStartCell(text)
        if (typeof cell === 'string') return
        expect(cell.row).toBeLessThan(10_000_000)
        expect(cell.column).toBeLessThan(18_278)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('ranges', () => {
  it('names columns as spreadsheets do', () => {
    expect([0, 25, 26, 51, 52, 701, 702, 18_277].map(columnName)).toEqual([
      'A',
      'Z',
      'AA',
      'AZ',
      'BA',
      'ZZ',
      'AAA',
      'ZZZ',
    ])
  })

  it('quotes every title', () => {
    expect(rangeOf("It's a: tab/é!", [0, 0, 2, 2])).toBe("'It''s a: tab/é!'!A1:B2")
    expect(rangeOf('CO2', [4, 1, 5, 2])).toBe("'CO2'!B5:B5")
    expect(rectName([0, 0, 101, 12])).toBe('A1:L101')
  })
})

describe('the name of a range', () => {
  it.each([
    ['A1:C10', [0, 0, 10, 3]],
    ['c10:a1', [0, 0, 10, 3]],
    [' B2 ', [1, 1, 2, 2]],
    ['A1:B2:C3', null],
    ['A:C', null],
    ['', null],
  ])('%j is %j', (text, rect) => {
    expect(parseRect(text)).toEqual(rect)
  })
})

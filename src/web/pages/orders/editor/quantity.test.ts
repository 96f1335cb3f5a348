import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseQuantity } from './quantity.ts'
import { parseCells } from './tab-separated.ts'

describe('a quantity', () => {
  it.each([
    ['833333', 833_333],
    ['833,333', 833_333],
    [' 1,000,000 ', 1_000_000],
    ['８３３', 833],
    ['12.0', 12],
    ['0', 0],
    ['', null],
    ['1000000000000', 1_000_000_000_000],
  ])('may be written as “%s”', (text, quantity) => {
    expect(parseQuantity(text)).toBe(quantity)
  })

  it.each(['many', '12.5', '-1', '1,00', '83,3333', '1e6', '1000000000001', '12k', ','])(
    'is not “%s”',
    text => {
      expect(parseQuantity(text)).toBe('invalid')
    },
  )

  it('is read back as it is shown, in both languages', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000_000_000 }), quantity => {
        for (const language of ['en', 'zh-TW'])
          expect(parseQuantity(quantity.toLocaleString(language))).toBe(quantity)
      }),
    )
  })
})

describe('the cells of a spreadsheet', () => {
  /** As spreadsheets write them: quoted where a cell has something that separates. */
  const copied = (rows: string[][]) =>
    rows
      .map(cells =>
        cells.map(cell => (/[\t\n"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join('\t'),
      )
      .join('\r\n')

  it('are read as they were copied, whatever is in them', () => {
    const letter = fc.constantFrom('a', '中', '1', ',', '"', '\n', '\t', '%', '$')
    const cell = fc.array(letter, { maxLength: 6 }).map(letters => letters.join('').trim())
    const row = fc.array(cell, { minLength: 2, maxLength: 5 })
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 4 }), rows => {
        expect(parseCells(copied(rows))).toEqual(rows)
      }),
    )
  })

  it.each([
    ['a\tb', [['a', 'b']]],
    ['a\r\nb', [['a'], ['b']]],
    ['a\t\tc', [['a', '', 'c']]],
    ['"a\nb"\tc', [['a\nb', 'c']]],
    ['"a ""b"""', [['a "b"']]],
    ['15" screen\tb', [['15" screen', 'b']]],
    ['"open\tb', [['"open', 'b']]],
    ['', [['']]],
  ])('of %j', (text, rows) => {
    expect(parseCells(text)).toEqual(rows)
  })
})

import { describe, expect, it } from 'vitest'
import { randomOf } from '#server/testing/random.ts'
import { csvRows } from '#server/connectors/kit/csv.ts'
import { csvLine, csvText, textOfCell } from './csv-cell.ts'
import { csvLines } from '#server/resources/sheets/export.ts'

const STRINGS = process.env['LONG'] ? 50_000 : 3000

describe('a text in a CSV file', () => {
  it.each([
    ['plain', 'plain'],
    ['名稱', '名稱'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['A;B', '"A;B"'],
    ['5-6', '5-6'],
    ['=1+1', "'=1+1"],
    ['\u00a0=1', "'\u00a0=1"],
    ['\u200b=1', "'\u200b=1"],
    ['＝1', "'＝1"],
    [';=1', `";'=1"`],
    ['|=1', `"|'=1"`],
    ['x;=1', `"x;'=1"`],
    ['x; "@SUM(A1)', `"x;' ""@SUM(A1)"`],
    ['x\n-1+cmd', `"x\n'-1+cmd"`],
    ['Sale|-50%', `"Sale|'-50%"`],
  ])('%j is written %s', (text, written) => {
    expect(csvText(text)).toBe(written)
    const [[cell = ''] = []] = csvRows(written)
    expect(textOfCell(cell)).toBe(text)
  })

  it('keeps a number first in a line unless it could be calculated with what follows', () => {
    expect(csvLines([['-5', 'a', '-1,234']])).toBe('-5,a,"-1,234"\r\n')
    expect(csvLine(['-5', csvText("x|'/C calc'!A0")])).toMatch(/^'-5/)
  })

  it(`is unchanged when read back, except for apostrophes, and begins no formula with any separator (${STRINGS} texts)`, () => {
    const random = randomOf(20_261_123)
    const faults: unknown[] = []
    for (let rest = STRINGS; rest > 0; rest -= 4) {
      const row = Array.from({ length: 4 }, () => textOf(random))
      for (const file of [csvLine(row.map(csvText)), csvLines([row])]) {
        const [read = []] = cellsOf(file, ',')
        // The reader returns texts as they were; at most an apostrophe may have been added.
        if (read.map(bare).join('\u0001') !== row.map(bare).join('\u0001')) faults.push({ row, file, read })
        for (const separator of [',', ';', '|', '\t'])
          for (const cell of cellsOf(file, separator).flat())
            if (beginsFormula(cell)) faults.push({ row, file, separator, cell })
      }
    }
    expect(faults.slice(0, 5)).toEqual([])
  })
})

const bare = (text: string) => text.replaceAll("'", '')

/** A number alone is no formula; with commas after it, it is one when there is something to be calculated. */
function beginsFormula(cell: string): boolean {
  if (!/^["\s\p{Cf}\p{Cc}]*[=+\-@＝＋－＠]/u.test(cell)) return false
  return !/^[+-]?\p{Sc}?\d/u.test(cell) || /[(|![]/.test(cell)
}

/** As spreadsheet programs read: a quote counts at the beginning of a cell alone. */
function cellsOf(file: string, separator: string): string[][] {
  const rows: string[][] = [[]]
  let at = 0
  while (at < file.length) {
    let cell = ''
    if (file[at] === '"') {
      for (at += 1; at < file.length; at += 1) {
        if (file[at] !== '"') cell += file[at]
        else if (file[at + 1] === '"') cell += file[(at += 1)]
        else break
      }
      at += 1
    }
    while (at < file.length && file[at] !== separator && file[at] !== '\n' && file[at] !== '\r')
      cell += file[at++]
    rows.at(-1)?.push(cell)
    if (file[at] === separator) at += 1
    else {
      while (file[at] === '\r' || file[at] === '\n') at += 1
      if (at < file.length) rows.push([])
    }
  }
  return rows
}

const PIECES = [
  '=',
  '+',
  '-',
  '@',
  '＝',
  '＋',
  '－',
  '＠',
  ';',
  '|',
  ',',
  '	',
  '\n',
  '\r',
  '\r\n',
  '"',
  '""',
  "'",
  ' ',
  '\xA0',
  '​',
  '﻿',
  '‮',
  '\x07',
  '　',
  'cmd',
  "|'/C calc'!A0",
  'SUM(A1)',
  '1',
  '-5',
  'HYPERLINK("http://evil.example")',
  '%',
  '名',
  '€',
  '$5',
]

function textOf(random: () => number): string {
  const length = 1 + Math.floor(random() * 5)
  return Array.from({ length }, () => PIECES[Math.floor(random() * PIECES.length)] ?? '').join('')
}

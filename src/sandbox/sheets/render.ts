import type { Book, Sheet } from './book.ts'
import type { Cells } from './cells.ts'
import { openEvaluator } from './formula.ts'
import type { Evaluate } from './formula.ts'
import type { Result } from './formula-values.ts'
import { formatNumber, isDateFormat, plain } from './format.ts'
import { FORMULA, getCell, getFormat } from './tile.ts'
import type { Tile } from './tile.ts'

export type ValueOption = 'FORMATTED_VALUE' | 'UNFORMATTED_VALUE' | 'FORMULA'
export type DateOption = 'SERIAL_NUMBER' | 'FORMATTED_STRING'

/** The value of one cell in a response. */
export type Render = (
  tile: Tile,
  position: number,
  at: { sheet: Sheet; row: number; column: number },
) => string | number | boolean

/** The options with which the values of a book are returned. */
export function openRender(
  book: Book,
  cells: Cells,
  options: { value: ValueOption; date: DateOption },
): Render {
  const evaluate = openEvaluator(book, cells)
  return (tile, position, at) => {
    if (options.value === 'FORMULA' && tile.kinds[position] === FORMULA) {
      const cell = getCell(tile, position)
      return typeof cell === 'object' && cell ? cell.formula : ''
    }
    const value = valueOf(tile, position, at, evaluate)
    const number_format = book.formats[getFormat(tile, position)]?.numberFormat
    if (options.value === 'FORMATTED_VALUE') return display(value, number_format, book.locale)
    if (value === null) return ''
    if (typeof value === 'object') return value.error
    if (typeof value === 'number' && options.date === 'FORMATTED_STRING' && isDateFormat(number_format)) {
      return display(value, number_format, book.locale)
    }
    return value
  }
}

/** The value of a cell, that of a formula calculated. */
export function valueOf(
  tile: Tile,
  position: number,
  { sheet, row, column }: { sheet: Sheet; row: number; column: number },
  evaluate: Evaluate,
): Result {
  return tile.kinds[position] === FORMULA ? evaluate(sheet, row, column) : asResult(getCell(tile, position))
}

const asResult = (cell: ReturnType<typeof getCell>): Result => (typeof cell === 'object' ? null : cell)

/** A value as the sheet shows it. */
export function display(value: Result, format: Parameters<typeof formatNumber>[1], locale: string): string {
  if (value === null) return ''
  if (typeof value === 'number') return format ? formatNumber(value, format, locale) : plain(value)
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  return typeof value === 'string' ? value : value.error
}

import type { SheetValues } from '#shared/api/sheets.ts'
import type { CellResponse, CellsResponse } from './schema.ts'

/** The cells of a range as the grid draws them. */
export function valuesOf({ sheets: [{ data }] }: CellsResponse): SheetValues {
  const rows = data[0].rowData.map(({ values }) => values)
  return {
    values: trimmed(rows.map(row => trimmed(row.map(cell => cell.formattedValue)))),
    looks: trimmed(rows.map(row => row.map(lookOf).join('').replace(/0+$/, ''))),
  }
}

const [RIGHT, CENTER, BOLD, ITALIC] = [1, 2, 4, 8]

/** A hexadecimal digit, as SheetValues says. */
function lookOf(cell: CellResponse): string {
  const { bold = false, italic = false } = cell.userEnteredFormat.textFormat ?? {}
  return (alignmentOf(cell) + (bold ? BOLD : 0) + (italic ? ITALIC : 0)).toString(16)
}

/** By what a cell is, not by what it looks like: the text "123" is left-aligned, as every text. */
function alignmentOf({ userEnteredFormat, effectiveValue }: CellResponse): number {
  switch (userEnteredFormat.horizontalAlignment) {
    case 'LEFT':
      return 0
    case 'CENTER':
      return CENTER
    case 'RIGHT':
      return RIGHT
    default:
      if (effectiveValue.numberValue !== undefined) return RIGHT
      return effectiveValue.boolValue !== undefined || effectiveValue.errorValue ? CENTER : 0
  }
}

/** Without what is empty at its end. */
function trimmed<T extends string | string[]>(list: T[]): T[] {
  const last = list.findLastIndex(({ length }) => length > 0)
  return list.slice(0, last + 1)
}

import type { sheets_v4 } from '@googleapis/sheets'
import type { Book, Sheet } from './book.ts'
import type { Cells } from './cells.ts'
import { wants } from './fields-mask.ts'
import type { Mask } from './fields-mask.ts'
import { openEvaluator } from './formula.ts'
import type { Evaluate } from './formula.ts'
import type { Result } from './formula-values.ts'
import { eachCell, readExisting } from './grid.ts'
import type { Rect } from './rect.ts'
import { display, valueOf } from './render.ts'
import { EMPTY, getCell, getFormat } from './tile.ts'
import type { Cell, Tile } from './tile.ts'
import { viewDimensions } from './view.ts'

/** Cells of an area as GridData; rows end at their last cell that has anything. */
export function gridData(
  { book, cells }: { book: Book; cells: Cells },
  { sheet, rect }: { sheet: Sheet; rect: Rect },
  mask: Mask | null,
): sheets_v4.Schema$GridData {
  const rows: sheets_v4.Schema$RowData[] = []
  const evaluate = openEvaluator(book, cells)
  if (wants(mask, 'sheets', 'data', 'rowData')) {
    readExisting(cells, { sheet, rect }, (tile, part) => {
      eachCell(part, (position, row, column) => {
        const data = cellData(book, tile, position, { sheet, row, column, evaluate })
        if (!data) return
        while (rows.length <= row - rect.r0) rows.push({})
        const values = ((rows[row - rect.r0] ??= {}).values ??= [])
        while (values.length < column - rect.c0) values.push({})
        values[column - rect.c0] = data
      })
    })
  }
  return {
    ...(rect.r0 > 0 && { startRow: rect.r0 }),
    ...(rect.c0 > 0 && { startColumn: rect.c0 }),
    ...(rows.length > 0 && { rowData: rows }),
    ...(wants(mask, 'sheets', 'data', 'rowMetadata') && {
      rowMetadata: viewDimensions(book, sheet, {
        looks: sheet.row_looks,
        type: 'ROW',
        start: rect.r0,
        end: rect.r1,
      }),
    }),
    ...(wants(mask, 'sheets', 'data', 'columnMetadata') && {
      columnMetadata: viewDimensions(book, sheet, {
        looks: sheet.column_looks,
        type: 'COLUMN',
        start: rect.c0,
        end: rect.c1,
      }),
    }),
  }
}

function cellData(
  book: Book,
  tile: Tile,
  position: number,
  { evaluate, ...at }: { sheet: Sheet; row: number; column: number; evaluate: Evaluate },
): sheets_v4.Schema$CellData | null {
  const format = getFormat(tile, position)
  const extra = tile.extras.get(position)
  const hasValue = tile.kinds[position] !== EMPTY
  if (!hasValue && format === 0 && !extra) return null
  const cellFormat = book.formats[format]
  const value = hasValue ? valueOf(tile, position, at, evaluate) : null
  return {
    ...(hasValue && {
      userEnteredValue: entered(getCell(tile, position)),
      effectiveValue: effective(value),
      formattedValue: display(value, cellFormat?.numberFormat, book.locale),
    }),
    ...(format > 0 && cellFormat && { userEnteredFormat: cellFormat, effectiveFormat: cellFormat }),
    ...extra,
  }
}

function entered(cell: Cell): sheets_v4.Schema$ExtendedValue {
  if (cell !== null && typeof cell === 'object') return { formulaValue: cell.formula }
  return effective(cell)
}

function effective(value: Result): sheets_v4.Schema$ExtendedValue {
  if (typeof value === 'number') return { numberValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'string') return { stringValue: value }
  return value === null ? {} : { errorValue: { type: errorType(value.error), message: value.error } }
}

const errorType = (error: string) =>
  error.replace(/[#!?]/g, '').replace('DIV/0', 'DIVIDE_BY_ZERO').replace('N/A', 'N_A')

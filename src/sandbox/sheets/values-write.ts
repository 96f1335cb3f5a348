import type { sheets_v4 } from '@googleapis/sheets'
import { exceedsGrid, parseRange, printRange, columnName, quoteTitle, printCells } from './a1.ts'
import type { Target } from './a1.ts'
import { refuseProtected } from './access.ts'
import type { Sheet } from './book.ts'
import { badRequest, invalid } from './errors.ts'
import { clearValues, editAll, eachCell, gridOf, writeRows } from './grid.ts'
import { readInput } from './input.ts'
import { intersect, sameRect } from './rect.ts'
import type { Rect } from './rect.ts'
import { getFormat, setFormat } from './tile.ts'
import type { Cell } from './tile.ts'
import { refuseLongText } from './work.ts'
import type { Work } from './work.ts'

export type InputOption = 'RAW' | 'USER_ENTERED'

export interface Update {
  sheet: Sheet
  /** What was written; of no size when nothing was. */
  rect: Rect
  reply: sheets_v4.Schema$UpdateValuesResponse
}

/** `values.update`: write the values at the range. */
export function updateValues(
  work: Work,
  { range, body }: { range: string; body: sheets_v4.Schema$ValueRange },
  option: InputOption,
): Update {
  const target = parseRange(range, work.book)
  if (body.range && !sameTarget(target, parseRange(body.range, work.book))) {
    throw invalid(`Request range[${range}] does not match value's range[${body.range}]`)
  }
  return putValues(work, target, { rows: readRows(body), option })
}

/** Rows of the body, transposed when they came as columns. */
export function readRows({ values, majorDimension }: sheets_v4.Schema$ValueRange): unknown[][] {
  const rows: unknown[][] = []
  for (const [i, row] of (values ?? []).entries()) {
    if (!Array.isArray(row)) {
      const description = `Invalid value at 'data.values[${i}]' (type.googleapis.com/google.protobuf.ListValue), ${JSON.stringify(row)}`
      throw badRequest([{ field: `data.values[${i}]`, description }])
    }
    rows.push(row)
  }
  return majorDimension === 'COLUMNS' ? transpose(rows) : rows
}

/** Write rows whose corner is the target's; bounded targets take no more than they have room for. */
export function putValues(
  work: Work,
  { sheet, rect, anchor }: Target,
  { rows, option }: { rows: unknown[][]; option: InputOption },
): Update {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const corner = { row: rect.r0, column: rect.c0 }
  const area = { r0: corner.row, c0: corner.column, r1: corner.row + rows.length, c1: corner.column + width }
  if (!anchor) refuseOverflow(sheet, rect, rows)
  const grid = gridOf(sheet)
  if (!anchor && (rect.r1 > grid.r1 || rect.c1 > grid.c1)) throw exceedsGrid(sheet, rect)
  if (corner.row >= grid.r1 || corner.column >= grid.c1 || area.r1 > grid.r1 || area.c1 > grid.c1) {
    throw exceedsGrid(sheet, {
      ...area,
      r1: Math.max(area.r1, area.r0 + 1),
      c1: Math.max(area.c1, area.c0 + 1),
    })
  }
  const inputs = rows.map((row, r) =>
    row.map((value, c) => readValue(value, { option, locale: work.book.locale, r, c })),
  )
  if (rows.length > 0 && width > 0) {
    refuseProtected(work, sheet, area)
    writeRows(
      work.cells,
      { sheet, ...corner },
      inputs.map(row => row.map(input => input?.cell)),
    )
    if (option === 'USER_ENTERED') putFormats(work, { sheet, area }, inputs)
  }
  return { sheet, rect: area, reply: replyFor(work, { sheet, area }, inputs) }
}

/** `values.clear`: empty the cells, leave their formats. Returns the range as Google echoes it. */
export function clearRange(work: Work, range: string): string {
  const { sheet, rect } = parseRange(range, work.book)
  const inside = intersect(rect, gridOf(sheet))
  if (!inside) throw exceedsGrid(sheet, rect)
  refuseProtected(work, sheet, inside)
  clearValues(work.cells, { sheet, rect: inside })
  return printRange(sheet, inside)
}

const sameTarget = (a: Target, b: Target) => a.sheet === b.sheet && sameRect(a.rect, b.rect)

function refuseOverflow(sheet: Sheet, rect: Rect, rows: unknown[][]) {
  const range = `${quoteTitle(sheet.title)}!${printCells(rect)}`
  const room = { rows: rect.r1 - rect.r0, columns: rect.c1 - rect.c0 }
  if (rows.length > room.rows) {
    throw invalid(`Requested writing within range [${range}], but tried writing to row [${rect.r1 + 1}]`)
  }
  if (rows.some(row => row.length > room.columns)) {
    throw invalid(
      `Requested writing within range [${range}], but tried writing to column [${columnName(rect.c1)}]`,
    )
  }
}

interface Input {
  cell: Cell
  number_format?: sheets_v4.Schema$NumberFormat
}

/** What a JSON value means; undefined for null, which leaves the cell as it is. */
function readValue(
  value: unknown,
  { option, locale, r, c }: { option: InputOption; locale: string; r: number; c: number },
): Input | undefined {
  if (value === null || value === undefined) return undefined
  if (typeof value === 'number' && Number.isFinite(value)) return { cell: value }
  if (typeof value === 'boolean') return { cell: value }
  if (typeof value === 'string') {
    refuseLongText(value)
    return option === 'RAW' ? { cell: value } : readInput(value, locale)
  }
  throw invalid(`Invalid values[${r}][${c}]: ${Array.isArray(value) ? 'list_value' : 'struct_value'} {\n}\n`)
}

interface TabArea {
  sheet: Sheet
  area: Rect
}

/** Typing a date or an amount gives the cell a number format, unless it has one already. */
function putFormats({ cells, formats }: Work, { sheet, area }: TabArea, inputs: (Input | undefined)[][]) {
  if (!inputs.some(row => row.some(input => input?.number_format))) return
  editAll(cells, { sheet, rect: area }, (tile, part) => {
    eachCell(part, (position, row, column) => {
      const numberFormat = inputs[row - area.r0]?.[column - area.c0]?.number_format
      const format = formats.get(getFormat(tile, position))
      if (numberFormat && !format.numberFormat)
        setFormat(tile, position, formats.numberOf({ ...format, numberFormat }))
    })
  })
}

function replyFor({ book }: Work, { sheet, area }: TabArea, inputs: (Input | undefined)[][]) {
  const rows = inputs.filter(row => row.some(Boolean)).length
  const columns = new Set(inputs.flatMap(row => (row.length > 0 ? [row.length] : [])))
  const touched = Math.max(0, ...columns)
  let cells = 0
  for (const row of inputs) for (const input of row) if (input) cells++
  const echoed = { ...area, r1: Math.max(area.r1, area.r0 + 1), c1: Math.max(area.c1, area.c0 + 1) }
  return {
    spreadsheetId: book.id,
    updatedRange: printRange(sheet, echoed),
    ...(cells > 0 && { updatedRows: rows, updatedColumns: touched, updatedCells: cells }),
  }
}

function transpose(columns: unknown[][]): unknown[][] {
  const height = columns.reduce((most, column) => Math.max(most, column.length), 0)
  // null leaves a cell alone, which is what a missing entry of a short column means.
  return Array.from({ length: height }, (_, r) => columns.map(column => column[r] ?? null))
}

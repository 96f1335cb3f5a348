import type { TargetSheet } from '#shared/api/targets.ts'
import { parseStartCell, rangeOf, type Rect } from '#shared/cell.ts'
import { filledRects } from './filled-rects.ts'
import { SheetsFailure } from './failure.ts'
import { openReader, writableTabs, type PermissionEffects } from './check-permission.ts'
import { protectionOver } from './plan.ts'
import { readStructure } from './structure.ts'
import { namedRangesOf } from './target.ts'
import { rectOf, type SheetResponse, type SpreadsheetResponse } from './schema.ts'

/**
 * Reads a sheet with two requests at most: its structure, and which of its cells are filled. Only a part of
 * the cells is read, and their content is not kept. Throws SheetsFailure.
 */
export async function readTargetContent(
  spreadsheet_id: string,
  { sheet_name, start_cell }: { sheet_name: string; start_cell: string },
  effects: PermissionEffects,
): Promise<Omit<TargetSheet, 'tables' | 'own'>> {
  const read = openReader(spreadsheet_id, effects)
  const response = await readStructure(read, effects, { fresh: false })
  const sheet = writableTabs(response.sheets).find(tab => tab.properties.title === sheet_name)
  if (!sheet) throw new SheetsFailure('sheet_name_mismatch')
  const looked_at = partOf(sheet, start_cell)
  // The service misreads ranges of tabs with a colon in their title.
  const largest = largestOthers(response, sheet).filter(({ properties }) => !properties.title.includes(':'))
  const ranges = [rangeOf(sheet_name, looked_at), ...largest.map(topOf)]
  const [cells = [], ...tops] = sheet_name.includes(':')
    ? []
    : await read('header', () => effects.client.getManyValues(spreadsheet_id, ranges, effects.signal))
  return {
    ...layoutOf(response, sheet),
    looked_at,
    content: filledRects(cells, looked_at),
    tabs: writableTabs(response.sheets).map(({ properties: { sheetId, title, gridProperties } }) => ({
      sheet_id: sheetId,
      title,
      rows: gridProperties.rowCount,
      columns: gridProperties.columnCount,
      used_columns: usedColumns(tops[largest.findIndex(each => each.properties.sheetId === sheetId)]),
    })),
  }
}

type Cells = readonly (readonly unknown[])[]

/** So much of a sheet is read at most: a thousand rows of a wide sheet are a response of about a megabyte. */
const ROWS = 1000
const COLUMNS = 100

/** The sheet's beginning, or what is around the start cell where that is further away. */
function partOf({ properties }: SheetResponse, start_cell: string): Rect {
  const { rowCount, columnCount } = properties.gridProperties
  const cell = parseStartCell(start_cell)
  const { row, column } = typeof cell === 'string' ? { row: 0, column: 0 } : cell
  const from = (at: number, most: number, grid: number) =>
    at < most / 2 ? 0 : Math.max(0, Math.min(at - most / 4, grid - 1))
  const r0 = from(row, ROWS, rowCount)
  const c0 = from(column, COLUMNS, columnCount)
  return [r0, c0, Math.min(r0 + ROWS, rowCount), Math.min(c0 + COLUMNS, columnCount)]
}

function layoutOf(response: SpreadsheetResponse, sheet: SheetResponse) {
  const { sheetId, gridProperties } = sheet.properties
  const { rowCount: rows, columnCount: columns } = gridProperties
  const named = namedRangesOf(response, sheet)
  return {
    sheet_id: sheetId,
    rows,
    columns,
    named_ranges: named.map(({ name, rect }) => ({ name, rect })),
    protected_ranges: sheet.protectedRanges
      .map(range => ({ range, rect: rectOf(range.range, rows, columns) }))
      // By the rule of a run: ranges that the system user may not write to, without their exceptions.
      .filter(({ range, rect }) =>
        protectionOver({ sheet: { ...sheet, protectedRanges: [range] }, rows, columns }, rect),
      )
      .map(({ range, rect }) => ({
        description: range.description,
        named_range: named.find(({ id }) => id === range.namedRangeId)?.name ?? null,
        rect,
      })),
  }
}

const LARGE_CELLS = 100_000
const LARGEST = 3
const TOP_ROWS = 200

/** Sheets that might be made smaller: the width of their first rows is read. */
const largestOthers = ({ sheets }: SpreadsheetResponse, target: SheetResponse) =>
  writableTabs(sheets)
    .filter(tab => tab !== target && cellsOf(tab) > LARGE_CELLS)
    .toSorted((a, b) => cellsOf(b) - cellsOf(a))
    .slice(0, LARGEST)

const cellsOf = ({ properties: { gridProperties } }: SheetResponse) =>
  gridProperties.rowCount * gridProperties.columnCount

const topOf = ({ properties: { title, gridProperties } }: SheetResponse) =>
  rangeOf(title, [0, 0, Math.min(TOP_ROWS, gridProperties.rowCount), gridProperties.columnCount])

/** The service leaves out empty cells at the end of a row. */
const usedColumns = (cells: Cells | undefined) =>
  cells ? cells.reduce((most, row) => Math.max(most, row.length), 0) : null

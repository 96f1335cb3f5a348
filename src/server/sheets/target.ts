import { createHash } from 'node:crypto'
import { rangeOf, type Rect } from '#shared/cell.ts'
import { cellsIn, covers, intersection, isEmpty } from '#shared/rect.ts'
import { SheetsFailure } from './failure.ts'
import { rectOf, TabState, type SheetResponse, type SpreadsheetResponse } from './schema.ts'
import type { Work } from './work.ts'

/** The tab that is written to, as it was last read. */
export interface Target {
  sheet: SheetResponse
  sheet_id: number
  title: string
  rows: number
  columns: number
  /** The entries of this report's runs in the tab, the latest first. */
  entries: Entry[]
  /**
   * The table of the last run: more than one candidate when a run was interrupted between two visible steps.
   */
  old: OldTable[]
  /** The grids of all tabs together and our own leftover staging tabs; null when only this tab was read. */
  file: { cells: number; leftovers: { sheet_id: number; cells: number }[]; sheet_ids: Set<number> } | null
  named_ranges: NamedRange[]
  /** Rows of the tab whose cells were read along, and their notes where the report has or had one. */
  read_along: Rect[]
}

/** A named range of the tab. */
export interface NamedRange {
  id: string
  name: string
  rect: Rect
}

export interface Entry {
  metadata_id: number
  state: TabState
}

export interface OldTable {
  rect: Rect
  head: string
  /** How its columns were formatted; null when that is not known. */
  fmt: string | null
  /** The cell of the report's note, and the hash of its text. */
  note: { cell: Rect; hash: string } | null
}

export const metadataKey = (report_id: number) => `sheetcast.report.${report_id}`
export const STAGE_PREFIX = '__sheetcast_stage_'
export const stageTitle = (report_id: number, attempt: number) => `${STAGE_PREFIX}${report_id}_${attempt}`

const SHEET =
  'properties(sheetId,title,sheetType,hidden,gridProperties),protectedRanges,merges,developerMetadata,tables'
const STRUCTURE = `spreadsheetId,properties.title,namedRanges,sheets(${SHEET})`
const withCells = (members: string) =>
  `spreadsheetId,properties.title,namedRanges,sheets(${SHEET},data(startRow,startColumn,rowData.${members}))`
const STRUCTURE_AND_HEADER = withCells('values.userEnteredValue')
const STRUCTURE_AND_NOTES = withCells('values(userEnteredValue,note)')

/**
 * Reads what must be known before the first write. When the last table in the database was larger, its header
 * is read along, which returns only this tab; the table is smaller then, so that the other tabs' sizes do not
 * matter. Notes are read along in the same way; whether there is space for a table that grows is left to the
 * service then. `stage`: the title of a staging tab, which is read too.
 */
export async function readTarget(
  work: Work,
  { whole_file = false, stage = null }: { whole_file?: boolean; stage?: string | null } = {},
): Promise<Target> {
  const read_along = whole_file ? [] : rowsToReadAlong(work, { is_staged: stage !== null })
  if (read_along.length === 0)
    return interpret(work, await readTargetStructure(work, []), { read_along, has_file: true })
  try {
    const ranges = read_along.map(row => rangeOf(work.sheet_name, row))
    const stageRanges = stage === null ? [] : [rangeOf(stage, [0, 0, 1, 1])]
    const response = await readTargetStructure(work, [...ranges, ...stageRanges])
    // Beside a staging tab the space was counted before.
    const target = interpret(work, response, { read_along, has_file: stage !== null })
    return growsBeyond(target, work.rect) && !readsNotes(work)
      ? await readTarget(work, { whole_file: true })
      : target
  } catch (error) {
    // The tab may have another name now, or its grid may have shrunk: without the range, the response says
    // which.
    if (error instanceof SheetsFailure && error.why === 'stale_plan')
      return readTarget(work, { whole_file: true })
    throw error
  }
}

export const growsBeyond = (target: Target, rect: Rect) => rect[2] > target.rows || rect[3] > target.columns

/** Whether this run's table is in the tab already. */
export const isWritten = (target: Target, run_id: string) =>
  target.entries.some(({ state }) => state.run === run_id && state.was === undefined)

/**
 * Whether the header of an old table is still the one that was written there: else the user has moved or
 * replaced it.
 */
export async function hasItsHeader(work: Work, target: Target, old: OldTable): Promise<boolean> {
  const header: Rect = [old.rect[0], old.rect[1], old.rect[0] + 1, old.rect[3]]
  if (!covers([0, 0, target.rows, target.columns], header)) return false
  const cells = headerIn(target, header) ?? (await readHeader(work, target.title, header))
  return headerHash(cells) === old.head
}

/** A short hash of a header's texts. */
export const headerHash = (titles: string[]) => hashOf(JSON.stringify(titles))

/** The same of a note, whose blanks at the ends and whose line ends the service may have changed. */
export const noteHash = (note: string) => hashOf(note.replaceAll('\r\n', '\n').trim())

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 16)

/** Whether the report has or had a note: of any other, requests are as if there were none. */
export const readsNotes = ({ table, previous }: Work) => (table.note ?? previous?.note ?? null) !== null

/**
 * The header of the last table, and the start cell for its note. Empty: the whole file is read, without
 * cells.
 */
function rowsToReadAlong(work: Work, { is_staged }: { is_staged: boolean }): Rect[] {
  const { previous, sheet_id, rect, attempt, sheet_name, limits } = work
  const last = previous?.sheet_id === sheet_id ? previous.rect : null
  // A colon in a title makes the service misread ranges.
  if (sheet_name.includes(':')) return []
  // A later attempt must find the staging tabs of earlier ones.
  if (!readsNotes(work)) return last && attempt === 1 && !covers(rect, last) ? [headerOf(last)] : []
  // Large tables have them.
  const isLarge = Math.max(cellsIn(rect), last ? cellsIn(last) : 0) > limits.small_cells
  if (isLarge && !is_staged) return []
  const rows = last ? [headerOf(last)] : []
  return rows.some(row => beginsAt(row, rect)) ? rows : [...rows, startOf(rect)]
}

const headerOf = ([r0, c0, , c1]: Rect): Rect => [r0, c0, r0 + 1, c1]
export const startOf = ([r0, c0]: Rect): Rect => [r0, c0, r0 + 1, c0 + 1]
export const beginsAt = (rect: Rect, [row, column]: Rect) => rect[0] === row && rect[1] === column

function readTargetStructure(work: Work, ranges: string[]) {
  const { requests, client, spreadsheet_id, limits, signal } = work
  const fields = readsNotes(work) ? STRUCTURE_AND_NOTES : STRUCTURE_AND_HEADER
  const query = ranges.length > 0 ? { fields, ranges } : { fields: STRUCTURE }
  return requests.repeatable('structure', { kind: 'read', ...limits }, () =>
    client.getSpreadsheet(spreadsheet_id, query, signal),
  )
}

async function readHeader(work: Work, title: string, header: Rect): Promise<string[]> {
  const values = await work.requests.repeatable('header', { kind: 'read', ...work.limits }, () =>
    work.client.getValues(work.spreadsheet_id, rangeOf(title, header), work.signal),
  )
  return padded((values[0] ?? []).map(String), header)
}

function headerIn({ sheet, read_along }: Target, header: Rect): string[] | null {
  if (!read_along.some(row => beginsAt(row, header) && covers(row, header))) return null
  const cells = cellsFrom(sheet, header).map(({ userEnteredValue: value }) =>
    String(value?.stringValue ?? value?.numberValue ?? value?.boolValue ?? value?.formulaValue ?? ''),
  )
  return padded(cells, header)
}

/** The note of a cell; empty: it has none. null: it was not read along. */
export function noteIn({ sheet, read_along }: Target, cell: Rect): string | null {
  if (!read_along.some(row => beginsAt(row, cell))) return null
  return cellsFrom(sheet, cell)[0]?.note ?? ''
}

/** The cells of a row that was read, without empty ones at its end. */
export const cellsFrom = (sheet: SheetResponse, [row, column]: Rect) =>
  sheet.data.find(each => each.startRow === row && each.startColumn === column)?.rowData[0]?.values ?? []

const padded = (cells: string[], header: Rect) =>
  Array.from({ length: header[3] - header[1] }, (_, column) => cells[column] ?? '')

function interpret(
  work: Work,
  response: SpreadsheetResponse,
  { read_along, has_file }: { read_along: Rect[]; has_file: boolean },
): Target {
  const sheet = chosenTab(work, response, read_along.length > 0)
  const { rowCount: rows, columnCount: columns } = sheet.properties.gridProperties
  const sheet_id = sheet.properties.sheetId
  const entries = entriesOf(work, sheet)
  return {
    sheet,
    sheet_id,
    title: sheet.properties.title,
    rows,
    columns,
    entries,
    old: oldTables(work, entries, sheet_id).map(old => clipped(old, rows, columns)),
    file: has_file ? fileFacts(work, response) : null,
    named_ranges: namedRangesOf(response, sheet),
    read_along,
  }
}

/** Those that cover cells of the tab. */
export const namedRangesOf = (response: SpreadsheetResponse, { properties }: SheetResponse): NamedRange[] =>
  response.namedRanges
    .filter(({ range }) => (range?.sheetId ?? 0) === properties.sheetId)
    .map(({ namedRangeId, name, range }) => ({
      id: namedRangeId,
      name,
      rect: rectOf(range, properties.gridProperties.rowCount, properties.gridProperties.columnCount),
    }))

/** The tab by its title; a tab that was renamed is named in the failure. */
function chosenTab(
  { sheet_id, sheet_name }: Work,
  response: SpreadsheetResponse,
  is_part: boolean,
): SheetResponse {
  const known = response.sheets.find(sheet => sheet.properties.sheetId === sheet_id)
  if (known && known.properties.title !== sheet_name)
    throw new SheetsFailure('sheet_name_mismatch', { detail: { new_name: known.properties.title } })
  const sheet = response.sheets.find(one => one.properties.title === sheet_name)
  if (!sheet || sheet.properties.sheetType !== 'GRID')
    throw new SheetsFailure('sheet_name_mismatch', { why: is_part ? 'stale_plan' : null })
  return sheet
}

function entriesOf({ spreadsheet_id, report_id }: Work, sheet: SheetResponse): Entry[] {
  return sheet.developerMetadata
    .filter(each => each.metadataKey === metadataKey(report_id))
    .flatMap(({ metadataId, metadataValue }) => {
      const state = TabState.safeParse(jsonOf(metadataValue))
      // Copies of a tab or a file may contain what belongs to the original.
      const belongs =
        state.success && state.data.ss === spreadsheet_id && state.data.sheet === sheet.properties.sheetId
      return belongs ? [{ metadata_id: metadataId, state: state.data }] : []
    })
    .toSorted((a, b) => b.state.n - a.state.n)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * The tab's own entry has priority: it was written in one change with the cells. The database's copy helps
 * when the entry is lost, and when the last one is of another project's system user: entries are visible to
 * their own project alone, so any visible one is older.
 */
function oldTables({ previous, client }: Work, [latest]: Entry[], sheet_id: number): OldTable[] {
  const is_of_others = previous?.project !== undefined && previous.project !== client.project
  if (latest && !is_of_others) {
    const { rect, head, fmt, was } = latest.state
    const note = latest.state.note === undefined ? null : { cell: startOf(rect), hash: latest.state.note }
    return [{ rect, head, fmt, note }, ...(was ? [{ ...was, fmt: was.fmt ?? null, note: null }] : [])]
  }
  if (previous === null || previous.sheet_id !== sheet_id) return []
  const { rect, head, fmt = null } = previous
  return [
    { rect, head, fmt, note: previous.note ? { cell: startOf(rect), hash: noteHash(previous.note) } : null },
  ]
}

const clipped = (old: OldTable, rows: number, columns: number): OldTable => {
  const rect = intersection(old.rect, [0, 0, rows, columns])
  // The header's hash is over all its columns, so a table that lost some has lost its header.
  return rect[3] === old.rect[3] && !isEmpty(rect) ? { ...old, rect } : { ...old, rect: [0, 0, 0, 0] }
}

function fileFacts({ report_id }: Work, { sheets }: SpreadsheetResponse) {
  const stages = new RegExp(`^${STAGE_PREFIX}${report_id}_\\d+$`)
  return {
    cells: sheets.reduce((sum, each) => sum + gridCells(each), 0),
    leftovers: sheets
      .filter(sheet => stages.test(sheet.properties.title))
      .map(sheet => ({ sheet_id: sheet.properties.sheetId, cells: gridCells(sheet) })),
    sheet_ids: new Set(sheets.map(sheet => sheet.properties.sheetId)),
  }
}

const gridCells = ({ properties: { gridProperties: grid } }: SheetResponse) =>
  cellsIn([0, 0, grid.rowCount, grid.columnCount])

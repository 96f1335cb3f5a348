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
}

export const metadataKey = (report_id: number) => `sheetcast.report.${report_id}`
export const STAGE_PREFIX = '__sheetcast_stage_'
export const stageTitle = (report_id: number, attempt: number) => `${STAGE_PREFIX}${report_id}_${attempt}`

const SHEET =
  'properties(sheetId,title,sheetType,hidden,gridProperties),protectedRanges,merges,developerMetadata,tables'
const STRUCTURE = `spreadsheetId,properties.title,namedRanges,sheets(${SHEET})`
const STRUCTURE_AND_HEADER = `spreadsheetId,properties.title,namedRanges,sheets(${SHEET},data(startRow,startColumn,rowData.values.userEnteredValue))`

/**
 * Reads what must be known before the first write. When the last table in the database was larger, its header
 * is read along, which returns only this tab; the table is smaller then, so that the other tabs' sizes do not
 * matter.
 */
export async function readTarget(work: Work, { whole_file = false } = {}): Promise<Target> {
  const previous = whole_file ? null : headerToReadAlong(work)
  if (previous === null) return interpret(work, await readTargetStructure(work), null)
  try {
    const header: Rect = [previous[0], previous[1], previous[0] + 1, previous[3]]
    const response = await readTargetStructure(work, rangeOf(work.sheet_name, header))
    const target = interpret(work, response, header)
    return growsBeyond(target, work.rect) ? await readTarget(work, { whole_file: true }) : target
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
  const cells = headerIn(target.sheet, header) ?? (await readHeader(work, target.title, header))
  return headerHash(cells) === old.head
}

/** A short hash of a header's texts. */
export const headerHash = (titles: string[]) =>
  createHash('sha256').update(JSON.stringify(titles)).digest('base64url').slice(0, 16)

function headerToReadAlong({ previous, sheet_id, rect, attempt, sheet_name }: Work): Rect | null {
  // A colon in a title makes the service misread ranges; a later attempt must find the staging tabs of
  // earlier ones.
  if (previous === null || attempt > 1 || sheet_name.includes(':')) return null
  return previous.sheet_id === sheet_id && !covers(rect, previous.rect) ? previous.rect : null
}

function readTargetStructure({ requests, client, spreadsheet_id, limits, signal }: Work, range?: string) {
  const query = range ? { fields: STRUCTURE_AND_HEADER, ranges: [range] } : { fields: STRUCTURE }
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

function headerIn(sheet: SheetResponse, header: Rect): string[] | null {
  const data = sheet.data.find(
    each => each.startRow === header[0] && each.startColumn === header[1] && each.rowData.length <= 1,
  )
  if (!data) return null
  const cells = (data.rowData[0]?.values ?? []).map(({ userEnteredValue: value }) =>
    String(value?.stringValue ?? value?.numberValue ?? value?.boolValue ?? value?.formulaValue ?? ''),
  )
  return padded(cells, header)
}

const padded = (cells: string[], header: Rect) =>
  Array.from({ length: header[3] - header[1] }, (_, column) => cells[column] ?? '')

function interpret(work: Work, response: SpreadsheetResponse, header_read: Rect | null): Target {
  const sheet = chosenTab(work, response, header_read !== null)
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
    file: header_read === null ? fileFacts(work, response) : null,
    named_ranges: namedRangesOf(response, sheet),
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
    return [{ rect, head, fmt }, ...(was ? [{ ...was, fmt: was.fmt ?? null }] : [])]
  }
  if (previous === null || previous.sheet_id !== sheet_id) return []
  return [{ rect: previous.rect, head: previous.head, fmt: previous.fmt ?? null }]
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

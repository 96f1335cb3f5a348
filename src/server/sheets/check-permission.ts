import { parseStartCell, type Cell, type Rect } from '#shared/cell.ts'
import type { PermissionResult, Tab } from '#shared/api/spreadsheets.ts'
import type { SheetsClient } from './client.ts'
import { SheetsFailure, type SheetsErrorCode } from './failure.ts'
import { refuseUnusableFile } from './file.ts'
import { protectionFailure, protectionOver } from './plan.ts'
import { openRequests, type RequestEffects } from './requests.ts'
import type { SheetResponse, SpreadsheetResponse } from './schema.ts'
import { readStructure, type Structures } from './structure.ts'
import { namedRangesOf, STAGE_PREFIX } from './target.ts'

export type PermissionEffects = Omit<RequestEffects, 'on_step'> & {
  client: SheetsClient
  structures?: Structures
}

export interface PermissionRequest {
  /** null: the address is none of a spreadsheet. */
  spreadsheet_id: string | null
  /** Left out while no tab is chosen: then only the file is checked. */
  sheet_name?: string
  /** The tab that was chosen earlier, to distinguish a renamed one from a deleted one. */
  sheet_id?: number | null
  start_cell?: string
}

export interface PermissionOutcome {
  result: PermissionResult
  /** The code of errors.ts that a run would end with, and what it is about; null with `ok`. */
  code: SheetsErrorCode | null
  detail: Record<string, unknown>
  /** The spreadsheet's title and the chosen tab's id; null unless `ok`. */
  title: string | null
  sheet_id: number | null
}

/**
 * Whether the system user could write there right now; the first problem counts. Says nothing about the owner
 * of the spreadsheet: until it is proven the caller must return no more than `result`.
 */
export async function checkPermission(
  request: PermissionRequest,
  effects: PermissionEffects,
): Promise<PermissionOutcome> {
  try {
    if (request.spreadsheet_id === null) throw new SheetsFailure('not_a_spreadsheet')
    const read = openReader(request.spreadsheet_id, effects)
    const file = await read('file', () => effects.client.getFile(read.spreadsheet_id, effects.signal))
    refuseUnusableFile(file)
    const tab = request.sheet_name ? await checkTab(request.sheet_name, request, { read, effects }) : null
    return {
      result: 'ok',
      code: null,
      detail: {},
      title: file.name,
      sheet_id: tab ? tab.properties.sheetId : null,
    }
  } catch (error) {
    if (!(error instanceof SheetsFailure)) throw error
    const { code, detail } = error
    return { result: RESULTS[code] ?? 'unreachable', code, detail, title: null, sheet_id: null }
  }
}

/** The tabs that a table can be written to; our own hidden ones are left out. Throws SheetsFailure. */
export async function listTabs(
  spreadsheet_id: string,
  effects: PermissionEffects,
  how = { fresh: false },
): Promise<Tab[]> {
  const { sheets } = await readStructure(openReader(spreadsheet_id, effects), effects, how)
  return writableTabs(sheets).map(({ properties }) => ({
    title: properties.title,
    sheet_id: properties.sheetId,
    rows: properties.gridProperties.rowCount,
    columns: properties.gridProperties.columnCount,
    hidden: properties.hidden,
  }))
}

export const writableTabs = (sheets: SheetResponse[]) =>
  sheets.filter(
    ({ properties: { sheetType, title } }) => sheetType === 'GRID' && !title.startsWith(STAGE_PREFIX),
  )

/** Every permanent code has a result of its own; a protection is a missing editor right, too. */
const RESULTS: Partial<Record<SheetsErrorCode, PermissionResult>> = {
  not_a_spreadsheet: 'not_a_spreadsheet',
  spreadsheet_not_shared: 'not_shared',
  spreadsheet_not_editor: 'not_editor',
  protected_range: 'not_editor',
  named_range: 'not_editor',
  sheet_name_colon: 'sheet_name_colon',
  sheet_name_mismatch: 'sheet_name_mismatch',
}

type FileReader = ReturnType<typeof openReader>

/** A person is waiting, so a failure is returned at once instead of being retried. */
export function openReader(spreadsheet_id: string, effects: PermissionEffects) {
  const requests = openRequests(spreadsheet_id, { ...effects, on_step: () => {} })
  const read = <T>(step: 'file' | 'structure' | 'header', request: () => Promise<T>) =>
    requests.repeatable(step, { kind: 'read', tries: 2, patience_ms: 3000 }, request)
  return Object.assign(read, { spreadsheet_id })
}

async function checkTab(
  sheet_name: string,
  { sheet_id, start_cell }: PermissionRequest,
  { read, effects }: { read: FileReader; effects: PermissionEffects },
): Promise<SheetResponse> {
  if (sheet_name.includes(':')) throw new SheetsFailure('sheet_name_colon', { detail: { sheet_name } })
  const response = await readStructure(read, effects, { fresh: true })
  const tab = tabNamed(response, sheet_name, sheet_id ?? null)
  const cell = parseStartCell(start_cell ?? '')
  if (typeof cell !== 'string') refuseProtected(response, tab, cell)
  return tab
}

function tabNamed(
  { sheets }: SpreadsheetResponse,
  sheet_name: string,
  sheet_id: number | null,
): SheetResponse {
  const known = sheets.find(sheet => sheet.properties.sheetId === sheet_id)
  if (known && known.properties.title !== sheet_name)
    throw new SheetsFailure('sheet_name_mismatch', { detail: { new_name: known.properties.title } })
  const tab = writableTabs(sheets).find(one => one.properties.title === sheet_name)
  if (!tab) throw new SheetsFailure('sheet_name_mismatch')
  return tab
}

function refuseProtected(response: SpreadsheetResponse, sheet: SheetResponse, { row, column }: Cell): void {
  const { rowCount: rows, columnCount: columns } = sheet.properties.gridProperties
  const start: Rect = [row, column, row + 1, column + 1]
  const blocked = protectionOver({ sheet, rows, columns }, start)
  if (blocked) throw protectionFailure(blocked, namedRangesOf(response, sheet))
}

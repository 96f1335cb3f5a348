import { rangeOf } from '#shared/cell.ts'
import { SheetsFailure } from './failure.ts'
import { asking, writableTabs, type PermissionEffects } from './permission.ts'
import type { SheetAnswer } from './schema.ts'

// Who may hand the file on may bind it; organisers are the owners of a shared drive's files.
const CONTROLLING_ROLES = ['owner', 'organizer', 'fileOrganizer', 'writer']

// A code is typed where one looks: these bounds keep the search of a huge file to a few seconds.
const TABS_SEARCHED = 40
const TABS_A_REQUEST = 8
const CELLS_SEARCHED_A_TAB = 200_000

/**
 * Whether the file's own permission list names this address as owner or editor. false when the list cannot be seen; groups and links
 * prove nothing about one person. Throws SheetsFailure when the service cannot be asked.
 */
export async function emailControls(
  spreadsheet_id: string,
  email: string,
  effects: PermissionEffects,
): Promise<boolean> {
  const ask = asking(spreadsheet_id, effects)
  try {
    const permissions = await ask('file', () =>
      effects.client.listPermissions(spreadsheet_id, effects.signal),
    )
    return permissions.some(
      each =>
        each.type === 'user' &&
        !each.deleted &&
        CONTROLLING_ROLES.includes(each.role) &&
        each.emailAddress.toLowerCase() === email.trim().toLowerCase(),
    )
  } catch (error) {
    if (error instanceof SheetsFailure && HIDDEN.includes(error.code)) return false
    throw error
  }
}

const HIDDEN = ['spreadsheet_not_shared', 'spreadsheet_not_editor']

/** Whether some cell holds exactly this code: the first 40 tabs are searched, in each the first 200,000 cells. Throws SheetsFailure. */
export async function findCode(
  spreadsheet_id: string,
  code: string,
  effects: PermissionEffects,
): Promise<boolean> {
  const ask = asking(spreadsheet_id, effects)
  const { sheets } = await ask('structure', () =>
    effects.client.getSpreadsheet(
      spreadsheet_id,
      { fields: 'sheets.properties(sheetId,title,sheetType,hidden,gridProperties)' },
      effects.signal,
    ),
  )
  const ranges = writableTabs(sheets)
    // The service misreads ranges of tabs with a colon in their title.
    .filter(each => !each.properties.title.includes(':'))
    .slice(0, TABS_SEARCHED)
    .map(searchedRange)
  for (let from = 0; from < ranges.length; from += TABS_A_REQUEST) {
    const part = ranges.slice(from, from + TABS_A_REQUEST)
    const found = await ask('header', () =>
      effects.client.getManyValues(spreadsheet_id, part, effects.signal),
    )
    if (found.some(rows => rows.some(row => row.some(value => String(value).trim() === code)))) return true
  }
  return false
}

function searchedRange({ properties: { title, gridProperties: grid } }: SheetAnswer): string {
  const columns = Math.min(grid.columnCount, 1000)
  const rows = Math.min(grid.rowCount, Math.max(1, Math.floor(CELLS_SEARCHED_A_TAB / columns)))
  return rangeOf(title, [0, 0, rows, columns])
}

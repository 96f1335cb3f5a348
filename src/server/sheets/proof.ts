import { rangeOf } from '#shared/cell.ts'
import { SheetsFailure } from './failure.ts'
import { openReader, writableTabs, type PermissionEffects } from './check-permission.ts'
import type { FilePermission, SheetResponse } from './schema.ts'

/** The strength of somebody's control of a file. */
export type Control = 'owner' | 'writer'

// People who may transfer the file may bind it; organisers are the owners of a shared drive's files.
const CONTROL: Record<string, Control> = {
  owner: 'owner',
  organizer: 'owner',
  fileOrganizer: 'owner',
  writer: 'writer',
}

// A code is typed near the beginning: these bounds keep the search of a huge file to a few seconds.
const TABS_SEARCHED = 40
const TABS_A_REQUEST = 8
const CELLS_SEARCHED_A_TAB = 200_000

/**
 * The file's own permission list; null when it is not visible, for example because the file is not shared.
 * Throws SheetsFailure when the service is unavailable.
 */
export async function readPermissions(
  spreadsheet_id: string,
  effects: PermissionEffects,
): Promise<FilePermission[] | null> {
  const read = openReader(spreadsheet_id, effects)
  try {
    return await read('file', () => effects.client.listPermissions(spreadsheet_id, effects.signal))
  } catch (error) {
    if (error instanceof SheetsFailure && HIDDEN.includes(error.code)) return null
    throw error
  }
}

const HIDDEN = ['spreadsheet_not_shared', 'spreadsheet_not_editor']

/** This address's permission in the list: groups and links prove nothing about one person. */
export function controlBy(permissions: readonly FilePermission[], email: string): Control | null {
  const address = addressOf(email)
  const controls = peopleOf(permissions).flatMap(permission =>
    addressOf(permission.emailAddress) === address ? (CONTROL[permission.role] ?? []) : [],
  )
  return controls.includes('owner') ? 'owner' : (controls[0] ?? null)
}

/** The addresses of the owners of the file. */
export const ownersOf = (permissions: readonly FilePermission[]): string[] =>
  peopleOf(permissions).flatMap(({ role, emailAddress }) =>
    CONTROL[role] === 'owner' ? addressOf(emailAddress) : [],
  )

/**
 * The ids of all permissions to write, including those of groups, domains and links: any of them may be the
 * one of the person who typed a code.
 */
export const writersOf = (permissions: readonly FilePermission[]): string[] =>
  permissions.filter(({ deleted, role }) => !deleted && CONTROL[role] !== undefined).map(({ id }) => id)

const peopleOf = (permissions: readonly FilePermission[]) =>
  permissions.filter(({ type, deleted }) => type === 'user' && !deleted)

const addressOf = (email: string) => email.trim().toLowerCase()

/**
 * Whether some cell holds exactly this code: the first 40 tabs are searched, in each the first 200,000 cells.
 * Throws SheetsFailure.
 */
export async function findCode(
  spreadsheet_id: string,
  code: string,
  effects: PermissionEffects,
): Promise<boolean> {
  const read = openReader(spreadsheet_id, effects)
  const { sheets } = await read('structure', () =>
    effects.client.getSpreadsheet(
      spreadsheet_id,
      { fields: 'sheets.properties(sheetId,title,sheetType,hidden,gridProperties)' },
      effects.signal,
    ),
  )
  const ranges = writableTabs(sheets)
    // The service misreads ranges of tabs with a colon in their title.
    .filter(tab => !tab.properties.title.includes(':'))
    .slice(0, TABS_SEARCHED)
    .map(searchedRange)
  for (let from = 0; from < ranges.length; from += TABS_A_REQUEST) {
    const part = ranges.slice(from, from + TABS_A_REQUEST)
    const found = await read('header', () =>
      effects.client.getManyValues(spreadsheet_id, part, effects.signal),
    )
    if (found.some(rows => rows.some(row => row.some(value => String(value).trim() === code)))) return true
  }
  return false
}

function searchedRange({ properties: { title, gridProperties: grid } }: SheetResponse): string {
  const columns = Math.min(grid.columnCount, 1000)
  const rows = Math.min(grid.rowCount, Math.max(1, Math.floor(CELLS_SEARCHED_A_TAB / columns)))
  return rangeOf(title, [0, 0, rows, columns])
}

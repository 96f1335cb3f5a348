import { createHash, randomInt } from 'node:crypto'
import { PermissionResult } from '#shared/api/spreadsheets.ts'
import type { ErrorCode } from '#shared/errors.ts'
import type { ApiSettings } from '#server/http/effects.ts'
import { parseSpreadsheetUrl } from '#shared/spreadsheet-url.ts'

/** Problems of the file, whatever the tab. */
const of_file: readonly (string | null)[] = [
  'not_shared',
  'not_editor',
  'not_a_spreadsheet',
  'proof_required',
] satisfies PermissionResult[]
export const isOfFile = (target_state: string | null): boolean => of_file.includes(target_state)

/** The result of a check of one report's target; undefined: nothing permanent. */
export function stateAfter(
  result: PermissionResult,
  {
    checked_tab,
    report,
  }: { checked_tab: string | null; report: { sheet_name: string; target_state: string | null } },
): string | undefined {
  if (result === 'unreachable') return undefined
  if (isOfFile(result)) return result
  if (checked_tab !== null) return report.sheet_name === checked_tab ? result : undefined
  // The file alone was checked, and is fine; what is known of a tab stays.
  const of_tab = report.target_state !== null && !isOfFile(report.target_state)
  return of_tab ? undefined : result
}

/** The code that a request for the tabs is refused with, and a run ends with. */
export const refusals: Record<Exclude<PermissionResult, 'ok'>, ErrorCode> = {
  not_shared: 'spreadsheet_not_shared',
  not_editor: 'spreadsheet_not_editor',
  proof_required: 'proof_required',
  sheet_name_mismatch: 'sheet_name_mismatch',
  sheet_name_colon: 'sheet_name_colon',
  not_a_spreadsheet: 'not_a_spreadsheet',
  unreachable: 'spreadsheet_unavailable',
}

/** What the end of a run shows about its target; null: nothing permanent. */
export function resultOf(code: string): PermissionResult | null {
  if (code === refusals.unreachable) return null
  return PermissionResult.options.find(result => result !== 'ok' && refusals[result] === code) ?? null
}

/**
 * So many spreadsheets of one person are assigned to one system user before the next one is named to them:
 * what a third of a minute's quota writes, so that people with few always get the same one and those with
 * thousands are spread over all.
 */
const SPREADSHEETS_IN_A_ROW = 20

/** The system user to share with. `standing`: how many of their spreadsheets each one already has. */
export function chooseSystemUser(
  addresses: readonly string[],
  { key, standing }: { key: string; standing: ReadonlyMap<string, number> },
): string {
  const rows = (address: string) => Math.floor((standing.get(address) ?? 0) / SPREADSHEETS_IN_A_ROW)
  const [first] = inOrderFor(key, addresses, address => address).toSorted((a, b) => rows(a) - rows(b))
  if (first === undefined) throw new Error('there is no system user')
  return first
}

/**
 * An order of its own for each key, always the same: adding or removing an item does not change the order of
 * the others.
 */
export function inOrderFor<Item>(
  key: string,
  items: readonly Item[],
  nameOf: (item: Item) => string,
): Item[] {
  const weightOf = (item: Item) =>
    createHash('sha256')
      .update(`${key} ${nameOf(item)}`)
      .digest('hex')
  return items
    .map(item => ({ item, weight: weightOf(item) }))
    .toSorted((a, b) => (a.weight < b.weight ? -1 : 1))
    .map(({ item }) => item)
}

/** How long a code is valid. */
export const CODE_MS = 24 * 60 * 60_000

// Without letters and digits that look alike: a person copies it by hand. 31^10 is about 2^49.
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
export const newCode = (): string =>
  `sheetcast-${Array.from({ length: 10 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`

/** The spreadsheet of an address; null when it is none. */
export const spreadsheetIdIn = (
  url: string,
  { spreadsheet_origins }: Pick<ApiSettings, 'spreadsheet_origins'>,
): string | null => parseSpreadsheetUrl(url, spreadsheet_origins)?.spreadsheet_id ?? null

import type { PermissionReply, PermissionResult } from '#shared/api/spreadsheets.ts'

/** The state of the target check: nothing is entered yet, the check is under way, or its result. */
export type TargetState = 'none' | 'checking' | PermissionResult

export type CheckState = 'ok' | 'bad' | 'open'
export const checkNames = ['address', 'shared', 'editor', 'proof', 'sheet', 'cell'] as const
export type CheckName = (typeof checkNames)[number]

/** The file itself may be written to, whatever the state of the tab. */
export const isFileFine = (state: TargetState) =>
  state === 'ok' || state === 'sheet_name_mismatch' || state === 'sheet_name_colon'

/** The last check has failed, so that a later one may have another result. */
export const isFailed = (state: TargetState) =>
  needsSharing(state) ||
  state === 'sheet_name_mismatch' ||
  state === 'sheet_name_colon' ||
  state === 'unreachable'

/** The person can fix it in the spreadsheet. */
export const needsSharing = (state: TargetState) =>
  state === 'not_shared' || state === 'not_editor' || state === 'proof_required'

/**
 * The one result as the checks that it is made of: those before the failed one have passed, those after it
 * are unknown.
 */
export function checksOf(
  state: TargetState,
  { sheet_name, cell_is_set }: { sheet_name: string; cell_is_set: boolean },
): Record<CheckName, CheckState> {
  const failed = failedAt[state]
  const at = failed === null ? -1 : order.indexOf(failed)
  const of = (name: CheckName): CheckState => {
    if (failed === 'none') return 'open'
    if (failed === null) return 'ok'
    const index = order.indexOf(name)
    return index < at ? 'ok' : index === at ? 'bad' : 'open'
  }
  return {
    address: of('address'),
    shared: of('shared'),
    editor: of('editor'),
    proof: of('proof'),
    sheet: sheet_name === '' ? (isFileFine(state) ? 'bad' : 'open') : of('sheet'),
    cell: cell_is_set ? 'ok' : 'bad',
  }
}

const order: readonly (CheckName | 'none')[] = ['address', 'shared', 'editor', 'proof', 'sheet']

/** Which check a result fails; null: none; 'none': nothing is known. */
const failedAt: Record<TargetState, CheckName | 'none' | null> = {
  none: 'none',
  checking: 'none',
  unreachable: 'none',
  not_a_spreadsheet: 'address',
  not_shared: 'shared',
  not_editor: 'editor',
  proof_required: 'proof',
  sheet_name_mismatch: 'sheet',
  sheet_name_colon: 'sheet',
  ok: null,
}

export function targetState(
  url: string,
  check: { data: PermissionReply | undefined; isFetching: boolean; isError: boolean },
): TargetState {
  if (url.trim() === '') return 'none'
  if (check.isError) return 'unreachable'
  return check.data === undefined ? 'checking' : check.data.result
}

import type { Db } from '#server/db/connect.ts'
import { SheetsFailure } from '#server/sheets/failure.ts'
import { checkPermission, type PermissionOutcome } from '#server/sheets/check-permission.ts'
import { readPermissions } from '#server/sheets/proof.ts'
import type { FilePermission } from '#server/sheets/schema.ts'
import { systemUserNamed, type SystemUser } from '#server/sheets/system-user.ts'
import { findSystemUser, saveSystemUser } from './queries.ts'
import { inOrderFor } from './rules.ts'

export interface SeekEffects {
  system_users: readonly SystemUser[]
  sleep: (ms: number) => Promise<void>
  signal: AbortSignal
}

/**
 * Does something with a spreadsheet as its system user; when that one has lost it and another one has it, as
 * the other.
 */
export async function asItsSystemUser<Result>(
  db: Db,
  { spreadsheet_id, user, ...effects }: SeekEffects & { spreadsheet_id: string; user: SystemUser },
  act: (user: SystemUser) => Promise<Result>,
): Promise<Result> {
  try {
    return await act(user)
  } catch (error) {
    const others = effects.system_users.filter(each => each !== user)
    if (others.length === 0 || !hasLostAccess(error)) throw error
    const found = await findWritingSystemUser(db, spreadsheet_id, { ...effects, system_users: others })
    if (found.result === 'unreachable') throw failureOf(found)
    if (found.result !== 'ok') throw error
    return await act(found.user)
  }
}

/**
 * The system user of a spreadsheet: the one that it is assigned to, else one that it is shared with. Throws
 * SheetsFailure when there is none.
 */
export async function systemUserOf(
  db: Db,
  spreadsheet_id: string,
  effects: SeekEffects,
): Promise<SystemUser> {
  const [first, ...others] = effects.system_users
  if (first && others.length === 0) return first
  const sticky = systemUserNamed(effects.system_users, await findSystemUser(db, spreadsheet_id))
  if (sticky) return sticky
  const found = await findWritingSystemUser(db, spreadsheet_id, effects)
  if (found.result !== 'ok') throw failureOf(found)
  return found.user
}

export type CheckResult = PermissionOutcome & { user: SystemUser; permissions: FilePermission[] | null }

/**
 * Finds the system user that can write the file, and who else can; the spreadsheet is assigned to it from
 * then on. All are tried at the same time, so that neither the requests nor their duration reveal whether
 * another person's file is shared with one of them. When none can, the result that comes nearest to it.
 */
export async function findWritingSystemUser(
  db: Db,
  spreadsheet_id: string,
  { system_users, sleep, signal }: SeekEffects,
): Promise<CheckResult> {
  const known = await findSystemUser(db, spreadsheet_id)
  const results = await Promise.all(
    // A file that several can write is as good as any for spreading the load.
    inOrderFor(spreadsheet_id, system_users, ({ client }) => client.system_user).map(user =>
      checkAs(user, spreadsheet_id, { sleep, signal }),
    ),
  )
  const isKnown = ({ user }: CheckResult) => user.client.system_user === known
  const [best] = results.toSorted((a, b) => rankOf(a, isKnown(a)) - rankOf(b, isKnown(b)))
  if (!best) throw new Error('there is no system user')
  if (best.result === 'ok') await saveSystemUser(db, spreadsheet_id, best.user.client.system_user)
  return best
}

async function checkAs(
  user: SystemUser,
  spreadsheet_id: string,
  waiting: Pick<SeekEffects, 'sleep' | 'signal'>,
): Promise<CheckResult> {
  const effects = { ...user, ...waiting }
  const [outcome, listed] = await Promise.all([
    checkPermission({ spreadsheet_id }, effects),
    readPermissions(spreadsheet_id, effects).catch((error: unknown) => {
      if (error instanceof SheetsFailure) return error
      throw error
    }),
  ])
  if (!(listed instanceof SheetsFailure)) return { ...outcome, user, permissions: listed }
  // The owner of the file is unknown: treated as a file that none can reach.
  const { code, detail } = listed
  return { result: 'unreachable', code, detail, title: null, sheet_id: null, user, permissions: null }
}

/**
 * A system user with access comes first; then one that is unavailable, since it may have access; then one
 * that can read it. A key that does not work any more does not invalidate the results of the others, unless
 * it is the one with previous access and no other can read the file.
 */
function rankOf({ result, code, detail }: PermissionOutcome, isKnown: boolean): number {
  if (result === 'ok') return isKnown ? 0 : 1
  if (result === 'unreachable') return code !== 'internal_error' ? 2 : isKnown ? 6 : 8
  if (result !== 'not_shared') return isKnown ? 3 : 4
  return detail['trashed'] === true ? 5 : 7
}

export const failureOf = ({ code, detail }: PermissionOutcome) =>
  new SheetsFailure(code ?? 'spreadsheet_unavailable', { detail })

/** Not when something may have been written: then the same one has to find out. */
const hasLostAccess = (error: unknown) =>
  error instanceof SheetsFailure &&
  !error.ambiguous &&
  error.why !== 'trashed' &&
  (error.code === 'spreadsheet_not_shared' ||
    error.code === 'spreadsheet_not_editor' ||
    error.why === 'configuration' ||
    error.why === 'unauthenticated')

import type { Db } from '#server/db/connect.ts'
import { readPerson } from '#server/resources/people/queries.ts'
import { checkPermission } from '#server/sheets/check-permission.ts'
import { controlBy, readPermissions, writersOf, type Control } from '#server/sheets/proof.ts'
import type { FilePermission } from '#server/sheets/schema.ts'
import type { SystemUser } from '#server/sheets/system-user.ts'
import { isInScope, noteLapsed, noteStanding, peopleOf, type Binding, type Proof } from './queries.ts'
import { failureOf, type SeekEffects } from './system-user.ts'

/** The right to a file as it is at this moment. */
export interface Right {
  /** The permission by which somebody of the scope controls it. */
  role: Control
  proven_by: number | null
}

/** The permission list of a file is read at most this often while reports write there. */
const FRESH_MS = 3_600_000

export const isFresh = ({ verified_at, lapsed_at }: Binding, now: Date): boolean =>
  lapsed_at === null && verified_at !== null && Math.abs(now.getTime() - verified_at.getTime()) < FRESH_MS

/**
 * Whether a run may still write to a file: its permission list is read unless that was done within the hour.
 * A list that cannot be read now is a failure of the service, never the end of the right: SheetsFailure is
 * thrown, and the run is retried.
 */
export async function stillHasControl(
  db: Db,
  binding: Binding,
  { user, now, ...waiting }: Omit<SeekEffects, 'system_users'> & { user: SystemUser; now: Date },
): Promise<boolean> {
  const { spreadsheet_id } = binding
  if (isFresh(binding, now)) return true
  const effects = { ...user, ...waiting }
  const permissions = await readPermissions(spreadsheet_id, effects)
  if (permissions === null) {
    // Perhaps it is the system user that has lost the file.
    const found = await checkPermission({ spreadsheet_id }, effects)
    if (found.result !== 'ok') throw failureOf(found)
  }
  const right = await rightOf(db, binding, { permissions, now })
  if (right === null) await noteLapsed(db, binding, now)
  else await noteStanding(db, binding, { ...right, verified_at: now })
  return right !== null
}

/**
 * The permission by which a binding's people control the file, by its present permission list; null when none
 * of them does any more.
 */
export async function rightOf(
  db: Db,
  binding: Binding | (Proof & { created_at: Date }),
  { permissions, now }: { permissions: readonly FilePermission[] | null; now: Date },
): Promise<Right | null> {
  const people = await peopleOf(db, binding)
  const controls = people.flatMap(({ id, email }) => {
    const role = email === null ? null : controlBy(permissions ?? [], email)
    return role === null ? [] : [{ id, role }]
  })
  const best = controls.find(({ role }) => role === 'owner') ?? controls[0]
  const role = best?.role ?? 'writer'
  const { proven_by } = binding
  if (controls.some(({ id }) => id === proven_by)) return { role, proven_by }
  if (codeStands(binding, { permissions, now }) && (await isProverInScope(db, binding)))
    return { role, proven_by }
  return best ? { role, proven_by: best.id } : null
}

// Where the list is not visible, nothing shows whether the person who typed the code has been removed: the
// code has to be typed again four times a year.
const CODE_HOLDS_MS = 90 * 24 * 3_600_000

/**
 * A code shows that somebody may write, not by which permission: it is valid as long as none of those that
 * could be theirs is gone.
 */
function codeStands(
  binding: Pick<Binding, 'proof' | 'permissions' | 'created_at'>,
  { permissions, now }: { permissions: readonly FilePermission[] | null; now: Date },
): boolean {
  if (binding.proof !== 'code') return false
  if (binding.permissions === null || permissions === null)
    return now.getTime() - binding.created_at.getTime() < CODE_HOLDS_MS
  const left = new Set(writersOf(permissions))
  return binding.permissions.every(id => left.has(id))
}

async function isProverInScope(db: Db, binding: Binding | Proof): Promise<boolean> {
  const prover = binding.proven_by === null ? null : await readPerson(db, binding.proven_by)
  return prover !== null && (await isInScope(db, prover, binding))
}

import { isInternal, type SpreadsheetScope } from '#shared/access.ts'
import type { PermissionResult } from '#shared/api/spreadsheets.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction, type Trx } from '#server/db/transaction.ts'
import type { Sharing, SpreadsheetEffects } from '#server/http/effects.ts'
import { refuse } from '#server/http/refusal.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { advertisersOf } from '#server/resources/people/queries.ts'
import { SheetsFailure } from '#server/sheets/failure.ts'
import { controlBy, ownersOf, writersOf, type Control as Role } from '#server/sheets/proof.ts'
import {
  advertiserNames,
  advertisersOfAddresses,
  codeFor,
  countBySystemUser,
  deleteCodes,
  findBinding,
  insertBinding,
  isInScope,
  lockBinding,
  noteLapsed,
  noteStanding,
  openCode,
  ownAdvertisers,
  replaceBinding,
  type Binding,
  type Proof,
} from './queries.ts'
import { isFresh, rightOf } from './recheck-control.ts'
import { chooseSystemUser, CODE_MS, newCode } from './rules.ts'
import { auditedScope, notifyOfTakeover } from './notify.ts'

export interface CheckContext {
  db: Db
  user: SignedInUser
  now: Date
  spreadsheets: SpreadsheetEffects
  /** The advertisers that the proof is for, where the person has chosen any. */
  advertiser?: number | undefined
}

interface Control {
  result: PermissionResult
  code?: string
  /** With `proof_required`: it is proven, and the person has to choose one of these advertisers. */
  advertisers?: { id: number; name: string }[]
  /** null as long as the file is not the person's. */
  title: string | null
  system_user: string | null
}

/**
 * Whether the person may use the file, proving it where that is possible; with `proof_required`, the code to
 * type. The right is proven anew each time: by the permission list that is read along with the file, for
 * every caller and file, so that bound files cannot be distinguished from missing ones.
 */
export async function controlOf(spreadsheet_id: string, context: CheckContext): Promise<Control> {
  const { db, user, now, advertiser } = context
  if (advertiser !== undefined && !(await isOneOfTheirs(context, advertiser))) throw refuse('not_found')
  const found = await context.spreadsheets.findSystemUser(db, spreadsheet_id)
  const { result, title, system_user, permissions } = found
  const binding = await findBinding(db, spreadsheet_id)
  const inScope = await isInScope(db, user, binding ?? NOBODY)
  const right = await rightOf(db, binding ?? NOBODY, { permissions, now })
  if (result === 'unreachable') return { result, title: null, system_user }
  if (result !== 'ok') return binding && !inScope ? NOT_THEIRS : { result, title: null, system_user }
  if (binding && right && inScope) {
    await noteStanding(db, binding, { ...right, title, verified_at: now })
    return { result, title, system_user }
  }
  const role = controlOfPerson(user, permissions)
  if (binding && right && !beats(role, right)) return NOT_THEIRS
  if (binding && !right) await noteLapsed(db, binding, now)
  return await prove({ spreadsheet_id, title, permissions, role, system_user }, context)
}

const NOT_THEIRS: Control = { result: 'not_shared', title: null, system_user: null }
/** Checked in the place of a missing binding, so that the same work is done. */
const NOBODY: Binding = {
  spreadsheet_id: '',
  advertiser: null,
  proven_by: null,
  department: null,
  proof: 'permission',
  role: 'writer',
  title: null,
  tabs: null,
  permissions: null,
  verified_at: null,
  lapsed_at: null,
  created_at: new Date(0),
}

async function isOneOfTheirs({ db, user }: CheckContext, advertiser: number): Promise<boolean> {
  const theirs = isInternal(user) ? await advertisersOf(db, user) : await ownAdvertisers(db, user.id)
  return theirs === 'all' || theirs.includes(advertiser)
}

const controlOfPerson = (
  { email, email_confirmed }: SignedInUser,
  permissions: readonly Sharing[] | null,
): Role | null => (email !== null && email_confirmed ? controlBy(permissions ?? [], email) : null)

/**
 * Whether the content at a target may be shown. Proven within the hour is enough; else the right is proven
 * anew.
 */
export async function mayRead(spreadsheet_id: string, context: CheckContext): Promise<PermissionResult> {
  const { db, user, now } = context
  const binding = await findBinding(db, spreadsheet_id)
  // A file that nobody has proven is treated like another person's, and no request is sent for either.
  if (binding === null || !(await isInScope(db, user, binding))) return 'not_shared'
  return isFresh(binding, now) ? 'ok' : (await controlOf(spreadsheet_id, context)).result
}

/**
 * The system user that is named to this person: colleagues of one client have the same, the agency's own
 * people each their own.
 */
export async function systemUserToShareWith({ db, user, spreadsheets: { system_users } }: CheckContext) {
  const addresses = system_users.map(({ address }) => address)
  const [first, ...others] = addresses
  if (first !== undefined && others.length === 0) return first
  const [advertiser] = isInternal(user) ? [] : await ownAdvertisers(db, user.id)
  const key = advertiser === undefined ? `person ${user.id}` : `advertiser ${advertiser}`
  return chooseSystemUser(addresses, { key, standing: await countBySystemUser(db, user.id) })
}

interface Provable {
  spreadsheet_id: string
  title: string | null
  permissions: readonly Sharing[] | null
  /** The person's permission in the list. */
  role: Role | null
  system_user: string | null
}

async function prove(file: Provable, context: CheckContext): Promise<Control> {
  const { db } = context
  const { spreadsheet_id, title, permissions, role, system_user } = file
  const for_whom = await forWhom(permissions ?? [], context)
  if (for_whom === 'nobody') return NOT_THEIRS
  const unproven = { result: 'proof_required' as const, title: null, system_user }
  try {
    if (role === null && !(await isCodeThere(spreadsheet_id, context)))
      return { ...unproven, code: await codeToType(spreadsheet_id, context) }
  } catch (error) {
    if (error instanceof SheetsFailure) return { result: 'unreachable', title: null, system_user }
    throw error
  }
  const advertiser = chosenOf(for_whom, context.advertiser)
  if (advertiser === 'open') return { ...unproven, advertisers: await advertiserNames(db, for_whom) }
  return (await bind(file, advertiser, context)) ? { result: 'ok', title, system_user } : NOT_THEIRS
}

/**
 * The advertisers for whom a proof of this person's may be valid; none: for themselves and their department.
 * The owner's side has priority: a client of several cannot bind one's file to another, and the agency's own
 * people prove it for the client that owns it.
 */
async function forWhom(
  permissions: readonly Sharing[],
  { db, user }: CheckContext,
): Promise<number[] | 'nobody'> {
  const of_owners = await advertisersOfAddresses(db, ownersOf(permissions))
  if (isInternal(user)) {
    const theirs = await advertisersOf(db, user)
    const usable = of_owners.filter(id => theirs === 'all' || theirs.includes(id))
    return usable.length === 0 && of_owners.length > 0 ? 'nobody' : usable
  }
  const theirs = await ownAdvertisers(db, user.id)
  const owning = theirs.filter(id => of_owners.includes(id))
  if (owning.length > 0) return owning
  // A client of no advertiser has nobody to own it.
  return theirs.length > 0 ? theirs : 'nobody'
}

/** The chosen one, or the only one; `open`: the person has to choose. */
function chosenOf(advertisers: readonly number[], requested: number | undefined): number | null | 'open' {
  if (requested !== undefined) {
    if (!advertisers.includes(requested)) throw refuse('not_found')
    return requested
  }
  const [first = null, ...others] = advertisers
  return others.length > 0 ? 'open' : first
}

async function isCodeThere(spreadsheet_id: string, { db, user, now, spreadsheets }: CheckContext) {
  const code = await openCode(db, spreadsheet_id, { user_id: user.id, now })
  return code !== null && (await spreadsheets.findCode(db, spreadsheet_id, code))
}

const codeToType = (spreadsheet_id: string, { db, user, now }: CheckContext) =>
  inTransaction(db, trx =>
    codeFor(
      trx,
      { spreadsheet_id, user_id: user.id },
      { code: newCode(), expires_at: new Date(now.getTime() + CODE_MS), now },
    ),
  )

/** Stores the proof unless another person's prevents it; of many concurrent proofs one is stored. */
async function bind(file: Provable, advertiser: number | null, context: CheckContext): Promise<boolean> {
  const { db, user, now, spreadsheets } = context
  const { spreadsheet_id, title, permissions, role } = file
  const ours = new Set(spreadsheets.system_users.map(({ address }) => address))
  const offered: Proof = {
    spreadsheet_id,
    advertiser,
    proven_by: user.id,
    department: advertiser === null ? user.department : null,
    proof: role === null ? 'code' : 'permission',
    role: role ?? 'writer',
    title,
    permissions:
      role === null && permissions
        ? writersOf(permissions.filter(({ emailAddress }) => !ours.has(emailAddress)))
        : null,
  }
  return await inTransaction(db, async trx => {
    const best = await rightOf(trx, { ...offered, created_at: now }, { permissions, now })
    const proof: Proof = { ...offered, role: best?.role ?? offered.role }
    for (;;) {
      if (await insertBinding(trx, proof, now)) {
        await noteBound(trx, { action: 'spreadsheet.bind', before: null, proof }, now)
        return true
      }
      const before = await lockBinding(trx, spreadsheet_id)
      // Released in between: then it is free.
      if (before === null) continue
      const right = await rightOf(trx, before, { permissions, now })
      if (right && (await isInScope(trx, user, before))) return true
      if (right && !beats(role, right)) return false
      await replaceBinding(trx, proof, now)
      const is_same = isSameScope(before, proof)
      const action = is_same ? 'spreadsheet.prove_again' : 'spreadsheet.take_over'
      await noteBound(trx, { action, before, proof }, now)
      if (!is_same) await notifyOfTakeover(trx, { before, after: proof, by_owner: right !== null, now })
      return true
    }
  })
}

const isSameScope = (one: SpreadsheetScope, other: SpreadsheetScope) =>
  one.advertiser === other.advertiser &&
  one.department === other.department &&
  (one.advertiser !== null || one.department !== null || one.proven_by === other.proven_by)

/** The owner of the file has priority over writers. */
const beats = (role: Role | null, right: { role: Role }) => role === 'owner' && right.role === 'writer'

async function noteBound(
  trx: Trx,
  { action, before, proof }: { action: string; before: Binding | null; proof: Proof },
  now: Date,
) {
  await deleteCodes(trx, proof.spreadsheet_id)
  const detail = {
    from: before && auditedScope(before),
    to: { ...auditedScope(proof), proof: proof.proof, role: proof.role },
  }
  const { spreadsheet_id: object_id, proven_by: actor } = proof
  await writeAudit(trx, { actor, action, object: 'spreadsheet', object_id, detail }, now)
}

import { isInternal, mayUseSpreadsheet } from '#shared/access.ts'
import type { PermissionReply, PermissionResult } from '#shared/api/spreadsheets.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { SpreadsheetEffects } from '#server/http/effects.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { advertisersOf } from '#server/resources/people/queries.ts'
import { noteTargetState } from '#server/resources/reports/queries.ts'
import { SheetsFailure } from '#server/sheets/failure.ts'
import {
  codeFor,
  countBySystemUser,
  deleteCodes,
  findBinding,
  insertBinding,
  lockReportsIn,
  openCode,
  ownAdvertiser,
} from './queries.ts'
import { chooseSystemUser, CODE_MS, newCode, stateAfter } from './rules.ts'

export interface Asking {
  db: Db
  user: SignedInUser
  now: Date
  spreadsheets: SpreadsheetEffects
}

interface Target {
  spreadsheet_id: string
  sheet_name: string | null
  start_cell: string | null
  /** The tab that was written to last. */
  sheet_id?: number | undefined
}

/**
 * May the asking person's reports write there? In this order: can the system user write the file at all; is it proven to be this person's, or
 * can it be proven now; is the tab there. Nothing about a file is told before it is proven, and somebody else's answers exactly like one
 * that is not shared.
 */
export async function checkTarget(target: Target, asking: Asking): Promise<PermissionReply> {
  const { reply, system_user } = await findOut(target, asking)
  await noteOutcome(target, reply.result, asking)
  return { ...reply, system_user: system_user ?? (await systemUserToShareWith(asking)) }
}

interface Found {
  reply: Omit<PermissionReply, 'system_user'>
  /** Who has the file, where the person may know it. */
  system_user: string | null
}

async function findOut(target: Target, asking: Asking): Promise<Found> {
  const { spreadsheet_id, sheet_name, start_cell, sheet_id } = target
  const { title, system_user, ...control } = await controlOf(spreadsheet_id, asking)
  if (control.result !== 'ok') return { reply: control, system_user }
  if (sheet_name === null) return { reply: { result: 'ok', ...(title !== null && { title }) }, system_user }
  const { result, ...rest } = await asking.spreadsheets.check(asking.db, {
    spreadsheet_id,
    sheet_name,
    ...(start_cell !== null && { start_cell }),
    ...(sheet_id !== undefined && { sheet_id }),
  })
  const reply = { result, ...(result === 'ok' && title !== null && { title }), ...rest }
  return { reply, system_user }
}

interface Control {
  result: PermissionResult
  code?: string
  /** null as long as the file is none of the person's. */
  title: string | null
  system_user: string | null
}

/** Whether the person may use the file, proving it where that is possible; with `proof_required`, the code to type. */
export async function controlOf(spreadsheet_id: string, asking: Asking): Promise<Control> {
  // Asked first in any case, so that what is bound cannot be told from what is not by asking while the service is away.
  const found = await asking.spreadsheets.seek(asking.db, spreadsheet_id)
  const { result, system_user } = found
  const binding = await findBinding(asking.db, spreadsheet_id)
  if (result === 'unreachable' || (binding === null && result !== 'ok'))
    return { result, title: null, system_user }
  if (binding !== null) return (await mayUse(asking, binding)) ? found : NOT_THEIRS
  const proven = await prove(spreadsheet_id, asking)
  if (proven.result === 'ok') return found
  return proven.result === 'not_shared' ? NOT_THEIRS : { ...proven, title: null, system_user }
}

const NOT_THEIRS: Control = { result: 'not_shared', title: null, system_user: null }

/** The one that this person is told of: colleagues of one client have the same, the agency's own people each their own. */
export async function systemUserToShareWith({ db, user, spreadsheets: { system_users } }: Asking) {
  const addresses = system_users.map(({ address }) => address)
  const [first, ...others] = addresses
  if (first !== undefined && others.length === 0) return first
  const advertiser = isInternal(user) ? null : await ownAdvertiser(db, user.id)
  const key = advertiser === null ? `person ${user.id}` : `advertiser ${advertiser}`
  return chooseSystemUser(addresses, { key, standing: await countBySystemUser(db, user.id) })
}

async function mayUse({ db, user }: Asking, binding: { advertiser: number | null }): Promise<boolean> {
  return mayUseSpreadsheet(user, binding, await advertisersOf(db, user))
}

async function prove(
  spreadsheet_id: string,
  asking: Asking,
): Promise<{ result: PermissionResult; code?: string }> {
  const { db, user, now } = asking
  const advertiser = isInternal(user) ? null : await ownAdvertiser(db, user.id)
  // A client of no advertiser has nobody whose it could be.
  if (!isInternal(user) && advertiser === null) return { result: 'not_shared' }
  try {
    const proof = await proofOf(spreadsheet_id, asking)
    if (proof === null) return { result: 'proof_required', code: await giveCode(spreadsheet_id, asking) }
    const is_first = await bind({ spreadsheet_id, advertiser, proven_by: user.id, proof }, { db, now })
    const binding = is_first ? { advertiser } : await findBinding(db, spreadsheet_id)
    return { result: binding && (await mayUse(asking, binding)) ? 'ok' : 'not_shared' }
  } catch (error) {
    if (error instanceof SheetsFailure) return { result: 'unreachable' }
    throw error
  }
}

async function proofOf(
  spreadsheet_id: string,
  { db, user, now, spreadsheets }: Asking,
): Promise<'permission' | 'code' | null> {
  if (
    user.email !== null &&
    user.email_confirmed &&
    (await spreadsheets.emailControls(db, spreadsheet_id, user.email))
  )
    return 'permission'
  const code = await openCode(db, spreadsheet_id, { user_id: user.id, now })
  return code !== null && (await spreadsheets.findCode(db, spreadsheet_id, code)) ? 'code' : null
}

const giveCode = (spreadsheet_id: string, { db, user, now }: Asking) =>
  inTransaction(db, trx =>
    codeFor(
      trx,
      { spreadsheet_id, user_id: user.id },
      { code: newCode(), expires_at: new Date(now.getTime() + CODE_MS), now },
    ),
  )

const bind = (binding: Parameters<typeof insertBinding>[1], { db, now }: { db: Db; now: Date }) =>
  inTransaction(db, async trx => {
    const is_first = await insertBinding(trx, binding, now)
    if (!is_first) return false
    await deleteCodes(trx, binding.spreadsheet_id)
    const { spreadsheet_id: object_id, proven_by: actor, ...detail } = binding
    await writeAudit(
      trx,
      { actor, action: 'spreadsheet.bind', object: 'spreadsheet', object_id, detail },
      now,
    )
    return true
  })

/** What was found is kept on the person's reports there. */
async function noteOutcome(
  { spreadsheet_id, sheet_name }: Target,
  result: PermissionResult,
  { db, user, now }: Asking,
) {
  await inTransaction(db, async trx => {
    for (const report of await lockReportsIn(trx, user.id, spreadsheet_id)) {
      const target_state = stateAfter(result, { checked_tab: sheet_name, report })
      if (target_state !== undefined) await noteTargetState(trx, report, { target_state, now })
    }
  })
}

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
  deleteCodes,
  findBinding,
  insertBinding,
  lockReportsIn,
  openCode,
  ownAdvertiser,
} from './queries.ts'
import { CODE_MS, newCode, stateAfter } from './rules.ts'

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
}

/**
 * May the asking person's reports write there? In this order: can the system user write the file at all; is it proven to be this person's, or
 * can it be proven now; is the tab there. Nothing about a file is told before it is proven, and somebody else's answers exactly like one
 * that is not shared.
 */
export async function checkTarget(target: Target, asking: Asking): Promise<PermissionReply> {
  const reply = await findOut(target, asking)
  await noteOutcome(target, reply.result, asking)
  return { ...reply, system_user: asking.spreadsheets.system_user }
}

type Found = Omit<PermissionReply, 'system_user'>

async function findOut({ spreadsheet_id, sheet_name, start_cell }: Target, asking: Asking): Promise<Found> {
  const control = await controlOf(spreadsheet_id, asking)
  if (control.result !== 'ok') return control
  const { result, title } = await asking.spreadsheets.check({
    spreadsheet_id,
    ...(sheet_name !== null && { sheet_name }),
    ...(start_cell !== null && { start_cell }),
  })
  return { result, ...(result === 'ok' && title !== undefined && { title }) }
}

/** Whether the person may use the file, proving it where that is possible; with `proof_required`, the code to type. */
export async function controlOf(
  spreadsheet_id: string,
  asking: Asking,
): Promise<{ result: PermissionResult; code?: string }> {
  // Asked first in any case, so that what is bound cannot be told from what is not by asking while the service is away.
  const { result } = await asking.spreadsheets.check({ spreadsheet_id })
  const binding = await findBinding(asking.db, spreadsheet_id)
  if (result === 'unreachable' || (binding === null && result !== 'ok')) return { result }
  if (binding === null) return await prove(spreadsheet_id, asking)
  return { result: (await mayUse(asking, binding)) ? result : 'not_shared' }
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
    (await spreadsheets.emailControls(spreadsheet_id, user.email))
  )
    return 'permission'
  const code = await openCode(db, spreadsheet_id, { user_id: user.id, now })
  return code !== null && (await spreadsheets.findCode(spreadsheet_id, code)) ? 'code' : null
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

import type { CheckContext } from '#server/resources/spreadsheets/control.ts'
import type { PermissionReply, PermissionResult } from '#shared/api/spreadsheets.ts'
import { systemUserToShareWith, controlOf } from '#server/resources/spreadsheets/control.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { stateAfter } from '#server/resources/spreadsheets/rules.ts'
import { saveTargetState } from '#server/resources/reports/queries.ts'
import { lockReportsIn } from './queries.ts'

/**
 * Whether the asking person's reports may write there. In this order: can the system user write the file at
 * all; is it proven to be this person's, or can it be proven now; does the tab exist. Nothing about a file is
 * revealed before it is proven, and another person's is treated exactly like one that is not shared.
 */
export async function checkTarget(target: Target, context: CheckContext): Promise<PermissionReply> {
  const { reply, system_user } = await findOut(target, context)
  await noteOutcome(target, reply.result, context)
  return { ...reply, system_user: system_user ?? (await systemUserToShareWith(context)) }
}

interface CheckedTarget {
  reply: Omit<PermissionReply, 'system_user'>
  /** The system user of the file, where the person may know it. */
  system_user: string | null
}

async function findOut(target: Target, context: CheckContext): Promise<CheckedTarget> {
  const { spreadsheet_id, sheet_name, start_cell, sheet_id } = target
  const { title, system_user, ...control } = await controlOf(spreadsheet_id, context)
  if (control.result !== 'ok') return { reply: control, system_user }
  if (sheet_name === null) return { reply: { result: 'ok', ...(title !== null && { title }) }, system_user }
  const { result, ...rest } = await context.spreadsheets.check(context.db, {
    spreadsheet_id,
    sheet_name,
    ...(start_cell !== null && { start_cell }),
    ...(sheet_id !== undefined && { sheet_id }),
  })
  const reply = { result, ...(result === 'ok' && title !== null && { title }), ...rest }
  return { reply, system_user }
}

/** The result is stored in the person's reports there. */
async function noteOutcome(
  { spreadsheet_id, sheet_name }: Target,
  result: PermissionResult,
  { db, user, now }: CheckContext,
) {
  await inTransaction(db, async trx => {
    for (const report of await lockReportsIn(trx, user.id, spreadsheet_id)) {
      const target_state = stateAfter(result, { checked_tab: sheet_name, report })
      if (target_state !== undefined) await saveTargetState(trx, report, { target_state, now })
    }
  })
}

export interface Target {
  spreadsheet_id: string
  sheet_name: string | null
  start_cell: string | null
  /** The tab that was written to last. */
  sheet_id?: number | undefined
}

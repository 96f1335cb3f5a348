import type { CheckContext } from '#server/resources/spreadsheets/control.ts'
import type { PermissionReply, PermissionResult } from '#shared/api/spreadsheets.ts'
import { systemUserToShareWith, controlOf } from '#server/resources/spreadsheets/control.ts'
import { GOOGLE_ORIGIN, spreadsheetUrl, type SpreadsheetAddress } from '#shared/spreadsheet-url.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { ApiSettings } from '#server/http/effects.ts'
import { Refusal } from '#server/http/refusal.ts'
import { sheetService } from '#server/resources/sheets/service.ts'
import { stateAfter } from '#server/resources/spreadsheets/rules.ts'
import { saveTargetState } from '#server/resources/reports/queries.ts'
import { lockReportsIn } from './queries.ts'

/** The same for an address as somebody has typed it, with what the person may do about it. */
export async function checkAddress(
  { text, ...address }: SpreadsheetAddress & { text: string },
  target: Omit<Target, 'spreadsheet_id'>,
  context: CheckContext & { settings: ApiSettings },
): Promise<PermissionReply> {
  const { spreadsheet_id } = address
  const { built_in_sheets, public_url } = context.settings
  const found = await checkTarget({ ...target, spreadsheet_id }, context)
  // What the product can write to is in its own service; of any other file only the person's own view counts.
  const isOfFile = unusable.includes(found.result)
  const own = isOfFile ? await ownView(spreadsheet_id, context) : null
  const isBuiltIn = built_in_sheets !== undefined && (!isOfFile || own !== null)
  const url = spreadsheetUrl(address, isBuiltIn ? public_url : GOOGLE_ORIGIN)
  return {
    ...found,
    ...(url !== text && { spreadsheet_url: url }),
    ...(own?.ownedByMe === true && sharable.includes(found.result) && { can_share: true }),
  }
}

const sharable: readonly PermissionResult[] = ['not_shared', 'not_editor']
const unusable: readonly PermissionResult[] = ['not_shared', 'not_editor', 'proof_required', 'unreachable']

/** A built-in file as the person themselves sees it; null: they do not. */
async function ownView(
  id: string,
  { user, settings: { built_in_sheets } }: CheckContext & { settings: ApiSettings },
) {
  if (!built_in_sheets || user.email === null) return null
  return await sheetService(built_in_sheets, user.email)
    .file(id)
    .catch((error: unknown) => {
      if (error instanceof Refusal) return null
      throw error
    })
}

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

interface Target {
  spreadsheet_id: string
  sheet_name: string | null
  start_cell: string | null
  /** The tab that was written to last. */
  sheet_id?: number | undefined
}

import { mayUseSpreadsheet } from '#shared/access.ts'
import type { Db } from '#server/db/connect.ts'
import { type OwnerAccess, findOwnerAccess } from '#server/resources/people/queries.ts'
import { findBinding } from '#server/resources/spreadsheets/queries.ts'
import { isDeleted } from '#server/resources/reports/queries.ts'
import { runFailure, runCancelled } from './failure.ts'
import { usableAccounts } from '#server/resources/ad-accounts/queries.ts'

/** Throws account_access_lost for an owner who has resigned or whose account is closed. */
export async function accessOfOwner(db: Db, owner: number): Promise<OwnerAccess> {
  const access = await findOwnerAccess(db, owner)
  if (!access) throw runFailure('account_access_lost', { owner })
  return access
}

/** Throws when an account whose numbers are in the table may no longer be used. */
export async function refuseLostAccounts(db: Db, access: OwnerAccess, ids: readonly number[]): Promise<void> {
  const usable = new Set((await usableAccounts(db, access, ids)).map(account => account.id))
  const lost = ids.filter(id => !usable.has(id))
  if (lost.length > 0) throw runFailure('account_access_lost', { accounts: lost })
}

/** Throws when the report has been deleted: its table is not written any more. */
export async function refuseDeletedReport(db: Db, report: number): Promise<void> {
  if (await isDeleted(db, report)) throw runCancelled()
}

/**
 * Throws unless the owner may write to the spreadsheet: a foreign one is treated like one that is not shared.
 */
export async function refuseSpreadsheet(db: Db, access: OwnerAccess, spreadsheet_id: string) {
  const binding = await findBinding(db, spreadsheet_id)
  if (!binding) throw runFailure('proof_required')
  if (!mayUseSpreadsheet(access.person, binding, access.advertisers))
    throw runFailure('spreadsheet_not_shared')
  return binding
}

import { mayUseSpreadsheet } from '#shared/access.ts'
import type { Db } from '#server/db/connect.ts'
import { accessOf, findOwnerAccess, type OwnerAccess } from '#server/resources/people/queries.ts'
import type { Binding } from '#server/resources/spreadsheets/queries.ts'
import { isDeleted } from '#server/resources/reports/queries.ts'
import { runFailure, runCancelled } from './failure.ts'
import { usableAccounts } from '#server/resources/ad-accounts/queries.ts'
import type { ClaimedRun } from './lease-queries.ts'
import { ownerAndBinding } from './queries.ts'

/** Throws account_access_lost for an owner who has resigned or whose account is closed. */
export async function accessOfOwner(db: Db, owner: number): Promise<OwnerAccess> {
  const access = await findOwnerAccess(db, owner)
  if (!access) throw runFailure('account_access_lost', { owner })
  return access
}

/**
 * Throws unless the run may write to the spreadsheet: its owner may still use it and the accounts, and the
 * report exists.
 */
export async function refuseRevoked(
  db: Db,
  run: Pick<ClaimedRun, 'owner' | 'report'>,
  { spreadsheet_id, accounts }: { spreadsheet_id: string; accounts: readonly number[] },
): Promise<Binding> {
  const found = await ownerAndBinding(db, run, spreadsheet_id)
  const access = found ? await accessOf(db, found.person) : await accessOfOwner(db, run.owner)
  if (!found) await refuseDeletedReport(db, run.report)
  if (!found) throw runFailure('proof_required')
  refuseForeign(access, found.binding)
  await refuseLostAccounts(db, access, accounts)
  return found.binding
}

/** Throws when an account whose numbers are in the table may no longer be used. */
async function refuseLostAccounts(db: Db, access: OwnerAccess, ids: readonly number[]): Promise<void> {
  const usable = new Set((await usableAccounts(db, access, ids)).map(account => account.id))
  const lost = ids.filter(id => !usable.has(id))
  if (lost.length > 0) throw runFailure('account_access_lost', { accounts: lost })
}

/** Throws when the report has been deleted: its table is not written any more. */
async function refuseDeletedReport(db: Db, report: number): Promise<void> {
  if (await isDeleted(db, report)) throw runCancelled()
}

/** A foreign spreadsheet is treated like one that is not shared. */
function refuseForeign({ person, advertisers }: OwnerAccess, binding: Binding) {
  if (!mayUseSpreadsheet(person, binding, advertisers)) throw runFailure('spreadsheet_not_shared')
}

import { mayUseSpreadsheet, type Person } from '#shared/access.ts'
import type { Db } from '#server/db/connect.ts'
import { advertisersOf, readPerson } from '#server/resources/people/queries.ts'
import { findBinding } from '#server/resources/spreadsheets/queries.ts'
import { RunFailure } from './failure.ts'
import { RunCancelled } from './lease.ts'
import type { AccountFacts } from '#server/table/plan.ts'

/** What a report's owner may use at this moment; a report runs with its owner's access, asked again at each step that matters. */
export interface OwnerAccess {
  person: Person
  advertisers: 'all' | readonly number[]
}

/** Throws account_access_lost for an owner who has resigned or whose account is closed. */
export async function accessOfOwner(db: Db, owner: number): Promise<OwnerAccess> {
  const access = await findOwnerAccess(db, owner)
  if (!access) throw new RunFailure('account_access_lost', { owner })
  return access
}

/** null for an owner who has resigned or whose account is closed. */
export async function findOwnerAccess(db: Db, owner: number): Promise<OwnerAccess | null> {
  const person = await readPerson(db, owner)
  return person ? { person, advertisers: await advertisersOf(db, person) } : null
}

/** Those of the accounts that the owner may use. */
export async function usableAccounts(
  db: Db,
  { advertisers }: Pick<OwnerAccess, 'advertisers'>,
  ids: readonly number[],
): Promise<AccountFacts[]> {
  if (ids.length === 0) return []
  const accounts = db
    .selectFrom('ad_account')
    .select([
      'id',
      'channel',
      'provider',
      'external_id',
      'via',
      'public_account',
      'name',
      'currency',
      'timezone',
      'ecid',
      'ga_account_id',
      'ga_account_name',
      'property_id',
      'property_name',
    ])
    .where('id', 'in', ids)
  if (advertisers === 'all') return await accounts.execute()
  return advertisers.length === 0 ? [] : await accounts.where('advertiser', 'in', advertisers).execute()
}

/** Throws when an account whose numbers are in the table may no longer be used. */
export async function refuseLostAccounts(db: Db, access: OwnerAccess, ids: readonly number[]): Promise<void> {
  const usable = new Set((await usableAccounts(db, access, ids)).map(account => account.id))
  const lost = ids.filter(id => !usable.has(id))
  if (lost.length > 0) throw new RunFailure('account_access_lost', { accounts: lost })
}

/** Throws when the report has been deleted: what nobody wants any more is not written. */
export async function refuseDeletedReport(db: Db, report: number): Promise<void> {
  const { deleted_at } = await db
    .selectFrom('report')
    .select('deleted_at')
    .where('id', '=', report)
    .executeTakeFirstOrThrow(() => new RunCancelled())
  if (deleted_at !== null) throw new RunCancelled()
}

/** Throws unless the owner may write to the spreadsheet: someone else's answers like one that is not shared. */
export async function refuseSpreadsheet(db: Db, access: OwnerAccess, spreadsheet_id: string) {
  const binding = await findBinding(db, spreadsheet_id)
  if (!binding) throw new RunFailure('proof_required')
  if (!mayUseSpreadsheet(access.person, binding, access.advertisers))
    throw new RunFailure('spreadsheet_not_shared')
  return binding
}

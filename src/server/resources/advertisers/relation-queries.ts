import { advertiserScope, type Person } from '#shared/access.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import { advertiserIdsOf } from '#server/resources/people/queries.ts'

/** The advertisers of the accounts. */
export async function ownersOf(db: Db, ids: readonly number[]) {
  return await db
    .selectFrom('ad_account')
    .select(['id', 'name', 'advertiser'])
    .where('id', 'in', [...ids])
    .orderBy('id')
    .execute()
}

export async function relatedAccounts(db: Db, advertiser: number, channels: readonly Channel[]) {
  const rows = await db
    .selectFrom('ad_account')
    .select('id')
    .where('advertiser', '=', advertiser)
    .where('channel', 'in', [...channels])
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Those of the accounts that a person may assign: the ones that they may use, and for those who see all the
 * unassigned ones.
 */
export async function accountsToRelate(
  db: Db,
  person: Person,
  { ids, channels }: { ids: readonly number[]; channels: readonly Channel[] },
) {
  const accounts = db
    .selectFrom('ad_account')
    .select('id')
    .where('id', 'in', [...ids])
    .where('channel', 'in', [...channels])
  const found =
    advertiserScope[person.identity] === 'all'
      ? accounts
      : accounts.where('advertiser', 'in', advertiserIdsOf(person))
  return (await found.execute()).map(({ id }) => id)
}

export async function relate(
  trx: Trx,
  { ids, advertiser }: { ids: readonly number[]; advertiser: number | null },
  now: Date,
): Promise<void> {
  await trx
    .updateTable('ad_account')
    .set({ advertiser, last_modified_at: now })
    .where('id', 'in', [...ids])
    .execute()
}

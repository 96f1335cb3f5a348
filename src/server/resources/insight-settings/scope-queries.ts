import { sql, type RawBuilder } from 'kysely'
import { advertiserScope, type Person } from '#shared/access.ts'
import type { Trx } from '#server/db/transaction.ts'
import { isUsable } from '#server/resources/advertisers/queries.ts'
import { advertiserIdsOf } from '#server/resources/people/queries.ts'

/** Whether a column names nobody, which is the whole agency, or an advertiser whom a person serves. */
export const meantFor = (person: Person, column: string): RawBuilder<boolean> =>
  advertiserScope[person.identity] === 'all'
    ? sql`true`
    : sql`(${sql.ref(column)} is null or ${sql.ref(column)} in ${advertiserIdsOf(person)})`

/** `agency`: the agency's alone; undefined: all. */
export function ofAdvertiser(advertiser: number | 'agency' | undefined, column: string): RawBuilder<boolean> {
  if (advertiser === undefined) return sql`true`
  return advertiser === 'agency' ? sql`${sql.ref(column)} is null` : sql`${sql.ref(column)} = ${advertiser}`
}

/** Locks an advertiser, or the agency; false: it is none of the person's. */
export async function holdScope(trx: Trx, person: Person, advertiser: number | null): Promise<boolean> {
  if (advertiser === null) {
    await trx.selectFrom('issuer').select('is_only').forNoKeyUpdate().execute()
    return true
  }
  return (await isUsable(trx, person, advertiser)) && (await holdAdvertiser(trx, advertiser))
}

const holdAdvertiser = async (trx: Trx, id: number) =>
  (await trx
    .selectFrom('advertiser')
    .select('id')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()) !== undefined

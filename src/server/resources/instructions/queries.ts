import { z } from 'zod'
import type { UpdateInstructions } from '#shared/api/instructions.ts'
import type { Platform } from '#shared/platforms.ts'
import type { Db } from '#server/db/connect.ts'

const NAME = 'agency_values'
const Saved = z.partialRecord(z.string(), z.string().nullable())

/** What a superuser has set. */
export async function agencyValues(db: Db): Promise<UpdateInstructions> {
  const saved = await db.selectFrom('setting').select('value').where('name', '=', NAME).executeTakeFirst()
  return saved ? Saved.parse(JSON.parse(Buffer.from(saved.value).toString())) : {}
}

export async function saveAgencyValues(db: Db, values: UpdateInstructions) {
  const value = Buffer.from(JSON.stringify(values))
  await db
    .insertInto('setting')
    .values({ name: NAME, value })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** The shared logins of these platforms, the oldest first. */
export const loginsOf = async (db: Db, platforms: readonly Platform[]): Promise<number[]> =>
  (
    await db
      .selectFrom('public_account')
      .select('id')
      .where('platform', 'in', platforms)
      .orderBy('id')
      .execute()
  ).map(({ id }) => id)

/** Of the people who have connected to Google and whose login reads reports. */
export const reportingAddresses = async (db: Db): Promise<string[]> =>
  (
    await db
      .selectFrom('public_account')
      .innerJoin('public_account_service', 'public_account_service.public_account', 'public_account.id')
      .select('person_email')
      .where('platform', '=', 'google')
      .where('kind', '=', 'oauth')
      .where('service', '=', 'reporting')
      .where('enabled', '=', true)
      .orderBy('public_account.id')
      .execute()
  ).flatMap(({ person_email: address }) => address ?? [])

import type { Updateable } from 'kysely'
import type { ConnectablePlatform } from '#shared/connect.ts'
import type { Db } from '#server/db/connect.ts'
import type { Database } from '#server/db/schema.ts'

export const findApps = (db: Db) => db.selectFrom('platform_app').selectAll().orderBy('platform').execute()

export async function findApp(db: Db, platform: ConnectablePlatform) {
  const app = await db
    .selectFrom('platform_app')
    .selectAll()
    .where('platform', '=', platform)
    .executeTakeFirst()
  return app ?? null
}
export type AppRow = NonNullable<Awaited<ReturnType<typeof findApp>>>

/** False: somebody has changed it since that version. */
export async function saveApp(
  db: Db,
  { platform, version, ...changes }: { platform: ConnectablePlatform; version: number } & AppChanges,
): Promise<boolean> {
  if (version === 0) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('platform_app')
      .values({ platform, ...changes })
      .onConflict(conflict => conflict.doNothing())
      .executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows === 1n
  }
  const { numUpdatedRows } = await db
    .updateTable('platform_app')
    .set(eb => ({ ...changes, version: eb('version', '+', 1) }))
    .where('platform', '=', platform)
    .where('version', '=', version)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
type AppChanges = Omit<Updateable<Database['platform_app']>, 'platform' | 'version'>

/** Unless other secrets have been entered meanwhile; returns the number of rows. */
export async function replaceAppSecrets(
  db: Db,
  { platform, version }: AppRow,
  secrets: Pick<AppRow, 'client_secret' | 'developer_token'>,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('platform_app')
    .set(secrets)
    .where('platform', '=', platform)
    .where('version', '=', version)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** The logins that people have agreed to at a platform. */
export const connectedLogins = async (db: Db, platform: ConnectablePlatform): Promise<number[]> =>
  (
    await db
      .selectFrom('public_account')
      .select('id')
      .where('platform', '=', platform)
      .where('kind', '=', 'oauth')
      .orderBy('id')
      .execute()
  ).map(({ id }) => id)

import type { Db } from '#server/db/connect.ts'

const NAME = 'member_key'

export async function sealedKey(db: Db): Promise<Uint8Array | null> {
  const saved = await db.selectFrom('setting').select('value').where('name', '=', NAME).executeTakeFirst()
  return saved?.value ?? null
}

/** The first one stays; returns that. */
export async function insertKey(db: Db, value: Uint8Array): Promise<Uint8Array> {
  await db
    .insertInto('setting')
    .values({ name: NAME, value })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  return (await sealedKey(db)) ?? value
}

export async function replaceKey(
  db: Db,
  { before, after }: { before: Uint8Array; after: Uint8Array },
): Promise<void> {
  await db
    .updateTable('setting')
    .set({ value: after })
    .where('name', '=', NAME)
    .where('value', '=', before)
    .execute()
}

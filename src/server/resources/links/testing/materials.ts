import { randomBytes } from 'node:crypto'
import type { Db } from '#server/db/connect.ts'

/** What links name, without the resources that make it; null: the agency's. */
export const materials = (db: Db) => ({
  site: async (advertiser: number) =>
    idOf(
      await db
        .insertInto('site')
        .values({ advertiser, name: 'Shop', url: `https://${randomBytes(8).toString('hex')}.demo/` })
        .returning('id')
        .executeTakeFirstOrThrow(),
    ),
  publisher: async () =>
    idOf(
      await db
        .insertInto('publisher')
        .values({ name: `Publisher ${randomBytes(8).toString('hex')}`, type: 'social', channel: null })
        .returning('id')
        .executeTakeFirstOrThrow(),
    ),
  async image(advertiser: number | null) {
    const sha256 = await blob(db)
    const previews = { preview_320: sha256, preview_1280: sha256 }
    const facts = { name: 'Image', mime: 'image/png' as const, size: 1, width: 1, height: 1 }
    return idOf(
      await db
        .insertInto('image')
        .values({ ...facts, ...previews, advertiser, sha256, source_sha256: sha256, uploaded_by: null })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
  },
  async file(advertiser: number | null) {
    const facts = { name: 'File', mime: 'application/pdf', size: 1, uploaded_by: null }
    return idOf(
      await db
        .insertInto('file')
        .values({ ...facts, advertiser, sha256: await blob(db) })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
  },
})

const idOf = ({ id }: { id: number }) => id

async function blob(db: Db): Promise<string> {
  const sha256 = randomBytes(32).toString('hex')
  await db.insertInto('blob').values({ sha256, size: 1 }).execute()
  return sha256
}

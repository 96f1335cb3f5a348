import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { dirname } from 'node:path'
import type { Db } from '#server/db/connect.ts'
import type { Temporary } from '#server/files/temporary.ts'

export const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** A complete temporary file, of some random bytes unless it is said of which. */
export async function temporaryFile(temporary: Temporary, bytes: Uint8Array = randomBytes(1000)) {
  return { ...(await temporary.write([bytes])), bytes }
}

/** Where they are made. */
export async function folderOf(temporary: Temporary): Promise<string> {
  const { path } = await temporaryFile(temporary)
  await temporary.discard(path)
  return dirname(path)
}

/** The row of a file, whose blob is there. */
export const insertFile = async (
  db: Db,
  { sha256, size = 1000, advertiser = null }: { sha256: string; size?: number; advertiser?: number | null },
) =>
  await db
    .insertInto('file')
    .values({ advertiser, name: `${randomUUID()}.pdf`, mime: 'application/pdf', size, sha256 })
    .returning('id')
    .executeTakeFirstOrThrow()

/** The row of an image, whose blobs are there. */
export const insertImage = async (
  db: Db,
  image: {
    sha256: string
    preview_320: string
    preview_1280: string
    advertiser?: number | null
    size?: number
  },
) =>
  await db
    .insertInto('image')
    .values({
      name: `${randomUUID()}.png`,
      mime: 'image/png',
      size: 1000,
      source_sha256: sha256Of(randomBytes(8)),
      width: 1,
      height: 1,
      ...image,
    })
    .returning('id')
    .executeTakeFirstOrThrow()

/** Blobs of which nothing is stored; returns their hashes. */
export async function insertBlobs(db: Db, count: number): Promise<string[]> {
  const hashes = Array.from({ length: count }, () => sha256Of(randomBytes(8)))
  await db
    .insertInto('blob')
    .values(hashes.map(sha256 => ({ sha256, size: 1000 })))
    .execute()
  return hashes
}

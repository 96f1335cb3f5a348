import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatsMet } from '#shared/materials/format-verdicts.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import { storeBlobs } from '#server/files/blob-queries.ts'
import type { Picture, Pictures } from '#server/files/pictures.ts'
import type { FileStore } from '#server/files/store.ts'
import type { Temporary, TemporaryFile } from '#server/files/temporary.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { idIn } from './campaigns.ts'
import { demoFiles, demoImages, type DemoMaterial } from './material-list.ts'

const FOLDER = join(import.meta.dirname, 'materials')

interface Storage {
  store: FileStore
  temporary: Temporary
  pictures: Pictures
}

interface ReadImage extends DemoMaterial {
  source_bytes: Uint8Array
  picture: Picture
}

/** The content of the demo's images and files, in the storage; before the transaction that names it. */
export async function storeMaterials(db: Db, storage: Storage, now: Date) {
  const images = await Promise.all(
    demoImages.map(async (image): Promise<ReadImage> => {
      const bytes = await readFile(join(FOLDER, image.source))
      const picture = await storage.pictures.read(bytes)
      if (typeof picture === 'string') throw new Error(`${image.source} of the demo: ${picture}`)
      return { ...image, source_bytes: bytes, picture }
    }),
  )
  const files = await Promise.all(
    demoFiles.map(async file => ({ ...file, content: await readFile(join(FOLDER, file.source)) })),
  )
  const contents = [
    ...images.flatMap(({ picture }) => [picture.content, ...Object.values(picture.previews)]),
    ...files.map(({ content }) => content),
  ]
  const blobs: TemporaryFile[] = []
  for (const content of contents) blobs.push(await storage.temporary.write([content]))
  await storeBlobs(db, { store: storage.store, blobs, now })
  return { images, files }
}

interface Owners {
  advertisers: ReadonlyMap<string, number>
  people: ReadonlyMap<string, number>
  now: Date
}

/** Returns the ids of the images by name. */
export async function insertMaterials(
  trx: Trx,
  { images, files }: Awaited<ReturnType<typeof storeMaterials>>,
  owners: Owners,
): Promise<ReadonlyMap<string, number>> {
  const made = new Map<string, number>()
  for (const image of images) {
    const { picture, source_bytes } = image
    const { mime, width, height, is_animated, content, previews } = picture
    const size = content.length
    const row = {
      ...owned(image, owners),
      mime,
      width,
      height,
      is_animated,
      size,
      sha256: hash('sha256', content),
      source_sha256: hash('sha256', source_bytes),
      formats: formatsMet({ width, height, size, mime }),
      preview_320: hash('sha256', previews[320]),
      preview_1280: hash('sha256', previews[1280]),
    }
    const { id } = await trx.insertInto('image').values(row).returning('id').executeTakeFirstOrThrow()
    made.set(image.name, id)
    await note(trx, { noun: 'image', id, ...row, now: owners.now })
  }
  for (const file of files) {
    const { mime, content } = file
    const row = { ...owned(file, owners), mime, size: content.length, sha256: hash('sha256', content) }
    const { id } = await trx.insertInto('file').values(row).returning('id').executeTakeFirstOrThrow()
    await note(trx, { noun: 'file', id, ...row, now: owners.now })
  }
  return made
}

const owned = (
  { name, advertiser, tags = [], uploaded_by }: DemoMaterial,
  { advertisers, people, now }: Owners,
) => ({
  name,
  tags,
  advertiser: advertiser === null ? null : idIn(advertisers, advertiser),
  uploaded_by: idIn(people, uploaded_by),
  created_at: now,
  last_modified_at: now,
})

const note = (trx: Trx, row: { noun: string; id: number; uploaded_by: number; name: string; now: Date }) =>
  writeAudit(
    trx,
    {
      actor: row.uploaded_by,
      action: `${row.noun}.upload`,
      object: row.noun,
      object_id: row.id,
      detail: { name: row.name },
    },
    row.now,
  )

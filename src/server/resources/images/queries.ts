import { sql } from 'kysely'
import type { z } from 'zod'
import type { Person } from '#shared/access.ts'
import type { ImageQuery } from '#shared/api/materials.ts'
import type { ImageType } from '#shared/images.ts'
import type { ImageFormat } from '#shared/materials/image-formats.ts'
import type { Db } from '#server/db/connect.ts'
import { directionOf } from '#server/db/list-terms.ts'
import type { Trx } from '#server/db/transaction.ts'
import { matching, namesOf, orderOf, visibleTo } from '#server/resources/materials/queries.ts'
import type { SameMaterial } from '#server/resources/materials/upload.ts'

export type ImageFilter = z.output<typeof ImageQuery>

export async function listImages(db: Db, person: Person, { meets, ...query }: ImageFilter) {
  let found = db.selectFrom('image').where(matching('image', person, query))
  if (meets !== undefined) found = found.where(sql<boolean>`image.formats @> array[${meets}]`)
  const { count } = await found.select(eb => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const direction = directionOf(query.ordering)
  const rows = await named(found, person)
    .orderBy(orderOf('image', query.ordering.replace('-', '')), orderBy =>
      direction === 'desc' ? orderBy.desc().nullsLast() : orderBy.asc().nullsLast(),
    )
    .orderBy('image.id', direction)
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  return { count, rows }
}

const of = (db: Db) => db.selectFrom('image')

const named = (found: ReturnType<typeof of>, person: Person) =>
  found
    .leftJoin('advertiser', 'advertiser.id', 'image.advertiser')
    .leftJoin('users as uploader', 'uploader.id', 'image.uploaded_by')
    .selectAll('image')
    .select(namesOf('image', person))

export const findImage = (db: Db, person: Person, id: number) =>
  named(of(db).where('image.id', '=', id).where(visibleTo('image', person)), person).executeTakeFirst()
export type ImageRow = NonNullable<Awaited<ReturnType<typeof findImage>>>

/** The row of an advertiser that was made from these bytes. */
export async function findSameImage(
  db: Db,
  { advertiser, source_sha256 }: { advertiser: number | null; source_sha256: string },
): Promise<SameMaterial | null> {
  const { rows } = await sql<SameMaterial>`
    select id, array[sha256, preview_320, preview_1280] as blobs from image
    where coalesce(advertiser, 0) = ${advertiser ?? 0} and source_sha256 = ${source_sha256}`.execute(db)
  return rows[0] ?? null
}

export interface NewImage {
  advertiser: number | null
  name: string
  tags: string[]
  mime: ImageType
  size: number
  sha256: string
  source_sha256: string
  width: number
  height: number
  is_animated: boolean
  formats: ImageFormat[]
  preview_320: string
  preview_1280: string
  uploaded_by: number
}

export async function insertImage(trx: Trx, image: NewImage, now: Date): Promise<number> {
  const { id } = await trx
    .insertInto('image')
    .values({ ...image, created_at: now, last_modified_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Where the same picture is now encoded in another way than when it was stored. */
export async function updateContent(
  trx: Trx,
  id: number,
  { size, sha256, formats, preview_320, preview_1280, now }: NewImage & { now: Date },
): Promise<void> {
  await trx
    .updateTable('image')
    .set({ size, sha256, formats, preview_320, preview_1280, last_modified_at: now })
    .set('version', sql`version + 1`)
    .where('id', '=', id)
    .where(sql<boolean>`(sha256, preview_320, preview_1280) <> (${sha256}, ${preview_320}, ${preview_1280})`)
    .execute()
}

/** Of the image itself and of its previews, for whoever has the link. */
export async function findContent(db: Db, id: number) {
  return await db
    .selectFrom('image')
    .leftJoin('blob as small', 'small.sha256', 'image.preview_320')
    .leftJoin('blob as large', 'large.sha256', 'image.preview_1280')
    .select(['image.name', 'image.mime', 'image.size', 'image.sha256', 'preview_320', 'preview_1280'])
    .select(['small.size as size_320', 'large.size as size_1280'])
    .where('image.id', '=', id)
    .executeTakeFirst()
}

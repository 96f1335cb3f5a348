import { sql } from 'kysely'
import type { z } from 'zod'
import type { Person } from '#shared/access.ts'
import type { FileQuery } from '#shared/api/materials.ts'
import type { Db } from '#server/db/connect.ts'
import { directionOf } from '#server/db/list-terms.ts'
import type { Trx } from '#server/db/transaction.ts'
import { matching, namesOf, orderOf, visibleTo } from '#server/resources/materials/queries.ts'
import type { SameMaterial } from '#server/resources/materials/upload.ts'

export type FileFilter = z.output<typeof FileQuery>

export async function listFiles(db: Db, person: Person, query: FileFilter) {
  const found = of(db).where(matching('file', person, query))
  const { count } = await found.select(eb => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const direction = directionOf(query.ordering)
  const rows = await named(found, person)
    .orderBy(orderOf('file', query.ordering.replace('-', '')), orderBy =>
      direction === 'desc' ? orderBy.desc().nullsLast() : orderBy.asc().nullsLast(),
    )
    .orderBy('file.id', direction)
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  return { count, rows }
}

const of = (db: Db) => db.selectFrom('file')

const named = (found: ReturnType<typeof of>, person: Person) =>
  found
    .leftJoin('advertiser', 'advertiser.id', 'file.advertiser')
    .leftJoin('users as uploader', 'uploader.id', 'file.uploaded_by')
    .selectAll('file')
    .select(namesOf('file', person))

export const findFile = (db: Db, person: Person, id: number) =>
  named(of(db).where('file.id', '=', id).where(visibleTo('file', person)), person).executeTakeFirst()
export type FileRow = NonNullable<Awaited<ReturnType<typeof findFile>>>

/** The row of an advertiser that has these bytes. */
export async function findSameFile(
  db: Db,
  { advertiser, sha256 }: { advertiser: number | null; sha256: string },
): Promise<SameMaterial | null> {
  const { rows } = await sql<SameMaterial>`
    select id, array[sha256] as blobs from file
    where coalesce(advertiser, 0) = ${advertiser ?? 0} and sha256 = ${sha256}`.execute(db)
  return rows[0] ?? null
}

export interface NewFile {
  advertiser: number | null
  name: string
  tags: string[]
  mime: string
  size: number
  sha256: string
  uploaded_by: number
}

export async function insertFile(trx: Trx, file: NewFile, now: Date): Promise<number> {
  const { id } = await trx
    .insertInto('file')
    .values({ ...file, created_at: now, last_modified_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** For whoever has the link. */
export const findContent = async (db: Db, id: number) =>
  await db
    .selectFrom('file')
    .select(['name', 'mime', 'size', 'sha256'])
    .where('id', '=', id)
    .executeTakeFirst()

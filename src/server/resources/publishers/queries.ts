import { sql } from 'kysely'
import type { z } from 'zod'
import type { CreatePublisher, PublisherQuery, UpdatePublisher } from '#shared/api/materials.ts'
import type { Db } from '#server/db/connect.ts'
import { containing, directionOf } from '#server/db/list-terms.ts'
import { personName } from '#server/db/person-name.ts'
import type { Trx } from '#server/db/transaction.ts'

export type PublisherFilter = z.output<typeof PublisherQuery>

const named = (db: Db) =>
  db
    .selectFrom('publisher')
    .leftJoin('users as maker', 'maker.id', 'publisher.created_by')
    .selectAll('publisher')
    .select(personName('maker').as('created_by_name'))

export async function listPublishers(db: Db, { search, type, channel, ...query }: PublisherFilter) {
  const pattern = containing(search ?? '')
  const found = named(db)
    .where(eb => eb.or([eb('publisher.name', 'ilike', pattern), eb('publisher.website', 'ilike', pattern)]))
    .$if(type !== undefined, of => of.where('publisher.type', '=', type ?? 'other'))
    .$if(channel !== undefined, of => of.where('publisher.channel', '=', channel ?? null))
  const { count } = await found
    .clearSelect()
    .select(eb => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const direction = directionOf(query.ordering)
  const rows = await found
    .orderBy(order(query.ordering.replace('-', '')), by =>
      direction === 'desc' ? by.desc().nullsLast() : by.asc().nullsLast(),
    )
    .orderBy('publisher.id', direction)
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  return { count, rows }
}

const order = (field: string) =>
  field === 'name' ? sql`lower(publisher.name)` : sql.ref(`publisher.${field}`)

export const findPublisher = (db: Db, id: number) =>
  named(db).where('publisher.id', '=', id).executeTakeFirst()
export type PublisherRow = NonNullable<Awaited<ReturnType<typeof findPublisher>>>

export const lockPublisher = (trx: Trx, id: number) =>
  trx.selectFrom('publisher').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** All of them, locked until the import has ended. */
export const lockPublishers = (trx: Trx) =>
  trx.selectFrom('publisher').selectAll().orderBy('id').forUpdate().execute()

/** A name that is taken is refused by the database. */
export async function insertPublisher(
  trx: Trx,
  { contacts, now, ...facts }: z.output<typeof CreatePublisher> & { created_by: number; now: Date },
): Promise<number> {
  const { id } = await trx
    .insertInto('publisher')
    .values({ ...facts, contacts: JSON.stringify(contacts), created_at: now, last_modified_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updatePublisher(
  trx: Trx,
  id: number,
  { contacts, now, ...facts }: Omit<z.output<typeof UpdatePublisher>, 'version'> & { now: Date },
): Promise<void> {
  await trx
    .updateTable('publisher')
    .set(eb => ({
      ...facts,
      ...(contacts && { contacts: JSON.stringify(contacts) }),
      version: eb('version', '+', 1),
      last_modified_at: now,
    }))
    .where('id', '=', id)
    .execute()
}

export async function deletePublisher(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('publisher').where('id', '=', id).execute()
}

/** How many campaign links name it, whoever may see them. */
export async function countLinks(trx: Trx, publisher: number): Promise<number> {
  const { count } = await trx
    .selectFrom('link')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('publisher', '=', publisher)
    .executeTakeFirstOrThrow()
  return count
}

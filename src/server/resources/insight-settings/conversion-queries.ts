import { sql } from 'kysely'
import type { z } from 'zod'
import type { Person } from '#shared/access.ts'
import type {
  ConversionDefinitionQuery,
  CreateConversionDefinition,
  UpdateConversionDefinition,
} from '#shared/api/insight-settings.ts'
import type { Db } from '#server/db/connect.ts'
import { containing, directionOf } from '#server/db/list-terms.ts'
import type { Trx } from '#server/db/transaction.ts'
import { meantFor } from './scope-queries.ts'

const visible = (db: Db, person: Person) =>
  db
    .selectFrom('conversion_definition')
    .innerJoin('advertiser', 'advertiser.id', 'conversion_definition.advertiser')
    .where(meantFor(person, 'conversion_definition.advertiser'))

export type ConversionFilter = z.output<typeof ConversionDefinitionQuery>

export async function listConversions(db: Db, person: Person, query: ConversionFilter) {
  let found = visible(db, person)
  if (query.advertiser !== undefined)
    found = found.where('conversion_definition.advertiser', '=', query.advertiser)
  if (query.search) {
    const pattern = containing(query.search)
    const text = sql`concat_ws(' ', conversion_definition.name, name_zh, advertiser.name)`
    found = found.where(sql<boolean>`${text} ilike ${pattern}`)
  }
  const { count } = await found.select(eb => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const direction = directionOf(query.ordering)
  const rows = await found
    .selectAll('conversion_definition')
    .select('advertiser.name as advertiser_name')
    .orderBy(order(query.ordering.replace('-', '')), direction)
    .orderBy('conversion_definition.id', direction)
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  return { count, rows }
}

function order(field: string) {
  if (field === 'advertiser_name') return sql`lower(advertiser.name)`
  const column = sql.ref(`conversion_definition.${field}`)
  return field.startsWith('name') ? sql`lower(${column})` : column
}

export async function findConversion(db: Db, person: Person, id: number) {
  return await oneOf(db, person, id).executeTakeFirst()
}
export async function lockConversion(trx: Trx, person: Person, id: number) {
  return await oneOf(trx, person, id).forUpdate('conversion_definition').executeTakeFirst()
}

const oneOf = (db: Db, person: Person, id: number) =>
  visible(db, person)
    .selectAll('conversion_definition')
    .select('advertiser.name as advertiser_name')
    .where('conversion_definition.id', '=', id)
export type ConversionRow = NonNullable<Awaited<ReturnType<typeof findConversion>>>

/** A name that is taken is refused by the database. */
export async function insertConversion(
  trx: Trx,
  { entries, ...facts }: z.output<typeof CreateConversionDefinition>,
  now: Date,
): Promise<number> {
  const { id } = await trx
    .insertInto('conversion_definition')
    .values({ ...facts, entries: JSON.stringify(entries), created_at: now, last_modified_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateConversion(
  trx: Trx,
  id: number,
  { entries, now, ...facts }: Omit<z.output<typeof UpdateConversionDefinition>, 'version'> & { now: Date },
): Promise<void> {
  await trx
    .updateTable('conversion_definition')
    .set(eb => ({
      ...facts,
      ...(entries && { entries: JSON.stringify(entries) }),
      version: eb('version', '+', 1),
      last_modified_at: now,
    }))
    .where('id', '=', id)
    .execute()
}

/** Before another one becomes it: the ids of those that were, which is one at most. */
export async function clearDefault(
  trx: Trx,
  { advertiser, except, now }: { advertiser: number; except: number | null; now: Date },
) {
  return await trx
    .updateTable('conversion_definition')
    .set(eb => ({ is_default: false, version: eb('version', '+', 1), last_modified_at: now }))
    .where('advertiser', '=', advertiser)
    .where('is_default', '=', true)
    .where('id', 'is distinct from', except)
    .returning(['id', 'name'])
    .execute()
}

export async function deleteConversion(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('conversion_definition').where('id', '=', id).execute()
}

/** How many reports of anybody have blocks with each of the definitions, deleted ones left out. */
export async function reportsWithConversions(db: Db, ids: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; reports: number }>`
    select definition.id, count(*) as reports from unnest(${[...ids]}::bigint[]) definition (id)
    join report on report.deleted_at is null
      and jsonb_path_query_array(channels, '$[*].conversion ? (@ != null)') @> jsonb_build_array(definition.id)
    group by definition.id`.execute(db)
  return new Map(rows.map(({ id, reports }) => [id, reports]))
}

import { sql } from 'kysely'
import type { z } from 'zod'
import type { Person } from '#shared/access.ts'
import type {
  CalculatedMetricQuery,
  CreateCalculatedMetric,
  UpdateCalculatedMetric,
} from '#shared/api/insight-settings.ts'
import type { Db } from '#server/db/connect.ts'
import { containing, directionOf } from '#server/db/list-terms.ts'
import type { Trx } from '#server/db/transaction.ts'
import { meantFor, ofAdvertiser } from './scope-queries.ts'

const visible = (db: Db, person: Person) =>
  db.selectFrom('calculated_metric').where(meantFor(person, 'calculated_metric.advertiser'))

export type MetricFilter = z.output<typeof CalculatedMetricQuery>

export async function listMetrics(db: Db, person: Person, query: MetricFilter) {
  let found = visible(db, person).where(ofAdvertiser(query.advertiser, 'calculated_metric.advertiser'))
  if (query.is_active !== undefined) found = found.where('calculated_metric.is_active', '=', query.is_active)
  if (query.search) {
    const pattern = containing(query.search)
    const text = sql`concat_ws(' ', calculated_metric.name, name_zh, explanation, formula)`
    found = found.where(sql<boolean>`${text} ilike ${pattern}`)
  }
  const { count } = await found.select(eb => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const direction = directionOf(query.ordering)
  const field = sql.ref(`calculated_metric.${query.ordering.replace('-', '')}`)
  const rows = await found
    .leftJoin('advertiser', 'advertiser.id', 'calculated_metric.advertiser')
    .selectAll('calculated_metric')
    .select('advertiser.name as advertiser_name')
    .orderBy(query.ordering.includes('name') ? sql`lower(${field})` : field, direction)
    .orderBy('calculated_metric.id', direction)
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  return { count, rows }
}

export async function findMetric(db: Db, person: Person, id: number) {
  return await visible(db, person)
    .leftJoin('advertiser', 'advertiser.id', 'calculated_metric.advertiser')
    .selectAll('calculated_metric')
    .select('advertiser.name as advertiser_name')
    .where('calculated_metric.id', '=', id)
    .executeTakeFirst()
}
export type MetricRow = NonNullable<Awaited<ReturnType<typeof findMetric>>>

export async function lockMetric(trx: Trx, person: Person, id: number) {
  return await visible(trx, person).selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** How many an advertiser or the agency has. */
export async function countMetrics(db: Db, advertiser: number | null): Promise<number> {
  const { count } = await db
    .selectFrom('calculated_metric')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('advertiser', 'is not distinct from', advertiser)
    .executeTakeFirstOrThrow()
  return count
}

/** A name that is taken is refused by the database. */
export async function insertMetric(
  trx: Trx,
  facts: z.output<typeof CreateCalculatedMetric>,
  now: Date,
): Promise<number> {
  const { id } = await trx
    .insertInto('calculated_metric')
    .values({ ...facts, created_at: now, last_modified_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateMetric(
  trx: Trx,
  id: number,
  { now, ...facts }: Omit<z.output<typeof UpdateCalculatedMetric>, 'version'> & { now: Date },
): Promise<void> {
  await trx
    .updateTable('calculated_metric')
    .set(eb => ({ ...facts, version: eb('version', '+', 1), last_modified_at: now }))
    .where('id', '=', id)
    .execute()
}

export async function deleteMetric(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('calculated_metric').where('id', '=', id).execute()
}

/** How many reports of anybody have each of the metrics, deleted ones left out. */
export async function reportsWithMetrics(db: Db, ids: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; reports: number }>`
    select metric.id, count(*) as reports from unnest(${[...ids]}::bigint[]) metric (id)
    join report on report.deleted_at is null
      and jsonb_path_query_array(channels, '$[*].metrics[*] ? (@ starts with "calc:")')
        @> jsonb_build_array('calc:' || metric.id)
    group by metric.id`.execute(db)
  return new Map(rows.map(({ id, reports }) => [id, reports]))
}

import { sql } from 'kysely'
import type { z } from 'zod'
import type { Person } from '#shared/access.ts'
import type { CreateMetricLabel, MetricLabelQuery, UpdateMetricLabel } from '#shared/api/insight-settings.ts'
import type { Db } from '#server/db/connect.ts'
import { containing, directionOf } from '#server/db/list-terms.ts'
import type { Trx } from '#server/db/transaction.ts'
import { meantFor, ofAdvertiser } from './scope-queries.ts'

const visible = (db: Db, person: Person) =>
  db.selectFrom('metric_label').where(meantFor(person, 'metric_label.advertiser'))

export type LabelFilter = z.output<typeof MetricLabelQuery>

export async function listLabels(db: Db, person: Person, query: LabelFilter) {
  let found = visible(db, person).where(ofAdvertiser(query.advertiser, 'metric_label.advertiser'))
  if (query.channel !== undefined) found = found.where('metric_label.channel', '=', query.channel)
  if (query.search) {
    const pattern = containing(query.search)
    found = found.where(sql<boolean>`concat_ws(' ', metric, label, label_zh) ilike ${pattern}`)
  }
  const { count } = await found.select(eb => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const direction = directionOf(query.ordering)
  const field = sql.ref(`metric_label.${query.ordering.replace('-', '')}`)
  const rows = await found
    .leftJoin('advertiser', 'advertiser.id', 'metric_label.advertiser')
    .selectAll('metric_label')
    .select('advertiser.name as advertiser_name')
    .orderBy(query.ordering.endsWith('label') ? sql`lower(${field})` : field, direction)
    .orderBy('metric_label.id', direction)
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  return { count, rows }
}

export async function findLabel(db: Db, person: Person, id: number) {
  return await visible(db, person)
    .leftJoin('advertiser', 'advertiser.id', 'metric_label.advertiser')
    .selectAll('metric_label')
    .select('advertiser.name as advertiser_name')
    .where('metric_label.id', '=', id)
    .executeTakeFirst()
}
export type LabelRow = NonNullable<Awaited<ReturnType<typeof findLabel>>>

export async function lockLabel(trx: Trx, person: Person, id: number) {
  return await visible(trx, person).selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** One that is there already is refused by the database. */
export async function insertLabel(
  trx: Trx,
  facts: z.output<typeof CreateMetricLabel>,
  now: Date,
): Promise<number> {
  const { id } = await trx
    .insertInto('metric_label')
    .values({ ...facts, created_at: now, last_modified_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateLabel(
  trx: Trx,
  id: number,
  { now, ...facts }: Omit<z.output<typeof UpdateMetricLabel>, 'version'> & { now: Date },
): Promise<void> {
  await trx
    .updateTable('metric_label')
    .set(eb => ({ ...facts, version: eb('version', '+', 1), last_modified_at: now }))
    .where('id', '=', id)
    .execute()
}

export async function deleteLabel(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('metric_label').where('id', '=', id).execute()
}

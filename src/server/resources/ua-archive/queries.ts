import { sql, type RawBuilder } from 'kysely'
import type { PlatformDimension } from '#shared/channels/catalogue.ts'
import type {
  ArchivedDay,
  ArchiveReader,
  SummedRow,
  SumsQuery,
} from '#server/connectors/universal-analytics/archive.ts'
import { lockUntilEnd } from '#server/db/advisory-lock.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'

/** The archive of all views, as the connector reads it. */
export const archiveReader = (db: Db): ArchiveReader => ({
  has: view => hasArchive(db, view),
  daysOf: (view, range) => archivedDays(db, view, range),
  sumsOf: request => archivedSums(db, request),
})

async function hasArchive(db: Db, view: string): Promise<boolean> {
  const found = await db
    .selectFrom('ua_archive_day')
    .select('id')
    .where('view_id', '=', view)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

async function archivedDays(
  db: Db,
  view: string,
  range: { start: string; end: string },
): Promise<ArchivedDay[]> {
  return await db
    .selectFrom('ua_archive_day')
    .select(['id', 'day', 'dimensions', 'metrics', 'rows'])
    .where('view_id', '=', view)
    .where('day', '>=', range.start)
    .where('day', '<=', range.end)
    .orderBy('day')
    .orderBy('id')
    .execute()
}

/** Each day has the order of its keys and figures. */
async function archivedSums(db: Db, { days, starts, dimensions, metrics }: SumsQuery): Promise<SummedRow[]> {
  const keys = dimensions.map(id => sql`archived.keys[array_position(day.dimensions, ${id})]`)
  const figures = metrics.map(id => sql`sum(archived.figures[array_position(day.metrics, ${id})])::float8`)
  const { rows } = await sql<SummedRow>`
    select (${starts}::date[])[width_bucket(day.day, ${starts}::date[])] as start,
      ${arrayOf(keys)}::text[] as keys,
      ${arrayOf(figures)}::float8[] as figures
    from ua_archive_day day
    join ua_archive_row archived on archived.archive_day = day.id
    where day.id = any(${days}::bigint[])
    group by 1, 2
    order by 1, 2`.execute(db)
  return rows
}

const arrayOf = (items: RawBuilder<unknown>[]) => sql`array[${sql.join(items)}]`

/** The content of a file for one view. */
export interface Incoming {
  view_id: string
  dimensions: readonly PlatformDimension[]
  metrics: readonly string[]
}

/** Lines as they come in, columns as texts that Postgres reads itself. */
export interface IncomingLines {
  lines: number[]
  days: string[]
  keys: string[]
  figures: string[]
}

/** Imports of one view wait for each other; a million lines take longer than the statement timeout. */
export async function openIncoming(trx: Trx, view_id: string): Promise<void> {
  await lockUntilEnd(trx, `ua archive ${view_id}`)
  await sql`set local statement_timeout = 0`.execute(trx)
  await sql`
    create temporary table ua_archive_incoming (line integer, day date, keys text[], figures numeric[])
    on commit drop`.execute(trx)
}

export async function addIncoming(trx: Db, { lines, days, keys, figures }: IncomingLines): Promise<void> {
  await sql`
    insert into ua_archive_incoming
    select line, day, keys::text[], figures::numeric[]
    from unnest(${lines}::integer[], ${days}::date[], ${keys}::text[], ${figures}::text[])
      as incoming (line, day, keys, figures)`.execute(trx)
}

/** Lines that repeat another. */
export async function repeatedLines(trx: Db, limit: number): Promise<{ line: number; of: number }[]> {
  const { rows } = await sql<{ line: number; of: number }>`
    select line, "of" from (
      select line, first_value(line) over (partition by day, keys order by line) as "of" from ua_archive_incoming
    ) said
    where line > "of"
    order by line
    limit ${limit}`.execute(trx)
  return rows
}

/** Days that were archived with the same dimensions before are deleted, with their rows. */
export async function deleteReplacedDays(trx: Db, { view_id, dimensions }: Incoming): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ua_archive_day
    where view_id = ${view_id} and dimensions = ${[...dimensions]}::text[]
      and day in (select day from ua_archive_incoming)`.execute(trx)
  return Number(numAffectedRows ?? 0)
}

export async function insertIncomingDays(trx: Db, { view_id, dimensions, metrics }: Incoming, now: Date) {
  const { rows } = await sql<{ days: number; rows: number; first: string | null; last: string | null }>`
    with kept as (
      insert into ua_archive_day (view_id, day, dimensions, metrics, rows, imported_at)
      select ${view_id}, day, ${[...dimensions]}::text[], ${[...metrics]}::text[], count(*), ${now}
      from ua_archive_incoming
      group by day
      returning day, rows
    )
    select count(*)::integer as days, coalesce(sum(rows), 0)::integer as rows, min(day) as first, max(day) as last
    from kept`.execute(trx)
  const [counts] = rows
  return counts ?? { days: 0, rows: 0, first: null, last: null }
}

export async function insertIncomingRows(trx: Db, { view_id, dimensions }: Incoming): Promise<void> {
  await sql`
    insert into ua_archive_row (archive_day, keys, figures)
    select day.id, incoming.keys, incoming.figures
    from ua_archive_incoming incoming
    join ua_archive_day day
      on day.day = incoming.day and day.view_id = ${view_id} and day.dimensions = ${[...dimensions]}::text[]`.execute(
    trx,
  )
}

/** Whether the view is among the accounts that reports can use. */
export async function knowsView(db: Db, view: string): Promise<boolean> {
  const found = await db
    .selectFrom('ad_account')
    .select('id')
    .where('provider', '=', 'universal_analytics')
    .where('external_id', '=', view)
    .executeTakeFirst()
  return found !== undefined
}

import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import type { z } from 'zod'
import { chunked } from '#shared/chunked.ts'
import type { AuditQuery } from '#shared/api/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { personName } from '#server/db/person-name.ts'
import { beginningWith, directionOf } from '#server/db/list-terms.ts'
import type { Database } from '#server/db/schema.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { ExportedList } from '#server/http/effects.ts'

export interface AuditEntry {
  /** Who did it; null: somebody unknown. */
  actor: number | null
  /** noun.verb, for example report.delete */
  action: string
  object?: string
  object_id?: number | string
  detail?: Record<string, unknown>
  address?: string
}

/** One line of the trail, in the transaction of the action itself: neither exists without the other. */
export async function writeAudit(db: Db, line: AuditEntry, now: Date): Promise<void> {
  await writeAuditLines(db, [line], now)
}

/** A line for each affected object, so that each is found by its own id. */
export async function writeAuditLines(db: Db, lines: readonly AuditEntry[], now: Date): Promise<void> {
  for (const some of chunked(lines, LINES_AT_ONCE))
    await db
      .insertInto('audit')
      .values(
        some.map(({ actor, action, object, object_id, detail, address }) => ({
          at: now,
          actor,
          action,
          object: object ?? null,
          object_id: object_id === undefined ? null : String(object_id),
          detail: detail ? JSON.stringify(detail) : null,
          address: address ?? null,
        })),
      )
      .execute()
}

// A statement takes 65,535 parameters.
const LINES_AT_ONCE = 1000

/** An exported list. */
export const writeExport = (
  db: Db,
  { actor, path, query, rows, is_whole, address, now }: ExportedList,
): Promise<void> =>
  writeAudit(
    db,
    {
      actor,
      action: 'list.export',
      object: 'list',
      object_id: path,
      detail: { query, rows, is_whole },
      address,
    },
    now,
  )

/**
 * Removes what is older than so many days. By the database's clock as well as by the caller's: one that has
 * jumped ahead does not empty the trail. The table itself refuses a deletion that does not state a retention
 * (migration audit_append_only).
 */
export async function deleteOldAudit(db: Db, days: number, now: Date): Promise<number> {
  return await inTransaction(db, async trx => {
    await sql`select set_config('sheetcast.audit_days', ${String(days)}, true)`.execute(trx)
    const { numAffectedRows } = await sql`
      delete from audit where id in (
        select id from audit
        where at < ${now}::timestamptz - make_interval(days => ${days}::integer)
          and at < clock_timestamp() - make_interval(days => ${days}::integer)
        order by at limit ${MOST_FORGOTTEN}
      )`.execute(trx)
    return Number(numAffectedRows ?? 0)
  })
}

/** So many in one call; the next one follows within the hour. */
const MOST_FORGOTTEN = 50_000

/** Counting stops here: the trail grows without bound. */
const MOST_COUNTED = 10_000

export async function listAudit(db: Db, query: z.output<typeof AuditQuery>) {
  const counted = await db
    .selectFrom(found(db, query).select('audit.id').limit(MOST_COUNTED).as('found'))
    .select(eb => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const rows = await ordered(found(db, query), query)
    .limit(query.limit)
    .offset(Math.min(query.offset, MOST_COUNTED))
    .execute()
  return { count: counted.count, rows }
}

/** What was done to one thing, the latest first. */
export const linesAbout = (
  db: Db,
  { object, object_id, limit }: { object: string; object_id: number; limit: number },
) =>
  ordered(db.selectFrom('audit').where('object', '=', object).where('object_id', '=', String(object_id)), {
    ordering: '-id',
  })
    .limit(limit)
    .execute()

/** Lines read at a time. */
const BATCH = 1000

/** The whole trail, filtered and ordered; paged by key, since it grows without bound. */
export async function* auditBatches(db: Db, query: z.output<typeof AuditQuery>) {
  const is_descending = query.ordering.startsWith('-')
  for (let last: { at: Date; id: number } | null = null; ;) {
    let next = found(db, query)
    if (last) {
      const beyond: RawBuilder<boolean> = query.ordering.endsWith('at')
        ? sql`(audit.at, audit.id) ${after(is_descending)} (${last.at}::timestamptz, ${last.id}::bigint)`
        : sql`audit.id ${after(is_descending)} ${last.id}`
      next = next.where(beyond)
    }
    const rows = await ordered(next, query).limit(BATCH).execute()
    yield rows
    last = rows.at(-1) ?? null
    if (rows.length < BATCH || last === null) return
  }
}

const after = (is_descending: boolean) => (is_descending ? sql`<` : sql`>`)

type FilteredTrail = SelectQueryBuilder<Database, 'audit', object>

function found(db: Db, filter: z.output<typeof AuditQuery>): FilteredTrail {
  let query: FilteredTrail = db.selectFrom('audit')
  if (filter.actor !== undefined) query = query.where('actor', '=', filter.actor)
  if (filter.action !== undefined) query = query.where('action', '=', filter.action)
  if (filter.object !== undefined) query = query.where('object', '=', filter.object)
  if (filter.object_id !== undefined) query = query.where('object_id', '=', filter.object_id)
  if (filter.from !== undefined) query = query.where('at', '>=', new Date(filter.from))
  if (filter.to !== undefined) query = query.where('at', '<=', new Date(filter.to))
  if (filter.search) query = query.where('action', 'like', beginningWith(filter.search))
  return query
}

function ordered(query: FilteredTrail, { ordering }: Pick<z.output<typeof AuditQuery>, 'ordering'>) {
  const direction = directionOf(ordering)
  return query
    .leftJoin('users', 'users.id', 'audit.actor')
    .select([
      'audit.id',
      'audit.at',
      'audit.actor',
      'audit.action',
      'audit.object',
      'audit.object_id',
      'audit.detail',
      'audit.address',
    ])
    .select(sql<string | null>`coalesce(audit.actor_name, ${personName('users')})`.as('actor_name'))
    .orderBy(ordering.endsWith('at') ? 'audit.at' : 'audit.id', direction)
    .orderBy('audit.id', direction)
}

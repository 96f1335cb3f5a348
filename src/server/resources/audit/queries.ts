import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import type { z } from 'zod'
import type { AuditQuery } from '#shared/api/audit.ts'
import type { Db } from '#server/db/connect.ts'
import type { Database } from '#server/db/schema.ts'

export interface Deed {
  /** Who did it; null: somebody unknown. */
  actor: number | null
  /** noun.verb, for example report.delete */
  action: string
  object?: string
  object_id?: number | string
  detail?: Record<string, unknown>
  address?: string
}

/** One line of the trail, in the transaction of the deed itself: neither exists without the other. */
export async function writeAudit(
  db: Db,
  { actor, action, object, object_id, detail, address }: Deed,
  now: Date,
): Promise<void> {
  await db
    .insertInto('audit')
    .values({
      at: now,
      actor,
      action,
      object: object ?? null,
      object_id: object_id === undefined ? null : String(object_id),
      detail: detail ? JSON.stringify(detail) : null,
      address: address ?? null,
    })
    .execute()
}

/** Counting stops here: the trail grows without end. */
const MOST_COUNTED = 10_000

export async function listAudit(db: Db, wanted: z.output<typeof AuditQuery>) {
  const counted = await db
    .selectFrom(found(db, wanted).select('audit.id').limit(MOST_COUNTED).as('found'))
    .select(eb => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const rows = await lines(found(db, wanted), wanted)
    .limit(wanted.limit)
    .offset(Math.min(wanted.offset, MOST_COUNTED))
    .execute()
  return { count: counted.count, rows }
}

/** Lines read at a time. */
const BATCH = 1000

/** The whole trail as it is filtered and ordered; by key, since it grows without end. */
export async function* auditBatches(db: Db, wanted: z.output<typeof AuditQuery>) {
  const is_descending = wanted.ordering.startsWith('-')
  for (let last: { at: Date; id: number } | null = null; ;) {
    let next = found(db, wanted)
    if (last) {
      const beyond: RawBuilder<boolean> = wanted.ordering.endsWith('at')
        ? sql`(audit.at, audit.id) ${after(is_descending)} (${last.at}::timestamptz, ${last.id}::bigint)`
        : sql`audit.id ${after(is_descending)} ${last.id}`
      next = next.where(beyond)
    }
    const rows = await lines(next, wanted).limit(BATCH).execute()
    yield rows
    last = rows.at(-1) ?? null
    if (rows.length < BATCH || last === null) return
  }
}

const after = (is_descending: boolean) => (is_descending ? sql`<` : sql`>`)

type Found = SelectQueryBuilder<Database, 'audit', object>

function found(db: Db, wanted: z.output<typeof AuditQuery>): Found {
  let query: Found = db.selectFrom('audit')
  if (wanted.actor !== undefined) query = query.where('actor', '=', wanted.actor)
  if (wanted.action !== undefined) query = query.where('action', '=', wanted.action)
  if (wanted.object !== undefined) query = query.where('object', '=', wanted.object)
  if (wanted.from !== undefined) query = query.where('at', '>=', new Date(wanted.from))
  if (wanted.to !== undefined) query = query.where('at', '<=', new Date(wanted.to))
  if (wanted.search) query = query.where('action', 'like', `${wanted.search.replaceAll(/[\\%_]/g, '\\$&')}%`)
  return query
}

function lines(query: Found, { ordering }: z.output<typeof AuditQuery>) {
  const direction = ordering.startsWith('-') ? 'desc' : 'asc'
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
    .select(sql<string | null>`coalesce(nullif(users.full_name, ''), users.username)`.as('actor_name'))
    .orderBy(ordering.endsWith('at') ? 'audit.at' : 'audit.id', direction)
    .orderBy('audit.id', direction)
}

import { sql } from 'kysely'
import type { z } from 'zod'
import type { AuditQuery } from '#shared/api/audit.ts'
import type { Db } from '#server/db/connect.ts'

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
  let found = db.selectFrom('audit')
  if (wanted.actor !== undefined) found = found.where('actor', '=', wanted.actor)
  if (wanted.action !== undefined) found = found.where('action', '=', wanted.action)
  if (wanted.object !== undefined) found = found.where('object', '=', wanted.object)
  if (wanted.from !== undefined) found = found.where('at', '>=', new Date(wanted.from))
  if (wanted.to !== undefined) found = found.where('at', '<=', new Date(wanted.to))
  if (wanted.search) found = found.where('action', 'like', `${wanted.search.replaceAll(/[\\%_]/g, '\\$&')}%`)
  const counted = await db
    .selectFrom(found.select('audit.id').limit(MOST_COUNTED).as('found'))
    .select(eb => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const direction = wanted.ordering.startsWith('-') ? 'desc' : 'asc'
  const rows = await found
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
    .orderBy(wanted.ordering.endsWith('at') ? 'audit.at' : 'audit.id', direction)
    .orderBy('audit.id', direction)
    .limit(wanted.limit)
    .offset(Math.min(wanted.offset, MOST_COUNTED))
    .execute()
  return { count: counted.count, rows }
}

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

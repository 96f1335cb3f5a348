import { z } from 'zod'
import { Id, IdText, Instant, listOf, listQuery } from './list.ts'

/** Who signed in, changed, shared, ran or deleted what. */
export const AuditEntry = z.object({
  id: Id,
  at: Instant,
  actor: Id.nullable(),
  actor_name: z.string().nullable(),
  /** noun.verb, for example report.delete */
  action: z.string(),
  object: z.string().nullable(),
  object_id: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()).nullable(),
  address: z.string().nullable(),
})

export const AuditQuery = listQuery(['id', 'at'], '-id').extend({
  actor: IdText.optional(),
  action: z.string().max(100).optional(),
  object: z.string().max(100).optional(),
  /** Together with `object`: what was done to one thing. */
  object_id: z.string().max(300).optional(),
  /** First and last instant, both included. */
  from: Instant.optional(),
  to: Instant.optional(),
})
export const AuditList = listOf(AuditEntry)

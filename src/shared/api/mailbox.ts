import { z } from 'zod'
import { Id, Instant, listOf, listQuery } from './list.ts'

/** A mail that the demo's mail server has taken instead of delivering it. */
export const CaughtMail = z.object({
  id: Id,
  at: Instant,
  /** Whom it was sent to. */
  receivers: z.array(z.string()),
  from: z.string(),
  subject: z.string(),
  message_id: z.string(),
})
export type CaughtMail = z.infer<typeof CaughtMail>

export const MailboxQuery = listQuery(['id'], '-id')
export const Mailbox = listOf(CaughtMail)
export type Mailbox = z.infer<typeof Mailbox>

export const OpenedMail = CaughtMail.extend({ text: z.string(), html: z.string().nullable() })
export type OpenedMail = z.infer<typeof OpenedMail>

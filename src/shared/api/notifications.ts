import { z } from 'zod'
import { noticeKinds } from '#shared/notices.ts'
import { platforms, type Platform } from '#shared/platforms.ts'
import { Id, Instant, listOf, listQuery } from './list.ts'

/** The placeholders of a notice's text (shared/notices.ts); each kind has its own. */
export const NoticeDetail = z.object({
  /** Labels of blocks. */
  channels: z.array(z.string()).optional(),
  /** With run_expired: what it was waiting for last. */
  last: z.string().optional(),
  person: z.string().optional(),
  count: z.number().int().optional(),
  login: z.string().optional(),
  platform: z.enum(Object.keys(platforms) as [Platform, ...Platform[]]).optional(),
  expires_on: z.string().optional(),
  issue: Id.optional(),
  /** Where it was done from, and the time zone of its time. */
  address: z.string().optional(),
  time_zone: z.string().optional(),
  /** A spreadsheet's title, as the person knew it. */
  spreadsheet: z.string().optional(),
  /** The number of an order or payment, and whose it is. */
  document: z.string().optional(),
  customer: z.string().optional(),
  due_on: z.string().optional(),
  quotation: Id.optional(),
  payment: Id.optional(),
  /** Names. */
  audience: z.string().optional(),
  ad_account: z.string().optional(),
  /** Of an ad account at Meta: its id, how it stands in Meta's numbers, and its business. */
  ad_account_id: z.string().optional(),
  status: z.number().int().optional(),
  disable_reason: z.number().int().optional(),
  /** Basis points. */
  cap_used: z.number().int().optional(),
  business: Id.optional(),
})
export type NoticeDetail = z.infer<typeof NoticeDetail>

/** Something that a person is notified of. */
export const Notification = z.object({
  id: Id,
  at: Instant,
  kind: z.enum(noticeKinds),
  severity: z.enum(['info', 'success', 'warning', 'error']),
  read_at: Instant.nullable(),
  report: z.object({ id: Id, name: z.string() }).nullable(),
  run: z.uuid().nullable(),
  /** The cause. */
  code: z.string().nullable(),
  detail: NoticeDetail,
})
export type Notification = z.infer<typeof Notification>

export const NotificationQuery = listQuery(['id', 'at'], '-id').extend({
  unread: z.enum(['true']).optional(),
})
export type NotificationQuery = z.output<typeof NotificationQuery>
export const NotificationList = listOf(Notification).extend({
  /** Over all notifications, whatever the list is filtered by. */
  unread: z.number().int(),
})
export type NotificationList = z.infer<typeof NotificationList>

/** Ids that are not one's own are ignored. */
export const ReadNotifications = z.union([
  z.strictObject({ ids: z.array(Id).min(1).max(1000) }),
  z.strictObject({ all: z.literal(true) }),
])
export type ReadNotifications = z.infer<typeof ReadNotifications>
export const ReadReply = z.object({ unread: z.number().int() })

/** An event of the stream: a new notice; null: some were read elsewhere. */
export const NotificationEvent = z.object({ notification: Id.nullable() })
export type NotificationEvent = z.infer<typeof NotificationEvent>

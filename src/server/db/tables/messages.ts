import type { Generated } from 'kysely'
import type { Issue } from '#shared/api/support.ts'
import type { NoticeDetail } from '#shared/api/notifications.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import type { NoticeKind } from '#shared/notices.ts'
import type { GeneratedJson, NullableJson } from './json.ts'

export interface AuditTable {
  id: Generated<number>
  at: Generated<Date>
  actor: number | null
  /** What the person was called; filled in by the database. */
  actor_name: Generated<string | null>
  action: string
  object: string | null
  object_id: string | null
  detail: NullableJson<Record<string, unknown>>
  address: string | null
}

export interface NotificationTable {
  id: Generated<number>
  user_id: number
  at: Generated<Date>
  kind: NoticeKind
  report: number | null
  run: string | null
  code: string | null
  read_at: Date | null
  detail: GeneratedJson<NoticeDetail>
  mail_requested: Generated<boolean>
  mail: string | null
}

export interface SupportIssueTable {
  id: Generated<number>
  reporter: number
  report_type: Issue['report_type']
  report: number | null
  occurred_at: Date
  description: string
  status: Generated<Issue['status']>
  answer: string | null
  answered_by: number | null
  grants_history: Generated<boolean>
  created_at: Date
  last_modified_at: Date
}

export interface IncidentTable {
  id: Generated<number>
  report: number
  channel: Channel | null
  label: string | null
  code: string
  failed_run: boolean
  opened_at: Date
  closed_at: Date | null
}

export interface MailTable {
  id: string
  user_id: number
  state: Generated<'waiting' | 'sent' | 'dropped' | 'dead'>
  created_at: Date
  due_at: Date
  tries: Generated<number>
  ended_at: Date | null
  problem: string | null
}

import type { ColumnType, Generated } from 'kysely'
import type { IdentityName } from '#shared/access.ts'
import type { OperationBefore, OperationKind } from '#shared/api/bulk-operations.ts'
import type { Block } from '#shared/api/reports.ts'
import type { z } from 'zod'
import type { BlockOutcome, RunNote, RunStatus, RunTrigger } from '#shared/api/executions.ts'
import type { Issue } from '#shared/api/support.ts'
import type { RunChanges } from '#shared/api/run-changes.ts'
import type { NoticeDetail } from '#shared/api/notifications.ts'
import type { Channel, Dimension, PlatformDimension } from '#shared/channels/catalogue.ts'
import type { ImageType } from '#shared/images.ts'
import type { Language } from '#shared/language.ts'
import type { MailChoice, NoticeKind } from '#shared/notices.ts'
import type { Platform, Provider } from '#shared/platforms.ts'
import type { TableColumn } from '#server/table/stored-table.ts'

/**
 * The tables of db/migrations as Kysely sees them: bigint is a number (checked to be safe), date is
 * 'yyyy-MM-dd', time is 'HH:mm:ss', timestamptz is a Date.
 */
export interface Database {
  users: UsersTable
  refresh_family: RefreshFamilyTable
  refresh_token: RefreshTokenTable
  sign_in_failure: SignInFailureTable
  refused_sign_in: RefusedSignInTable
  password_link: PasswordLinkTable
  second_factor: SecondFactorTable
  second_factor_enrolment: { user_id: number; secret: Uint8Array; expires_at: Date }
  recovery_code: { user_id: number; hash: Uint8Array; used_at: Date | null }
  advertiser: AdvertiserTable
  advertiser_member: { advertiser: number; user_id: number }
  public_account: PublicAccountTable
  ad_account: AdAccountTable
  filter_value: {
    ad_account: number
    dimension: PlatformDimension
    value: string
    last_seen_at: Generated<Date>
  }
  audit: AuditTable
  folder: FolderTable
  report: ReportTable
  report_share: ReportShareTable
  ended_share: ReportShareTable & { created_at: Date; ended_at: Date }
  report_transfer: { report: number; from_owner: number; folder: number | null; transferred_at: Date }
  report_account: { report: number; block: number; ad_account: number }
  bulk_operation: BulkOperationTable
  bulk_change: BulkChangeTable
  spreadsheet_binding: SpreadsheetBindingTable
  spreadsheet_system_user: { spreadsheet_id: string; address: string; learned_at: Generated<Date> }
  spreadsheet_code: { spreadsheet_id: string; user_id: number; code: string; expires_at: Date }
  execution: ExecutionTable
  execution_run: { execution: string; run: string; position: number }
  run: RunTable
  run_job: { run: string; key: string; job: string; begun_at: Generated<Date> }
  run_chunk: { run: string; attempt: number; seq: number; first_row: number; rows: number; bytes: Uint8Array }
  spreadsheet_write: SpreadsheetWriteTable
  spreadsheet_lease: { spreadsheet_id: string; run: string; attempt: number; until: Date }
  quota: QuotaTable
  shared_fetch: SharedFetchTable
  quota_slot: QuotaSlotTable
  incident: IncidentTable
  notification: NotificationTable
  mail: MailTable
  support_issue: SupportIssueTable
  support_image: { issue: number; type: ImageType; width: number; height: number; bytes: Uint8Array }
  spend_day: SpendDayTable
  spend_account: SpendAccountTable
  ua_archive_day: UaArchiveDayTable
  ua_archive_row: { archive_day: number; keys: string[]; figures: string[] }
  setting: { name: string; value: Uint8Array; created_at: Generated<Date> }
}

/** JSON that is read back as T; written as text, since pg would turn an array into a Postgres array. */
type Json<T> = ColumnType<T, string, string>
type GeneratedJson<T> = ColumnType<T, string | undefined, string>
type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>

interface UsersTable {
  id: Generated<number>
  username: string
  full_name: Generated<string>
  identity: IdentityName
  department: number | null
  user_type: number
  position: Generated<string>
  email: string | null
  email_confirmed: Generated<boolean>
  contacts: GeneratedJson<{ type: number; value: string }[]>
  company_extension: Generated<string>
  language: Generated<Language>
  theme: Generated<'light' | 'dark' | 'auto'>
  mail_notices: Generated<MailChoice>
  is_active: Generated<number>
  employment_status: Generated<number>
  password_hash: string | null
  created_at: Generated<Date>
  last_modified_at: Generated<Date>
}

interface RefreshFamilyTable {
  id: string
  user_id: number
  created_at: Date
  revoked_at: Date | null
  revoked_because:
    | 'signed_out'
    | 'signed_out_everywhere'
    | 'reused'
    | 'password_changed'
    | 'closed'
    | 'role_changed'
    | 'second_factor'
    | null
  address: string | null
  user_agent: string | null
  last_used_at: ColumnType<Date | null, never, Date>
}

interface RefreshTokenTable {
  id: string
  family: string
  issued_at: Date
  expires_at: Date
  rotated_at: ColumnType<Date | null, never, Date>
  child: ColumnType<string | null, never, string>
}

interface SignInFailureTable {
  id: Generated<number>
  username: string
  address: string
  at: Date
}

interface RefusedSignInTable {
  id: Generated<number>
  address: string
  name: string
  began_at: Date
  ends_at: Date
  more: Generated<number>
  usernames: Generated<string[]>
  addresses: Generated<string[]>
}

interface PasswordLinkTable {
  token_hash: Uint8Array
  user_id: number
  created_at: Date
  expires_at: Date
  used_at: Date | null
}

interface SecondFactorTable {
  user_id: number
  secret: Uint8Array
  enabled_at: Date
  last_step: number
  wrong_codes: Generated<number>
  wrong_since: Date | null
}

interface AdvertiserTable {
  id: Generated<number>
  name: string
  is_active: Generated<boolean>
  created_at: Generated<Date>
  last_modified_at: Generated<Date>
}

interface PublicAccountTable {
  id: Generated<number>
  platform: Platform
  name: string
  login: Uint8Array
  login_fields: string[]
  expires_at: Date | null
  tested_at: Date | null
  test_result: string | null
  failing_since: Date | null
  expiry_notified_at: Date | null
  created_by: number | null
  created_at: Generated<Date>
  last_modified_at: Generated<Date>
}

interface AdAccountTable {
  id: Generated<number>
  channel: Channel
  provider: Provider
  external_id: string
  via: string | null
  public_account: number | null
  ga_account_id: string | null
  ga_account_name: string | null
  property_id: string | null
  property_name: string | null
  name: string
  currency: string
  timezone: string
  status: Generated<string>
  ecid: string | null
  advertiser: number | null
  last_checked_at: Date | null
  created_at: Generated<Date>
  last_modified_at: Generated<Date>
}

interface AuditTable {
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

interface FolderTable {
  id: Generated<number>
  owner: number
  name: string
  parent: number | null
  layer: number
  deleted_at: Date | null
  created_at: Generated<Date>
  last_modified_at: Generated<Date>
}

interface ReportTable {
  id: Generated<number>
  owner: number
  folder: number | null
  version: Generated<number>
  name: string
  spreadsheet_url: Generated<string>
  spreadsheet_id: string | null
  sheet_name: Generated<string>
  sheet_id: number | null
  start_cell: Generated<string>
  timezone: string
  header_language: Language
  arrangement: 'joined' | 'stacked'
  fill_zero: boolean
  dimensions: Json<Dimension[]>
  channels: Json<Block[]>
  date_start: string | null
  date_end: string | null
  dynamic_range: number
  history_extended: Generated<boolean>
  update_frequency: number
  update_time: Generated<string>
  update_day_of_week: number | null
  update_day_of_month: number | null
  next_run_at: Date | null
  target_state: string | null
  target_checked_at: Date | null
  copied_by: number | null
  deleted_at: Date | null
  deleted_by: number | null
  created_at: Generated<Date>
  last_modified_at: Generated<Date>
}

interface ReportShareTable {
  report: number
  user_id: number
  access: 'viewer' | 'editor'
  shared_by: number | null
  folder: number | null
  created_at: Generated<Date>
}

interface BulkOperationTable {
  id: string
  kind: OperationKind
  actor: number
  folders: Generated<number[]>
  created_at: Generated<Date>
}

interface BulkChangeTable {
  operation: string
  report: number
  version: number
  before: NullableJson<OperationBefore>
  is_undone: Generated<boolean>
}

interface SpreadsheetBindingTable {
  spreadsheet_id: string
  advertiser: number | null
  proven_by: number | null
  proof: 'permission' | 'code'
  /** As whom somebody of the scope controls it: its owner's is beaten by nobody. */
  role: Generated<'owner' | 'writer'>
  department: number | null
  title: string | null
  permissions: string[] | null
  verified_at: Date | null
  lapsed_at: Date | null
  created_at: Generated<Date>
}

interface ExecutionTable {
  id: string
  created_by: number
  idempotency_key: string | null
  created_at: Generated<Date>
}

interface SharedFetchTable {
  name: Uint8Array
  claim_run: string | null
  claim_attempt: number | null
  claim_waits: Generated<boolean>
  claimed_at: Generated<Date>
  response: Uint8Array | null
  bytes: Generated<number>
  requested_by: string | null
  requested_at: Date | null
  expires_at: Date | null
  used_at: Date | null
  too_large_at: Date | null
}

interface RunTable {
  id: string
  report: number
  trigger: RunTrigger
  status: RunStatus
  owner: number
  requested_by: number | null
  report_version: number | null
  plan: NullableJson<unknown>
  attempt: Generated<number>
  lost_leases: Generated<number>
  worker_deaths: Generated<number>
  is_large: Generated<boolean>
  failures: Generated<number>
  worker: string | null
  lease_until: Date | null
  cancel_requested_at: Date | null
  due_at: Date | null
  queued_at: Generated<Date>
  started_at: Date | null
  finished_at: Date | null
  resumes_at: Date | null
  /** When its position in the waitlist comes; kept afterwards, so that it need not join again. */
  waitlist_until: Date | null
  /** The waitlist of the spreadsheet service that it is in; null: none, or its position has come. */
  waitlist: string | null
  /** Its rounds by person, by advertiser and the later of both: see admission/fair-order.ts. */
  person_round: number | null
  advertiser_round: number | null
  round: number | null
  advertiser: number | null
  range_start: string | null
  range_end: string | null
  rows: number | null
  columns: number | null
  platform_requests: Generated<number>
  spreadsheet_requests: Generated<number>
  code: string | null
  detail: NullableJson<Record<string, unknown>>
  blocks: GeneratedJson<BlockOutcome[]>
  notes: GeneratedJson<z.infer<typeof RunNote>[]>
  partial: Generated<boolean>
  table_columns: NullableJson<TableColumn[]>
  table_rows: number | null
  table_attempt: number | null
  written: NullableJson<Written>
  restores: string | null
  timeline: GeneratedJson<unknown>
  /** By platform. */
  platform_calls: GeneratedJson<Record<string, number>>
  quota_wait_ms: GeneratedJson<Record<string, number>>
  answers_requested: Generated<number>
  answers_shared: Generated<number>
  shared_from: Date | null
  changes: NullableJson<RunChanges>
}

/** Where a run's table is; `head` and `fmt` are hashes by which the writer knows it again. */
export interface Written {
  spreadsheet_id: string
  sheet_id: number
  /** [first row, first column, row after the last, column after the last), from 0 */
  rect: [number, number, number, number]
  head: string
  fmt: string
  /** Of the system user that wrote it. */
  project?: string
}

interface SpreadsheetWriteTable {
  id: Generated<number>
  spreadsheet_id: string
  run: string
  attempt: number
  started_at: Date
  settled_at: Date | null
}

interface QuotaTable {
  scope: string
  next_at: Generated<Date>
  ahead_ms: Generated<number>
  /** Of a waitlist. */
  per_minute: number | null
  permits: Generated<Date[]>
  paused_until: Date | null
  backoff_ms: number | null
}

interface QuotaSlotTable {
  scope: string
  holder: string
  nth: number
  state: 'waiting' | 'woken' | 'held'
  held_by: string | null
  is_urgent: boolean
  since: Generated<Date>
  until: Date
}

interface NotificationTable {
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

interface SupportIssueTable {
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

interface IncidentTable {
  id: Generated<number>
  report: number
  channel: Channel | null
  label: string | null
  code: string
  failed_run: boolean
  opened_at: Date
  closed_at: Date | null
}

interface MailTable {
  id: string
  user_id: number
  state: Generated<'waiting' | 'sent' | 'dropped' | 'dead'>
  created_at: Date
  due_at: Date
  tries: Generated<number>
  ended_at: Date | null
  problem: string | null
}

interface SpendDayTable {
  ad_account: number
  day: string
  cost: number | null
  impressions: number | null
  clicks: number | null
  conversions: number | null
}

interface SpendAccountTable {
  ad_account: number
  known_from: string | null
  known_to: string | null
  settled_to: string | null
  refreshed_at: Date | null
  next_at: Date
  claim: string | null
  claimed_until: Date | null
  failures: Generated<number>
  code: string | null
  jobs: GeneratedJson<Record<string, string>>
}

interface UaArchiveDayTable {
  id: Generated<number>
  view_id: string
  day: string
  dimensions: PlatformDimension[]
  metrics: string[]
  rows: number
  imported_at: Generated<Date>
}

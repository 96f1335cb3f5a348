import type { AccessResult } from '#shared/audiences.ts'
import type { Meanings } from '#shared/block-catalogue.ts'
import type { IdentityName } from '#shared/access.ts'
import type { PermissionResult, Tab } from '#shared/api/spreadsheets.ts'
import type { ReadReportFiles } from '#shared/api/report-files.ts'
import type { RunEvent } from '#shared/api/executions.ts'
import type { SpreadsheetEvent } from '#shared/api/sheets.ts'
import type { TargetSheet } from '#shared/api/targets.ts'
import type { Preview, PreviewReport } from '#shared/api/preview.ts'
import type { NotificationEvent } from '#shared/api/notifications.ts'
import type { BusinessAccountUsers } from '#shared/api/businesses.ts'
import type { CheckAccountReply } from '#shared/api/ad-accounts.ts'
import type { Actions } from '#shared/api/insight-settings.ts'
import type { ImportReply, TestReply } from '#shared/api/public-accounts.ts'
import type { Channel, PlatformDimension } from '#shared/channels/catalogue.ts'
import type { ConnectablePlatform, Service } from '#shared/connect.ts'
import type { DayRange } from '#shared/date-range.ts'
import type { ErrorCode } from '#shared/errors.ts'
import type { Language } from '#shared/language.ts'
import type { LinkCheck } from '#shared/links/check-outcomes.ts'
import type { Provider } from '#shared/platforms.ts'
import type { Db } from '#server/db/connect.ts'
import type { Pictures } from '#server/files/pictures.ts'
import type { ScanFile } from '#server/files/scan.ts'
import type { SignedLinks } from '#server/files/signed-links.ts'
import type { FileStore } from '#server/files/store.ts'
import type { Temporary } from '#server/files/temporary.ts'
import type { PdfRenderer } from '#server/pdf/renderer.ts'
import type { Vault } from '#server/vault.ts'
import type { SignedInUser } from './session.ts'
import type { RequestLimits } from './request-limits.ts'
import type { Tokens } from './tokens.ts'

/**
 * Reads an uploaded file of reports. Throws Refusal `payload_too_large`, and `rate_limited` or `overloaded`
 * when too many wait.
 */
export type ReadFileOf = (person: number, text: string) => Promise<ReadReportFiles>

/** The effects of the API outside its database, and its settings. Wired in app.ts. */
export interface Effects {
  tokens: Tokens
  /** Limits how many passwords are hashed at a time. */
  hashing: Hashing
  spreadsheets: SpreadsheetEffects
  /** The values that an account has under a dimension; null: its platform does not respond in time. */
  platformNames(request: PlatformNamesRequest): Promise<string[] | null>
  /** One account as its platform has it now, read with the login that found it; a failure is a code. */
  checkAccount(account: PlatformNamesRequest['account']): Promise<CheckAccountReply>
  /** What an account counted as conversions in the last 90 days. */
  accountActions(account: PlatformNamesRequest['account']): Promise<AccountActions>
  audiences: AudienceEffects
  platforms: PlatformEffects
  /** Who of a business works with one of its accounts, as Meta has it now; a failure is a code. */
  businessUsers(request: BusinessUsersRequest): Promise<BusinessAccountUsers>
  connections: ConnectionEffects
  /** Follows a campaign link to its end; null: this installation follows none. */
  followLink: ((link: string) => Promise<Omit<LinkCheck, 'checked_at'>>) | null
  /** The first rows of a table, without writing anything. */
  preview(db: Db, request: PreviewRequest): Promise<Preview>
  /** The content of a file of reports; read outside the thread that serves requests. */
  readReportFiles: ReadFileOf
  /** Prints documents, outside the thread that serves requests. Refuses with `overloaded` when many wait. */
  pdf: PdfRenderer
  /** What images and files are made of. */
  files: FileEffects
  /** Seals the credentials of platforms. */
  vault: Vault
  settings: ApiSettings
  liveEvents: LiveEvents
  /** The limits of each person in this process. */
  requestLimits: RequestLimits
  /** A line of the audit trail for a list that was exported as a file. */
  noteExport(db: Db, taken: ExportedList): Promise<void>
  /** Aborted when the process shuts down: responses that never end by themselves end then. */
  stopping: AbortSignal
}

export interface FileEffects {
  store: FileStore
  temporary: Temporary
  links: SignedLinks
  /** Why the virus scanner refuses a temporary file. */
  scan: ScanFile
  /** Decodes what is uploaded as a picture. */
  pictures: Pictures
}

/** Work that takes a processor for a while, for people who are not signed in. */
export interface Hashing {
  /**
   * Runs the work when it is the network's turn. Throws Refusal `rate_limited` when too many wait, and when
   * the client has disconnected.
   */
  run<Result>(
    /** `signal` is aborted when the client has disconnected. */
    asked: { network: string; signal: AbortSignal },
    work: () => Promise<Result>,
  ): Promise<Result>
}

/** The campaigns, keywords and so on that an account has had lately. */
export interface PlatformNamesRequest {
  channel: Channel
  dimension: PlatformDimension
  account: {
    provider: Provider
    public_account: number | null
    external_id: string
    currency: string
    timezone: string
    via: string | null
  }
  now: Date
}

/** A business and an account by Meta's ids, and the shared login that reads them. */
export interface BusinessUsersRequest {
  login: number | null
  business: string
  account: string
}

export interface AccountActions {
  actions: Actions['actions']
  /** The platform still prepares the list; the next request continues with it. */
  is_pending: boolean
  /** Why there are none. */
  code: ErrorCode | null
}

/** What audiences can be made of at the platforms, and where they can be brought. */
export interface AudienceEffects {
  /**
   * Whether audiences can be brought to an account: known for ten minutes. again: a person may
   * have mended what was refused; that is asked anew.
   */
  access(
    account: PlatformNamesRequest['account'] & { id: number },
    options: { now: Date; again?: boolean },
  ): Promise<AudienceAccess>
  /** Those of a GA4 property; `code` says why there are none. */
  ga4Audiences(view: PlatformNamesRequest['account']): Promise<{
    audiences: Ga4Audience[]
    code: ErrorCode | null
  }>
}

export interface AudienceAccess {
  /** ok, or why not; retried ones say nothing about the account. */
  result: AccessResult | ErrorCode
  /** Within which the platform shares audiences by itself. */
  business: string | null
  fix_url: string | null
}

export interface Ga4Audience {
  audience: string
  name: string
  window_days: number
  /** null: the platform does not say. */
  users: number | null
}

/** A report's table, before the report is saved. */
export interface PreviewRequest {
  /** The asking person; what is cached for a minute is cached for this person alone. */
  person: number
  /** Only the agency's own people read the messages of platforms. */
  isInternal: boolean
  report: PreviewReport & { header_language: Language; timezone: string }
  /** Left out: what is stored. A formula that is being tried is not yet. */
  meanings?: Meanings
  /** Those of its accounts that the person may use. */
  accounts: readonly number[]
  /** The days of a run today; null: all of them are still to come. */
  range: DayRange | null
  /** Rows of the last table, when it was made by this same description. */
  last_rows: number | null
  /** Aborted when the client has disconnected. */
  signal: AbortSignal
  now: Date
}

/** What a subscriber gets: that a run has changed, or that they have a notification. */
export type LiveEvent =
  | { event: 'run'; data: RunEvent }
  | { event: 'notification'; data: NotificationEvent }
  | { event: 'spreadsheet'; data: SpreadsheetEvent }

/** One stream of events. */
export interface LiveListener {
  person: SignedInUser
  notify: (event: LiveEvent) => void
  /** Another stream needs the slot. */
  end: () => void
  /** The built-in spreadsheet that is open; `maySee` is called before each event of it. */
  watched?: { spreadsheet: string; maySee: () => Promise<boolean> }
}

export interface LiveEvents {
  /**
   * Notifies of runs of reports that the person may see, of their notifications, and of what reports write to
   * the watched spreadsheet; returns how to leave.
   */
  join(listener: LiveListener): () => void
  /** How many have joined. */
  count(): number
}

export interface ApiSettings {
  /** The public URL, without a slash at the end. */
  public_url: string
  /** A session ends after this many days, however it is used. */
  session_days: number
  /** All visitors seem to come from the proxy, whose address the limits would count. */
  shares_one_address: boolean
  /** IANA; for new reports. */
  time_zone: string
  /** The agency's own, ISO 4217: amounts in it come first. */
  currency: string
  report_channel_limit: number
  history_days: number
  /** Further origins whose spreadsheet addresses are accepted beside Google's: the sandbox's, for example. */
  spreadsheet_origins: readonly string[]
  /** Origins of the built-in spreadsheet service; left out: spreadsheets are Google's. */
  built_in_sheets?: { sheets: string; drive: string }
  /**
   * The limits of each person: reports and folders with those deleted in the last 30 days; issues, and
   * spreadsheets created for them, in a day.
   */
  quotas: { reports: number; folders: number; issues_a_day: number; spreadsheets_a_day: number }
  metrics_token: string | null
  /** Roles whose people can do nothing before they have set up a second factor. */
  second_factor_roles: readonly IdentityName[]
  /**
   * Where the demo's mail server lists what it has received; null when mails are delivered, or not sent at
   * all.
   */
  mailbox_url: string | null
  /** Of the demo's people, for the sign-in page; null when this is no demo, or one that others reach. */
  demo_password: string | null
}

/** Who exported which list, with which filters, and how much of it. */
export interface ExportedList {
  actor: number
  /** Of the list. */
  path: string
  query: Record<string, unknown>
  rows: number
  /** False: the export broke off. */
  is_whole: boolean
  address: string
  now: Date
}

/**
 * The platforms of the shared logins, as superusers use them. Both report failures as a code, within a time
 * limit.
 */
export interface PlatformEffects {
  test(db: Db, publicAccount: number): Promise<TestReply>
  /** Stores every account that the login sees. */
  importAccounts(
    db: Db,
    publicAccount: number,
    now: Date,
  ): Promise<ImportReply | { code: ErrorCode; retry_after_ms: number | null }>
  /** How many of them there are, and how many of these are not stored yet. */
  countAccounts(db: Db, publicAccount: number): Promise<{ total: number; new: number } | { code: ErrorCode }>
}

/** The agency's own app at a platform. */
export interface PlatformApp {
  client_id: string
  client_secret: string
  config_id: string | null
}

export interface PlatformProblem {
  code: ErrorCode
  /** The platform's own words, without anything secret. */
  message: string | null
  retry_after_ms: number | null
}

/** A login that a person has agreed to. */
export interface ConnectedLogin {
  login: Record<string, string>
  expires_at: Date | null
  /** null where the platform does not tell. */
  scopes: string[] | null
  person: { id: string; name: string | null; email?: string | null | undefined } | null
}

/** Connecting at the platforms, while a person waits. */
export interface ConnectionEffects {
  /** The page where the person agrees; a verifier where the platform takes one. */
  begin(
    platform: ConnectablePlatform,
    request: { app: PlatformApp; callback_url: string; state: string; services: readonly Service[] },
  ): { url: string; verifier: string | null }
  exchange(
    platform: ConnectablePlatform,
    request: { app: PlatformApp; code: string; callback_url: string; verifier: string | null },
  ): Promise<ConnectedLogin | PlatformProblem>
  grantedScopes(
    platform: ConnectablePlatform,
    login: Record<string, string>,
  ): Promise<{ scopes: string[] | null } | PlatformProblem>
  /** The same login for longer. */
  renew(
    platform: ConnectablePlatform,
    request: { app: PlatformApp; login: Record<string, string> },
  ): Promise<Pick<ConnectedLogin, 'login' | 'expires_at'> | PlatformProblem>
  canRevoke(platform: ConnectablePlatform): boolean
  /** Takes the consent back at the platform; null: done. */
  revoke(
    platform: ConnectablePlatform,
    request: { app: PlatformApp; login: Record<string, string> },
  ): Promise<PlatformProblem | null>
}

/** The filled cells of a tab, and the sizes of all tabs. */
export type TargetContent = Omit<TargetSheet, 'tables' | 'own'>

/** One entry of a file's own permission list, in the service's words. */
export interface Sharing {
  id: string
  /** user, group, domain or anyone */
  type: string
  role: string
  emailAddress: string
  deleted: boolean
}

/** The spreadsheet service for the permission check. All but `seek` and `check` throw SheetsFailure. */
export interface SpreadsheetEffects {
  /**
   * The system users that spreadsheets can be shared with, one of them is enough; and the Google Cloud
   * project of each.
   */
  system_users: readonly { address: string; project: string }[]
  /**
   * Finds the system user that can write a file, whatever the tab, and who else can; that one does all the
   * rest.
   */
  findSystemUser(
    db: Db,
    spreadsheetId: string,
  ): Promise<{
    result: PermissionResult
    title: string | null
    system_user: string | null
    /** The file's own permission list; null when it cannot be seen. */
    permissions: readonly Sharing[] | null
  }>
  check(
    db: Db,
    request: {
      spreadsheet_id: string
      sheet_name: string
      start_cell?: string
      /** The tab that was written to last: a renamed one is found by it. */
      sheet_id?: number
    },
  ): Promise<{ result: PermissionResult; new_name?: string; protected_range?: string }>
  tabs(db: Db, spreadsheetId: string): Promise<Tab[]>
  /** Creates an empty tab. */
  addTab(db: Db, spreadsheetId: string, title: string): Promise<Tab>
  /** The filled cells of a tab, without their content. */
  readTarget(
    db: Db,
    request: { spreadsheet_id: string; sheet_name: string; start_cell: string },
  ): Promise<TargetContent>
  /** Whether any cell holds exactly this code. */
  findCode(db: Db, spreadsheetId: string, code: string): Promise<boolean>
}

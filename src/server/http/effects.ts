import type { PermissionResult, Tab } from '#shared/api/spreadsheets.ts'
import type { RunEvent } from '#shared/api/executions.ts'
import type { ImportReply, TestReply } from '#shared/api/public-accounts.ts'
import type { Channel, PlatformDimension } from '#shared/channels/catalogue.ts'
import type { ErrorCode } from '#shared/errors.ts'
import type { Provider } from '#shared/platforms.ts'
import type { Db } from '#server/db/connect.ts'
import type { Vault } from '#server/vault.ts'
import type { SignedInUser } from './session.ts'
import type { Tokens } from './tokens.ts'

/** What the API does to the world outside its database, and the settings that it obeys. Wired in app.ts. */
export interface Effects {
  tokens: Tokens
  spreadsheets: SpreadsheetEffects
  /** The names of an account under a dimension; null: its platform does not answer in time. */
  platformNames(question: NamesQuestion): Promise<string[] | null>
  platforms: PlatformEffects
  /** Seals the logins of platforms. */
  vault: Vault
  settings: ApiSettings
  /** Tells the workers of runs that somebody has clicked, in the caller's transaction. */
  enqueueRuns(trx: Db, run_ids: readonly string[]): Promise<void>
  runEvents: RunEvents
  /** Aborted when the process has to go: answers that never end by themselves end then. */
  stopping: AbortSignal
}

/** Which campaigns, keywords and so on an account has had lately. */
export interface NamesQuestion {
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

/** What the workers are told to tell: that a run has moved. */
export interface RunEvents {
  /** Calls `tell` for runs of reports that the person may see, and `end` when somebody else needs the place; answers how to leave. */
  join(person: SignedInUser, tell: (event: RunEvent) => void, end: () => void): () => void
}

export interface ApiSettings {
  /** Where people reach the product, without a slash at the end. */
  public_url: string
  /** IANA; of new reports. */
  time_zone: string
  report_channel_limit: number
  history_days: number
  /** Whose addresses of spreadsheets are taken beside Google's: the sandbox's, for example. */
  spreadsheet_origins: readonly string[]
  /** Origins of the built-in spreadsheet service; left out: spreadsheets are Google's. */
  built_in_sheets?: { sheets: string; drive: string }
  metrics_token: string | null
  /** The names of the demo's people, for the sign-in page; null when this is no demo. */
  demo_password: string | null
}

/** The platforms as whoever connects them asks them, each with one of the shared logins. Both say what goes wrong as a code, within a time. */
export interface PlatformEffects {
  test(db: Db, public_account: number): Promise<TestReply>
  /** Keeps every account that the login sees. */
  importAccounts(
    db: Db,
    public_account: number,
    now: Date,
  ): Promise<ImportReply | { code: ErrorCode; retry_after_ms: number | null }>
}

/** The spreadsheet service as the permission check needs it. All but `check` throw SheetsFailure. */
export interface SpreadsheetEffects {
  /** The address to share spreadsheets with. */
  system_user: string
  check(question: {
    spreadsheet_id: string
    sheet_name?: string
    start_cell?: string
  }): Promise<{ result: PermissionResult; title?: string; sheet_id?: number }>
  tabs(spreadsheet_id: string): Promise<Tab[]>
  /** Is the e-mail address owner or editor in the file's own permission list? */
  emailControls(spreadsheet_id: string, email: string): Promise<boolean>
  /** Does any cell hold exactly this code? */
  findCode(spreadsheet_id: string, code: string): Promise<boolean>
}

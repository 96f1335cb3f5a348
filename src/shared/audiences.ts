// The rules of audience lists that browser, server and connectors share.

/** The forms of an identifier that are stored and sent, each the SHA-256 of a normalised text. */
export const memberColumns = [
  'email',
  /** Where Google's rule gives another text than `email`; empty: it is the same. */
  'email_google',
  'phone',
  'phone_e164',
  'first_name',
  'last_name',
  'birth_year',
  'birth_month',
  'birth_day',
  'gender',
  'postal_code',
  'country',
] as const
export type MemberColumn = (typeof memberColumns)[number]

/** Those that identify a person by themselves: a list needs one of them at least. */
export const identifyingColumns = ['email', 'phone', 'phone_e164'] as const satisfies readonly MemberColumn[]

export const audienceKinds = ['customer_file', 'website', 'lookalike', 'ga4'] as const
export type AudienceKind = (typeof audienceKinds)[number]

/** draft: no upload has been taken yet; expired: our copy of the hashes has been destroyed. */
export const audienceStatuses = ['draft', 'ready', 'expired'] as const
export type AudienceStatus = (typeof audienceStatuses)[number]

export const collectors = ['advertiser', 'partner', 'both'] as const
export type Collector = (typeof collectors)[number]

export const consents = ['granted', 'denied', 'unknown'] as const
export interface Consent {
  ad_user_data: (typeof consents)[number]
  ad_personalization: (typeof consents)[number]
}

export const ruleMatches = ['all', 'url_contains', 'url_equals', 'event'] as const
/** Which visitors of a site: `values` is empty for `all`, and any one of them is enough otherwise. */
export interface VisitorRule {
  match: (typeof ruleMatches)[number]
  values: string[]
}

/** As a whole, when the last batch of an upload is taken. */
export const uploadActions = ['add', 'remove', 'replace'] as const
export type UploadAction = (typeof uploadActions)[number]

/**
 * home: the first account of a business; shared: another one of it, through the platform's own sharing; copy:
 * an audience of its own.
 */
export const shareModes = ['home', 'shared', 'copy'] as const
export type ShareMode = (typeof shareModes)[number]

/**
 * queued → creating → uploading → matching → ready ↔ too_small; any → failed, stopped (by a daily check) or
 * removing → removed.
 */
export const shareStates = [
  'queued',
  'creating',
  'uploading',
  'matching',
  'ready',
  'too_small',
  'failed',
  'stopped',
  'removing',
  'removed',
] as const
export type ShareState = (typeof shareStates)[number]

/** What the check of an ad account says, before anything is sent. */
export const accessResults = [
  'ok',
  'no_access',
  'read_only',
  'not_claimed_by_business',
  'terms_not_accepted',
  'role_missing',
  'not_eligible',
  'account_inactive',
  'credential_expired',
  'unsupported_channel',
] as const
export type AccessResult = (typeof accessResults)[number]

export const erasureOutcomes = ['pending', 'done', 'nothing_there', 'upload_again', 'failed'] as const
export type ErasureOutcome = (typeof erasureOutcomes)[number]

export const BATCH_ROWS = 10_000
export const BATCH_HASHES = 100_000
export const AUDIENCE_ROWS = 5_000_000
export const ACCOUNTS_AT_ONCE = 50
/** An open upload is dropped after this. */
export const UPLOAD_OPEN_MS = 2 * 3600_000

export const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)
/** Of the empty text: a client that sends it has a bug. */
export const HASH_OF_NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

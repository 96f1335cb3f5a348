import type { ErrorCode } from '#shared/errors.ts'

/** The failures of the spreadsheet service, with the codes of shared/errors.ts. */
export type SheetsErrorCode = Extract<
  ErrorCode,
  | 'start_cell_not_set'
  | 'start_cell_format'
  | 'page_not_set'
  | 'sheet_name_colon'
  | 'sheet_name_mismatch'
  | 'not_a_spreadsheet'
  | 'spreadsheet_not_shared'
  | 'spreadsheet_not_editor'
  | 'protected_range'
  | 'named_range'
  | 'cell_limit'
  | 'cell_too_long'
  | 'target_overlap'
  | 'quota_exhausted'
  | 'spreadsheet_unavailable'
  | 'internal_error'
>

/** What the caller does about a failure, where the code alone does not say it. */
export type SheetsCause =
  | 'unauthenticated'
  | 'configuration'
  | 'stale_plan'
  | 'already_done'
  | 'trashed'
  | 'user_quota'
  | 'project_quota'
  | null

export class SheetsFailure extends Error {
  readonly code: SheetsErrorCode
  /** For codes that are retried: how long the service tells us to wait; null when it does not. */
  readonly retry_after_ms: number | null
  /** true: a write that may or may not have been applied, or may still be. */
  readonly ambiguous: boolean
  /** The parameters of the code: counts, ranges, names. */
  readonly detail: Record<string, unknown>
  /** The service's own message, for internal people. */
  readonly service_message: string | null
  readonly why: SheetsCause

  constructor(code: SheetsErrorCode, facts: SheetsFailureFacts = {}) {
    super(`${code}${facts.service_message ? `: ${facts.service_message}` : ''}`, { cause: facts.cause })
    this.name = 'SheetsFailure'
    this.code = code
    this.retry_after_ms = facts.retry_after_ms ?? null
    this.ambiguous = facts.ambiguous ?? false
    this.detail = facts.detail ?? {}
    this.service_message = facts.service_message ?? null
    this.why = facts.why ?? null
  }
}

export interface SheetsFailureFacts {
  retry_after_ms?: number | null
  ambiguous?: boolean
  detail?: Record<string, unknown>
  service_message?: string | null
  why?: SheetsCause
  cause?: unknown
}

/** An error as it came over the wire. */
export interface ErrorReply {
  status: number
  message: string
  /** `details[].reason` of Sheets, `errors[].reason` of Drive. */
  reasons: string[]
  /** The name of the limit that is used up, such as WriteRequestsPerMinutePerUser. */
  quota_limit?: string | null
  retry_after_ms: number | null
}

/**
 * Classifies an error response. `kind` is the kind of request: a write that failed on the service's side may
 * have been applied all the same.
 */
export function classify(reply: ErrorReply, kind: 'read' | 'write'): SheetsFailure {
  const service_message = reply.message
  const fail = (code: SheetsErrorCode, facts: SheetsFailureFacts = {}) =>
    new SheetsFailure(code, { service_message, ...facts })

  if (reply.status === 429 || reply.reasons.some(reason => RATE_REASONS.has(reason)))
    return fail('quota_exhausted', {
      retry_after_ms: reply.retry_after_ms,
      why: quotaCause(reply.quota_limit ?? ''),
    })
  if (reply.status === 401) return fail('internal_error', { why: 'unauthenticated' })
  if (reply.status === 403 && reply.reasons.some(reason => SETUP_REASONS.has(reason)))
    return fail('internal_error', { why: 'configuration' })
  if (reply.status === 403) return fail(kind === 'read' ? 'spreadsheet_not_shared' : 'spreadsheet_not_editor')
  if (reply.status === 404) return fail('spreadsheet_not_shared')
  if (PASSING_STATUSES.has(reply.status))
    return fail('spreadsheet_unavailable', {
      retry_after_ms: reply.retry_after_ms,
      ambiguous: kind === 'write',
    })
  const known = REFUSALS.find(({ words }) => words.test(reply.message))
  return known
    ? fail(known.code, { why: known.why ?? null })
    : fail('internal_error', { detail: { status: reply.status } })
}

const quotaCause = (limit: string) =>
  limit.endsWith('PerUser') ? 'user_quota' : limit.endsWith('PerProject') ? 'project_quota' : null

const RATE_REASONS = new Set(['rateLimitExceeded', 'userRateLimitExceeded', 'RATE_LIMIT_EXCEEDED'])
const SETUP_REASONS = new Set([
  'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
  'SERVICE_DISABLED',
  'accessNotConfigured',
  'insufficientPermissions',
])
const PASSING_STATUSES = new Set([408, 500, 502, 503, 504])

// The numbers in these messages have changed over the years, so they are never part of the match.
const REFUSALS: { words: RegExp; code: SheetsErrorCode; why?: SheetsCause }[] = [
  { words: /number of cells in the workbook above the limit of \d+ cells/i, code: 'cell_limit' },
  { words: /number of columns in the sheet above the limit of \d+ columns/i, code: 'cell_limit' },
  { words: /more than the maximum of \d+ characters in a single cell/i, code: 'cell_too_long' },
  { words: /exceeds grid limits/i, code: 'spreadsheet_unavailable', why: 'stale_plan' },
  {
    words: /attempting to write (row|column): \d+, beyond the last/i,
    code: 'spreadsheet_unavailable',
    why: 'stale_plan',
  },
  { words: /no grid with id: \d+/i, code: 'sheet_name_mismatch', why: 'stale_plan' },
  { words: /unable to parse range/i, code: 'sheet_name_mismatch', why: 'stale_plan' },
  { words: /requested writing within range/i, code: 'sheet_name_colon' },
  { words: /edit a protected cell or object/i, code: 'protected_range' },
  { words: /named range|the name given to this range is invalid/i, code: 'named_range' },
  { words: /operation is not supported for this document/i, code: 'not_a_spreadsheet' },
  {
    words: /(sheet with id \d+|sheet with the name .*) already exists/i,
    code: 'internal_error',
    why: 'already_done',
  },
  // The refusal of a second entry with one id is undocumented, and so is its wording.
  {
    words: /createDeveloperMetadata: .*(already|exist|duplicate|unique|id)/i,
    code: 'internal_error',
    why: 'already_done',
  },
]

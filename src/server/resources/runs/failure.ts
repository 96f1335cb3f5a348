import type { WaitReason } from '#shared/api/executions.ts'
import { errorFacts, type ErrorCode } from '#shared/errors.ts'
import { backoffMs } from '#server/backoff.ts'
import { isDatabaseAway } from '#server/db/problem.ts'
import { ReportPending, PlatformFailure } from '#server/connectors/connector.ts'
import { SheetsFailure } from '#server/sheets/failure.ts'
import { TableLimitError, TooManyCells } from '#server/table/shape.ts'
import type { ClaimedRun } from './lease-queries.ts'

/** Every way in which an attempt can stop before its end. */
export type AttemptFailure =
  /** Another attempt has the run. */
  | { kind: 'lease_lost' }
  /** The run was cancelled, or its report deleted. */
  | { kind: 'cancelled' }
  /** The process shuts down: another one goes on with the run at once. */
  | { kind: 'released' }
  /** The table needs a worker of its own. */
  | { kind: 'too_large' }
  | { kind: 'database_away' }
  /** Other runs write to the spreadsheet first: the run goes on by itself. */
  | { kind: 'spreadsheet_taken'; wait_ms: number }
  /** The platform is still preparing the report. */
  | { kind: 'report_pending'; poll_after_ms: number }
  /** The run has crashed its workers again and again; it is not retried. */
  | { kind: 'quarantined'; lost_leases: number }
  /** All others, with the codes of errors.ts. */
  | { kind: 'failed'; code: ErrorCode; detail: Record<string, unknown>; retry_after_ms: number | null }

/** Thrown within an attempt, and the reason of its signal. */
export class AttemptError extends Error {
  readonly failure: AttemptFailure
  constructor(failure: AttemptFailure) {
    super(failure.kind === 'failed' ? failure.code : failure.kind)
    this.name = 'AttemptError'
    this.failure = failure
  }
}

/** Why a run cannot go on. */
export const runFailure = (code: ErrorCode, detail: Record<string, unknown> = {}) =>
  new AttemptError({ kind: 'failed', code, detail, retry_after_ms: null })

export const runCancelled = () => new AttemptError({ kind: 'cancelled' })

export const leaseLost = () => new AttemptError({ kind: 'lease_lost' })

/** The failure of an attempt: what its own code throws, and what it meets outside. */
export function classify(error: unknown): AttemptFailure {
  if (error instanceof AttemptError) return error.failure
  if (error instanceof TooManyCells) return { kind: 'too_large' }
  if (error instanceof ReportPending) return { kind: 'report_pending', poll_after_ms: error.poll_after_ms }
  if (isDatabaseAway(error)) return { kind: 'database_away' }
  return { kind: 'failed', ...factsOf(error) }
}

export type Ending =
  /** Another attempt has the run: record nothing. */
  | { kind: 'silent' }
  | { kind: 'cancelled' }
  | { kind: 'error'; code: ErrorCode; detail: Record<string, unknown>; unexpected: boolean }
  | {
      kind: 'postponed'
      why: WaitReason
      wait_ms: number
      code: ErrorCode | null
      detail: Record<string, unknown>
      is_failure: boolean
      unexpected: boolean
    }

/**
 * A run expires this long after it began to wait. Not after it was due: what became due during a downtime
 * begins to wait after it, and is tried then.
 */
export const GIVE_UP_AFTER_MS = 6 * 3600_000
/**
 * Waiting for a quota does not count: that is no failure, and its end is known. A daily quota is available
 * again within a day, and not all runs are admitted at that moment; a run that waits for longer than this
 * expires.
 */
export const QUOTA_PATIENCE_MS = 30 * 3600_000
/** Internal errors are retried this often, the platforms' until the time is over. */
const OWN_TRIES = 3

type RunFacts = Pick<ClaimedRun, 'failures' | 'queued_at'> & { quota_rest_ms: number }

/** What happens to a run whose attempt has met this failure. */
export function endingOf(failure: AttemptFailure, run: RunFacts, now: Date): Ending {
  const isOver = (wait_ms: number) =>
    now.getTime() + wait_ms > run.queued_at.getTime() + GIVE_UP_AFTER_MS + run.quota_rest_ms
  switch (failure.kind) {
    case 'lease_lost':
      return { kind: 'silent' }
    case 'cancelled':
      return { kind: 'cancelled' }
    case 'released':
      return waiting('restart', 0)
    case 'too_large':
      return waiting('room', 0)
    case 'database_away':
      return isOver(0) ? expired('internal_error') : waiting('retry', 1000)
    case 'spreadsheet_taken':
      return isOver(failure.wait_ms) ? expired('spreadsheet_unavailable') : waiting('turn', failure.wait_ms)
    case 'report_pending':
      return isOver(failure.poll_after_ms)
        ? expired('platform_timeout')
        : waiting('platform', failure.poll_after_ms)
    case 'quarantined':
      return failed('internal_error', { lost_leases: failure.lost_leases })
    case 'failed':
      return retriedOrFailed(failure, run, now)
  }
}

function retriedOrFailed(
  { code, detail, retry_after_ms }: AttemptFailure & { kind: 'failed' },
  run: RunFacts,
  now: Date,
): Ending {
  const unexpected = code === 'internal_error'
  if (!errorFacts(code).retried || (unexpected && run.failures + 1 >= OWN_TRIES)) return failed(code, detail)
  const wait_ms = retry_after_ms ?? backoffMs(run.failures + 1, PAUSES)
  const is_failure = code !== 'quota_exhausted'
  const patience_ms = is_failure ? GIVE_UP_AFTER_MS + run.quota_rest_ms : QUOTA_PATIENCE_MS
  if (now.getTime() + wait_ms > run.queued_at.getTime() + patience_ms) return expired(code, detail)
  return {
    kind: 'postponed',
    why: is_failure ? 'retry' : 'quota',
    wait_ms,
    code,
    detail,
    is_failure,
    unexpected,
  }
}

const failed = (code: ErrorCode, detail: Record<string, unknown>): Ending => ({
  kind: 'error',
  code,
  detail,
  unexpected: code === 'internal_error',
})

/** This is no failure, and nobody is notified. */
const waiting = (why: WaitReason, wait_ms: number): Ending => ({
  kind: 'postponed',
  why,
  wait_ms,
  code: null,
  detail: {},
  is_failure: false,
  unexpected: false,
})

const expired = (last: ErrorCode, detail: Record<string, unknown> = {}): Ending => ({
  kind: 'error',
  code: 'run_expired',
  detail: { ...detail, last },
  unexpected: false,
})

function factsOf(error: unknown): {
  code: ErrorCode
  detail: Record<string, unknown>
  retry_after_ms: number | null
} {
  if (error instanceof TableLimitError)
    return { code: error.code, detail: error.detail, retry_after_ms: null }
  if (error instanceof SheetsFailure)
    return {
      code: error.code,
      detail: { ...error.detail, ...(error.service_message && { service_message: error.service_message }) },
      retry_after_ms: error.retry_after_ms,
    }
  if (error instanceof PlatformFailure)
    return {
      code: error.code,
      detail: { platform_message: error.platform_message, platform_request_id: error.platform_request_id },
      retry_after_ms: error.retry_after_ms,
    }
  return { code: 'internal_error', detail: {}, retry_after_ms: null }
}

/** 15 s, 30 s, 1 min … 15 min. */
const PAUSES = { first_ms: 15_000, longest_ms: 15 * 60_000 }

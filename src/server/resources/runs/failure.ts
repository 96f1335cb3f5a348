import type { WaitReason } from '#shared/api/executions.ts'
import { errorFacts, type ErrorCode } from '#shared/errors.ts'
import { isDatabaseAway } from '#server/db/problem.ts'
import { ReportPending, PlatformFailure } from '#server/connectors/connector.ts'
import { SheetsFailure } from '#server/sheets/failure.ts'
import { LeaseLost, RunCancelled, type ClaimedRun } from './lease.ts'
import { TableLimitError, TooManyCells } from '#server/table/shape.ts'
import { TurnLost } from './spreadsheet-lease-queries.ts'

/** Why a run cannot go on, in the words of errors.ts. */
export class RunFailure extends Error {
  readonly code: ErrorCode
  readonly detail: Record<string, unknown>
  constructor(code: ErrorCode, detail: Record<string, unknown> = {}) {
    super(code)
    this.name = 'RunFailure'
    this.code = code
    this.detail = detail
  }
}

/** The run's turn has not come: it goes on by itself, and nothing has failed. */
export class NotYet extends Error {
  readonly wait_ms: number
  constructor(wait_ms: number) {
    super(`not before ${wait_ms} ms`)
    this.name = 'NotYet'
    this.wait_ms = wait_ms
  }
}

/** The process has to go: another one goes on with the run at once. */
export class HandedBack extends Error {
  constructor() {
    super('the process is stopping')
    this.name = 'HandedBack'
  }
}

/** A run that has taken its workers down again and again; nobody tries it once more. */
export class SetAside extends RunFailure {
  constructor(lost_leases: number) {
    super('internal_error', { lost_leases })
    this.name = 'SetAside'
  }
}

export type Ending =
  /** Another attempt has the run: say nothing. */
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
 * A run gives up this long after it began to wait. Not after it was due: what fell due while nobody worked (a downtime) begins to wait when
 * somebody does again, and has its tries then.
 */
export const GIVE_UP_AFTER_MS = 6 * 3600_000
/**
 * What it rests for a quota does not count: that is nobody's failure, and its end is known. A day's quota comes back within a day, and not everybody is
 * let in in that moment; a run that rests for longer than this gives up.
 */
export const QUOTA_PATIENCE_MS = 30 * 3600_000
/** Our own mistakes are tried again this often, the platforms' until the time is over. */
const OWN_TRIES = 3

/** What becomes of a run whose attempt ended with an error. */
export function endingOf(
  error: unknown,
  run: Pick<ClaimedRun, 'failures' | 'queued_at'> & { quota_rest_ms: number },
  now: Date,
): Ending {
  if (error instanceof LeaseLost) return { kind: 'silent' }
  if (error instanceof RunCancelled) return { kind: 'cancelled' }
  if (error instanceof HandedBack) return waiting('restart', 0)
  if (error instanceof TooManyCells) return waiting('room', 0)
  const gives_up_at = run.queued_at.getTime() + GIVE_UP_AFTER_MS + run.quota_rest_ms
  if (isDatabaseAway(error))
    return now.getTime() > gives_up_at ? expired('internal_error') : waiting('retry', 1000)
  if (error instanceof NotYet || error instanceof TurnLost) {
    const wait_ms = error instanceof NotYet ? error.wait_ms : 0
    return now.getTime() + wait_ms > gives_up_at
      ? expired('spreadsheet_unavailable')
      : waiting('turn', wait_ms)
  }
  if (error instanceof ReportPending) {
    const { poll_after_ms } = error
    return now.getTime() + poll_after_ms > gives_up_at
      ? expired('platform_timeout')
      : waiting('platform', poll_after_ms)
  }
  const { code, detail, retry_after_ms } = factsOf(error)
  const unexpected = code === 'internal_error'
  if (!errorFacts(code).retried || error instanceof SetAside)
    return { kind: 'error', code, detail, unexpected }
  if (unexpected && run.failures + 1 >= OWN_TRIES) return { kind: 'error', code, detail, unexpected }
  const wait_ms = retry_after_ms ?? backoffMs(run.failures)
  const is_failure = code !== 'quota_exhausted'
  const patience_ends = is_failure ? gives_up_at : run.queued_at.getTime() + QUOTA_PATIENCE_MS
  if (now.getTime() + wait_ms > patience_ends) return expired(code, detail)
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

/** Nothing has failed, and nothing is told. */
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
  if (error instanceof RunFailure || error instanceof TableLimitError)
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
const backoffMs = (failures: number) => Math.min(15_000 * 2 ** failures, 15 * 60_000)

import { PlatformFailure, type PlatformErrorCode, type QuotaKey } from '#server/connectors/connector.ts'

/** What a refusal means for us: the entries of the tables in each platform's failures.ts. */
export type Verdict =
  /** Worth a few quick attempts. */
  | { kind: 'retry'; code: PlatformErrorCode }
  /** The token or the signature is not taken; a new one may be. */
  | { kind: 'renew' }
  /** `pauses`: the quota under which nothing may be sent until the wait is over. */
  | {
      kind: 'quota'
      pauses: QuotaKey['kind'] | 'all' | 'none'
      wait_ms: number
      /** The platform states no wait: the next one is longer. */
      is_guess?: boolean
      /** Worth another attempt in a moment, or after its own wait; left out: the run waits. */
      retries?: 'soon' | 'after_wait'
    }
  | { kind: 'recover'; recovery: Recovery }
  | { kind: 'final'; code: PlatformErrorCode; retry_after_ms?: number }

export const retry: Verdict = { kind: 'retry', code: 'platform_unavailable' }
export const renew: Verdict = { kind: 'renew' }
export const recover = (recovery: Recovery): Verdict => ({ kind: 'recover', recovery })
export const final = (code: PlatformErrorCode): Verdict => ({ kind: 'final', code })
export const quota = (
  pauses: QuotaKey['kind'] | 'all' | 'none',
  wait_ms: number,
): Extract<Verdict, { kind: 'quota' }> => ({
  kind: 'quota',
  pauses,
  wait_ms,
})

/** What a connector can do about a refusal by itself, and the failure that it is where that does not help. */
const recoveries = {
  /** Fewer rows a page. */
  smaller_page: 'too_large',
  /** Another way: asynchronously, or for fewer days. */
  smaller_request: 'too_large',
  fewer_days: 'platform_timeout',
  /** Each slice of time by itself. */
  single_slices: 'platform_error',
  /** Each month by itself. */
  single_months: 'platform_error',
  /** All pages again, from the first. */
  restart_paging: 'platform_error',
  /** The same report job once more. */
  submit_again: 'platform_unavailable',
  /** The account is not reached through this manager; another one may lead there. */
  other_manager: 'account_access_lost',
} as const satisfies Record<string, PlatformErrorCode>
export type Recovery = keyof typeof recoveries

/**
 * A failure from which the connector can recover. Where nothing helps it ends the fetch as what it also is.
 */
export class RecoverableFailure extends PlatformFailure {
  readonly recovery: Recovery
  constructor(recovery: Recovery, facts: PlatformFacts = {}) {
    super(recoveries[recovery], facts)
    this.recovery = recovery
  }
}

export const canRecover = (error: unknown, ...ways: Recovery[]): error is RecoverableFailure =>
  error instanceof RecoverableFailure && ways.includes(error.recovery)

/** A refusal with the platform's own code for it. */
export class Refusal extends PlatformFailure {
  readonly reason: string
  constructor(code: PlatformErrorCode, { reason, ...facts }: RefusalFacts) {
    super(code, facts)
    this.reason = reason
  }
}

export const isRefusal = (error: unknown, ...reasons: string[]): error is Refusal =>
  error instanceof Refusal && reasons.includes(error.reason)

export type PlatformFacts = NonNullable<ConstructorParameters<typeof PlatformFailure>[1]>
export type RefusalFacts = PlatformFacts & { reason: string }

/** The failure that a refusal is where nothing more is done about it. */
export function failureOf(verdict: Verdict, facts: RefusalFacts): PlatformFailure {
  switch (verdict.kind) {
    case 'retry':
      return new Refusal(verdict.code, facts)
    case 'renew':
      return new Refusal('credential_expired', facts)
    case 'quota':
      return new Refusal('quota_exhausted', { retry_after_ms: verdict.wait_ms, ...facts })
    case 'recover':
      return new RecoverableFailure(verdict.recovery, facts)
    case 'final':
      return new Refusal(verdict.code, { retry_after_ms: verdict.retry_after_ms ?? null, ...facts })
  }
}

/** A response in another form than documented; `what` is the path to it. */
export const unreadable = (what: string) =>
  new PlatformFailure('platform_error', { platform_message: `unreadable answer, ${what}` })

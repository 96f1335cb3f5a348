import { SheetsFailure } from './failure.ts'

/** The purpose of a request, in words; several requests may share one. */
export type Step =
  | 'file'
  | 'structure'
  | 'header'
  | 'commit'
  | 'stage'
  | 'chunk'
  | 'grow'
  | 'values'
  | 'finish'

export interface StepFacts {
  when: 'before' | 'after'
  kind: 'read' | 'write'
  /**
   * Whether the request can change what people see. Such a one must be recorded in the database before it is
   * sent.
   */
  visible: boolean
  /** Counts the requests of this attempt from 1. */
  request: number
  /**
   * After: `unknown` may have been applied, or may still be. When that becomes known, the request is reported
   * a second time.
   */
  outcome: 'done' | 'refused' | 'unknown' | null
}

/** Permits for requests, out of quotas that all workers share. */
export interface SheetsPermits {
  /**
   * Waits for a permit for one request of each kind. Throws SheetsFailure `quota_exhausted` when the wait is
   * too long to keep a worker for.
   */
  acquire(...kinds: ('read' | 'write')[]): Promise<void>
  /**
   * What came of a request. Where the service has refused it for its quota, that one is paused for all:
   * returns the milliseconds until the pause ends.
   */
  report(kind: 'read' | 'write', outcome: { sent_ms_ago: number; refusal: Refusal | null }): Promise<number>
}

/** Of a request, for a quota. `retry_after_ms`: null when the service does not state it. */
export type Refusal = Pick<SheetsFailure, 'retry_after_ms' | 'why'>

/** The same, with the waitlist of the runs that want to write a table. */
export interface SheetsLimiter extends SheetsPermits {
  /** A position in the waitlist: its number, and the milliseconds until it is reached. */
  reservePosition(urgency: Urgency): Promise<{ waitlist: string; wait_ms: number }>
}

/** A manual run does not wait behind the thousands that are due at nine. */
export type Urgency = 'click' | 'schedule'

export interface RequestEffects {
  limiter: SheetsPermits
  /** Waits, and rejects early when the run is cancelled or its lease is lost. */
  sleep: (ms: number) => Promise<void>
  signal: AbortSignal
  /**
   * Awaited before and after every request. Before one that is `visible` it must record the intent where a
   * crash cannot lose it, and it must throw when this attempt may not write any more: nothing is sent then.
   */
  on_step: (step: Step, facts: StepFacts) => Promise<void> | void
}

export interface Patience {
  /** Tries of one request, the first included. */
  tries: number
  /**
   * The total of one request's waits. Longer ones are left to the queue, which does not keep a worker
   * meanwhile.
   */
  patience_ms: number
}

export type Requests = ReturnType<typeof openRequests>

/**
 * Sends the requests of one attempt at one spreadsheet: announced, permitted, and sent again where that is
 * harmless.
 */
export function openRequests(spreadsheet_id: string, effects: RequestEffects) {
  let count = 0
  const unsettled = new Map<number, Step>()
  const permits = reservable(effects.limiter)

  async function once<T>(step: Step, kind: 'read' | 'write', call: () => Promise<T>): Promise<T> {
    effects.signal.throwIfAborted()
    // The drive service has a quota of its own, so large that it is hardly ever reached here.
    const isLimited = step !== 'file'
    if (isLimited) await permits.acquire(kind)
    const request = ++count
    const facts = { kind, visible: VISIBLE.has(step), request }
    await effects.on_step(step, { ...facts, when: 'before', outcome: null })
    const sentAt = performance.now()
    const report = async (refusal: Refusal | null) =>
      isLimited
        ? await effects.limiter.report(kind, { sent_ms_ago: performance.now() - sentAt, refusal })
        : (refusal?.retry_after_ms ?? A_MINUTE_MS)
    try {
      const response = await call()
      await report(null)
      await effects.on_step(step, { ...facts, when: 'after', outcome: 'done' })
      return response
    } catch (error) {
      if (!(error instanceof SheetsFailure)) throw error
      if (error.ambiguous) unsettled.set(request, step)
      const retry_after_ms = error.code === 'quota_exhausted' ? await report(error) : error.retry_after_ms
      await effects.on_step(step, {
        ...facts,
        when: 'after',
        outcome: error.ambiguous ? 'unknown' : 'refused',
      })
      throw new SheetsFailure(error.code, { ...error, retry_after_ms, cause: error })
    }
  }

  /** One request that may be repeated freely: a read, or an idempotent write. */
  async function repeatable<T>(
    step: Step,
    { kind, ...patience }: Patience & { kind: 'read' | 'write' },
    call: () => Promise<T>,
  ): Promise<T> {
    const wait = waiting(effects.sleep, patience)
    for (;;) {
      try {
        return await once(step, kind, call)
      } catch (error) {
        await wait(error)
      }
    }
  }

  /**
   * A change that must be applied exactly once. When its outcome is unknown, or the tab is not as planned,
   * `isApplied` reads the tab again: true when the change was applied; else `body` makes the next try from
   * what was read.
   */
  async function change(
    step: Step,
    patience: Patience,
    { send, isApplied }: { send: () => Promise<void>; isApplied: () => Promise<boolean> },
  ): Promise<void> {
    const wait = waiting(effects.sleep, patience)
    let is_unknown = false
    let staleTries = 0
    for (;;) {
      try {
        return await once(step, 'write', send)
      } catch (error) {
        if (!(error instanceof SheetsFailure)) throw error
        is_unknown ||= error.ambiguous
        try {
          if (isStale(error) && staleTries++ < 2) {
            if (await isApplied()) return await settle(step)
          } else {
            await wait(error)
            if (is_unknown && (await isApplied())) return await settle(step)
          }
        } catch (later) {
          throw is_unknown ? markUnknown(later) : later
        }
      }
    }
  }

  /** The change was applied. If just one request can have done it, that one's outcome is known now. */
  async function settle(step: Step) {
    const [request, ...others] = [...unsettled].filter(([, each]) => each === step).map(([number]) => number)
    if (request === undefined || others.length > 0) return
    unsettled.delete(request)
    await effects.on_step(step, {
      when: 'after',
      kind: 'write',
      visible: VISIBLE.has(step),
      request,
      outcome: 'done',
    })
  }

  return { repeatable, change, reserveWrite: permits.reserveWrite, count: () => count }
}

/** Permits, of which that of the next write may be waited for beside the request that is under way. */
function reservable(limiter: SheetsPermits) {
  let reserved: { permit: Promise<void>; at_ms: number } | null = null
  return {
    reserveWrite() {
      reserved = { permit: limiter.acquire('write'), at_ms: performance.now() }
      // It may fail before it is awaited.
      reserved.permit.catch(() => undefined)
    },
    async acquire(kind: 'read' | 'write') {
      const own = kind === 'write' ? reserved : null
      if (own) reserved = null
      // A request counts when it is sent: after a long wait, the permit is of another minute.
      const isFresh = own !== null && performance.now() - own.at_ms < FRESH_MS
      await (isFresh ? own.permit : limiter.acquire(kind))
    },
  }
}

const FRESH_MS = 10_000
const A_MINUTE_MS = 60_000

const VISIBLE = new Set<Step>(['commit', 'grow', 'values', 'finish'])

// internal_error: an unexpected refusal, among them that of a run's entry which exists already; checking
// costs one read.
const isStale = (failure: SheetsFailure) =>
  !failure.ambiguous && (failure.why === 'stale_plan' || failure.code === 'internal_error')

/** Waits before the next try, or throws the failure when it is permanent or the patience is used up. */
function waiting(sleep: (ms: number) => Promise<void>, { tries, patience_ms }: Patience) {
  let tried = 0
  let waited_ms = 0
  return async (error: unknown) => {
    tried++
    if (!(error instanceof SheetsFailure) || !isPassing(error) || tried >= tries) throw error
    const wait_ms = error.retry_after_ms ?? Math.min(1000 * (2 ** (tried - 1) + Math.random()), 64_000)
    if (waited_ms + wait_ms > patience_ms) throw error
    waited_ms += wait_ms
    await sleep(wait_ms)
  }
}

const isPassing = (failure: SheetsFailure) =>
  failure.why !== 'stale_plan' &&
  (failure.code === 'quota_exhausted' || failure.code === 'spreadsheet_unavailable')

/** The failure, marked that something sent before it may still be applied. */
function markUnknown(error: unknown): unknown {
  if (!(error instanceof SheetsFailure) || error.ambiguous) return error
  return new SheetsFailure(error.code, { ...error, ambiguous: true, cause: error })
}

import { ReportPending, type ConnectorContext, type ReportRequest } from '#server/connectors/connector.ts'
import type { CacheEntry } from './queries.ts'
import type { ResponseCache } from './response-cache.ts'

/**
 * cached: another run has fetched it, or this one before. for_all: this run fetches it, for all. alone: for
 * itself.
 */
export type Decision = (CacheEntry<Buffer> & { state: 'cached' }) | { state: 'for_all' } | { state: 'alone' }

/** What one attempt of a run is fetching, over all its requests. */
export interface Attempt {
  /** The cache as it reads it: for days that still change, and for those that are final. */
  caches: { moving: ResponseCache; settled: ResponseCache }
  /** Requests that one of its blocks is fetching, by key: another block with the same one waits for it. */
  inFlight: Map<string, { use: 'prepare' | 'read'; isOver: Promise<void> }>
  /** What `prepare` has found, for the read that follows it. */
  found: Map<string, Awaited<ReturnType<ResponseCache['find']>>>
  /** Responses that are being stored, by key. */
  storing: Map<string, Promise<void>>
  /** How many responses it is reading from platforms at this moment. */
  fetching: number
  /** It has read what it would have to fetch again after a restart. */
  hasReadUncached: boolean
}

/**
 * Makes the run's other blocks with the same request wait. Returns how to release them; null: one of them is
 * reading it, so there is nothing to prepare.
 */
export async function lockRequest(
  { inFlight }: Attempt,
  key: Buffer,
  use: 'prepare' | 'read',
): Promise<(() => void) | null> {
  const text = key.toString('base64url')
  for (let held = inFlight.get(text); held; held = inFlight.get(text)) {
    // It may wait for what is still to be prepared.
    if (use === 'prepare' && held.use === 'read') return null
    await held.isOver
  }
  const { promise, resolve } = Promise.withResolvers<void>()
  inFlight.set(text, { use, isOver: promise })
  return () => {
    inFlight.delete(text)
    resolve()
  }
}

interface DecisionInput {
  attempt: Attempt
  cache: ResponseCache
  request: ReportRequest
  context: ConnectorContext
}

/**
 * How this run gets a response. While another run fetches it, this one polls a little; then it goes back to
 * the queue (ReportPending), unless it is fetching something itself that others wait for: two runs that each
 * wait for the other's request would else both give up, again and again.
 */
export async function decide(
  key: Buffer,
  { attempt, cache, request, context }: DecisionInput,
): Promise<Decision> {
  const text = key.toString('base64url')
  let waitedMs = 0
  for (;;) {
    const entry = attempt.found.get(text) ?? (await cache.find(key))
    attempt.found.delete(text)
    if (entry.state === 'cached') return entry
    if (entry.state === 'too_large' || entry.state === 'unavailable') return { state: 'alone' }
    if (entry.state === 'unclaimed' || entry.state === 'pending_for_me') {
      const isMine = await cache.claim(key, { waits: false })
      if (isMine !== false) return { state: isMine ? 'for_all' : 'alone' }
      continue
    }
    if (waitedMs >= PATIENCE_MS && attempt.fetching === 0) {
      if (attempt.hasReadUncached || isCheap(request)) return { state: 'alone' }
      throw new ReportPending(POLL_AFTER_MS)
    }
    const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, waitedMs))
    await context.sleep(pauseMs)
    context.signal.throwIfAborted()
    waitedMs += pauseMs
  }
}

/** For so long a worker is kept: most responses are there by then. */
const PATIENCE_MS = 3000
/** Each pause is as long as all before it together: one poll a second at most, and few of them. */
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 1000
export const POLL_AFTER_MS = 3000

/**
 * One row: waiting for it longer saves nothing, and a run that goes back to the queue has to read all the
 * rest again.
 */
const isCheap = ({ time, dimensions }: ReportRequest) => time === 'total' && dimensions.length === 0

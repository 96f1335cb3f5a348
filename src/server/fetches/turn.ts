import { ReportPending, type ReportRequest, type ConnectorContext } from '#server/connectors/connector.ts'
import type { Found } from './queries.ts'
import type { Shelf } from './shelf.ts'

/** kept: another was told it, or this run before. mine: this run asks, for all. alone: it asks for itself. */
export type Turn = (Found<Buffer> & { state: 'kept' }) | { state: 'mine' } | { state: 'alone' }

/** What one attempt of a run is about, over all its questions. */
export interface Attempt {
  /** Where answers about days that still change are kept for it, and about those that do not. */
  shelves: { moving: Shelf; settled: Shelf }
  /** Questions that one of its blocks is at, by name: another block with the same one comes after it. */
  busy: Map<string, Promise<void>>
  /** How many answers it is being told at this moment. */
  asking: number
  /** Whether it has read what it would have to ask for again if it began anew. */
  has_read_unkept: boolean
}

/** Answers how to let the run's other blocks go on. */
export async function comeFirst({ busy }: Attempt, name: Buffer): Promise<() => void> {
  const key = name.toString('base64url')
  while (busy.has(key)) await busy.get(key)
  const { promise, resolve } = Promise.withResolvers<void>()
  busy.set(key, promise)
  return () => {
    busy.delete(key)
    resolve()
  }
}

/**
 * How this run comes to an answer. While another is asking, it waits a little; then it goes back to the queue (ReportPending), unless it is asking
 * itself, for others to wait for: two runs that each wait for the other's question would else both give up, again and again.
 */
export async function turnAt(
  name: Buffer,
  {
    attempt,
    shelf,
    request,
    context,
  }: { attempt: Attempt; shelf: Shelf; request: ReportRequest; context: ConnectorContext },
): Promise<Turn> {
  let waited_ms = 0
  for (;;) {
    const found = await shelf.find(name)
    if (found.state === 'kept') return found
    if (found.state === 'too_large' || found.state === 'trouble') return { state: 'alone' }
    if (found.state === 'free' || found.state === 'being_made_for_me') {
      const is_mine = await shelf.claim(name, { waits: false })
      if (is_mine !== false) return { state: is_mine ? 'mine' : 'alone' }
      continue
    }
    if (waited_ms >= PATIENCE_MS && attempt.asking === 0) {
      if (attempt.has_read_unkept || isCheap(request)) return { state: 'alone' }
      throw new ReportPending(POLL_AFTER_MS)
    }
    const pause_ms = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, waited_ms))
    await context.sleep(pause_ms)
    context.signal.throwIfAborted()
    waited_ms += pause_ms
  }
}

/** For so long a worker is held: most answers are there by then. */
const PATIENCE_MS = 3000
/** Each pause is as long as all before it together: a look each second at most, and few of them. */
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 1000
export const POLL_AFTER_MS = 3000

/** One row: waiting for it longer spares nothing, and a run that goes back to the queue for it has to read all the rest again. */
const isCheap = ({ time, dimensions }: ReportRequest) => time === 'total' && dimensions.length === 0

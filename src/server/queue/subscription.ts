import { setTimeout as sleep } from 'node:timers/promises'
import type { Listen } from '#server/db/listen.ts'
import { POLL_MS } from './queue.ts'

export interface Subscription {
  /** Claims nothing more and waits for what is in progress, at most so long; false: something still is. */
  stop(graceMs: number): Promise<boolean>
}

interface SubscriptionOptions<Job> {
  listen: Listen
  /** The channel whose notifications say that there may be something to claim, by naming the pool. */
  channel: string
  pool: string
  concurrency: number
  /** Polls after so long although nothing was notified; longer in tests. */
  pollMs?: number
  claim: () => Promise<Job | null>
  work: (job: Job) => Promise<void>
  onError: (error: unknown) => void
}

/**
 * Claims one job after the other while there is a free slot, until there is none to claim; goes on when it is
 * notified, and after a while. It claims one at a time, so that processes that are woken together share the
 * jobs.
 */
export async function subscribe<Job>(options: SubscriptionOptions<Job>): Promise<Subscription> {
  const { listen, channel, pool, concurrency, pollMs = POLL_MS, claim, work, onError } = options
  const bell = newBell()
  const stopped = new AbortController()
  const underWay = new Set<Promise<void>>()
  const begin = (job: Job) => {
    const working = work(job)
      .catch(onError)
      .finally(() => {
        const wasFull = underWay.size === concurrency
        underWay.delete(working)
        if (wasFull) bell.ring()
      })
    underWay.add(working)
  }
  const unlisten = await listen(channel, named => named === pool && bell.ring(), bell.ring)
  const loop = (async () => {
    while (!stopped.signal.aborted) {
      // When the database is away, it is polled again after the pause.
      const job = underWay.size < concurrency ? await claim().catch(() => null) : null
      if (job) begin(job)
      else await bell.wait(pollMs)
    }
  })()
  return {
    async stop(graceMs) {
      stopped.abort()
      bell.ring()
      // Not awaited: while the database is away that would take until it is back.
      unlisten().catch(onError)
      return await endsWithin(
        graceMs,
        loop.then(() => Promise.all(underWay)),
      )
    },
  }
}

/** Whether the work ends within so long. */
export async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController()
  const isDone = await Promise.race([
    work.then(() => true),
    sleep(ms, false, { signal: timer.signal }).catch(() => false),
  ])
  timer.abort()
  return isDone
}

function newBell() {
  let hasRung = false
  let wake = () => {}
  return {
    ring() {
      hasRung = true
      wake()
    },
    /** Until it is woken, or has been since the last wait, or so long. */
    async wait(ms: number) {
      if (!hasRung) {
        const { promise, resolve } = Promise.withResolvers<void>()
        const timer = setTimeout(resolve, ms)
        wake = resolve
        await promise
        clearTimeout(timer)
      }
      hasRung = false
    },
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { networkOf } from './network.ts'
import { createRateLimit } from './rate-limit.ts'
import { openFairQueue, type QueueLimits } from './fair-queue.ts'
import { refuse } from './refusal.ts'

/** Kinds of requests, each limited for every person. */
export type RequestKind =
  | 'read'
  | 'search'
  | 'export'
  | 'preview'
  | 'import'
  | 'upload'
  | 'file'
  | 'follow'
  | 'write'

export interface LimitSettings {
  queues: Record<RequestKind | 'batch' | 'scan' | 'picture' | 'download', QueueLimits>
  writes: { per_minute: number; burst: number }
}

/**
 * What one process does at once, with its 20 sessions of the database. Searches and writes leave some to
 * plain reads; an export holds a session only while a batch is read, one at a time of all, with a pause
 * behind each; a preview waits for platforms and keeps 60,000 rows in memory at most. Plain reads of all
 * people are bounded by the slots of the process (capacity.ts), a tenth of which is one person's: more than
 * the six that a browser asks at once. Of all people ten changes or searches wait for each that is under way,
 * a second's work or two.
 *
 * A link that is followed waits for a host of the internet for up to five seconds, and holds no session.
 *
 * A file that arrives holds neither a session nor a slot, but for as long as a slow line takes. A virus
 * scanner loads its signatures, which can take hundreds of megabytes. Pictures take up to 200 MB and a thread
 * each while they are decoded, and all of a process's files share four threads. A download is an address's,
 * which may be that of an office, and holds one of the 256 connections to a bucket.
 */
export const queueLimits: LimitSettings['queues'] = {
  read: { of_one: 8, of_all: Infinity, waiting: 40, waiting_of_all: 400, wait_ms: 10_000, retry_after_s: 2 },
  search: { of_one: 4, of_all: 10, waiting: 12, waiting_of_all: 100, wait_ms: 5000, retry_after_s: 2 },
  export: { of_one: 2, of_all: 40, waiting: 4, waiting_of_all: 40, wait_ms: 20_000, retry_after_s: 10 },
  batch: {
    of_one: 1,
    of_all: 1,
    waiting: Infinity,
    waiting_of_all: Infinity,
    wait_ms: Infinity,
    retry_after_s: 10,
  },
  preview: { of_one: 2, of_all: 8, waiting: 2, waiting_of_all: 16, wait_ms: 10_000, retry_after_s: 2 },
  import: { of_one: 1, of_all: 3, waiting: 1, waiting_of_all: 6, wait_ms: 20_000, retry_after_s: 10 },
  upload: { of_one: 1, of_all: 3, waiting: 4, waiting_of_all: 12, wait_ms: 20_000, retry_after_s: 2 },
  file: { of_one: 3, of_all: 60, waiting: 12, waiting_of_all: 240, wait_ms: 30_000, retry_after_s: 5 },
  scan: { of_one: 2, of_all: 4, waiting: 3, waiting_of_all: 20, wait_ms: 60_000, retry_after_s: 10 },
  picture: { of_one: 1, of_all: 2, waiting: 3, waiting_of_all: 60, wait_ms: 60_000, retry_after_s: 10 },
  download: {
    of_one: 40,
    of_all: 160,
    waiting: 200,
    waiting_of_all: 600,
    wait_ms: 20_000,
    retry_after_s: 5,
  },
  follow: { of_one: 2, of_all: 8, waiting: 10, waiting_of_all: 40, wait_ms: 30_000, retry_after_s: 5 },
  write: { of_one: 4, of_all: 12, waiting: 40, waiting_of_all: 120, wait_ms: 10_000, retry_after_s: 2 },
}

/**
 * A person who works in the interface makes fewer than two changes a second; a script that creates one object
 * after another gets three minutes' worth at once, and then two a second.
 */
export const BURST_MINUTES = 3

export interface RequestLimits {
  /**
   * Runs `work` when this person is next; throws `rate_limited`, with the seconds to wait, beyond their
   * limits. `writes`: how many changes it counts as.
   */
  within<T>(request: LimitedRequest, work: () => Promise<T>): Promise<T>
  /** A piece of an export that is being sent: all exports of all people alternate, piece by piece. */
  batch<T>(person: number, work: () => Promise<T>): Promise<T>
  /** The virus scanner, as `within`. */
  scan<T>(person: number, work: () => Promise<T>, disconnected: AbortSignal): Promise<T>
  /** The decoding of a picture, as `within`. */
  picture<T>(person: number, work: () => Promise<T>): Promise<T>
  /** Sending a stored file to an address until it is read, as `within`. */
  download<T>(address: string, work: () => Promise<T>, disconnected: AbortSignal): Promise<T>
}

export interface LimitedRequest {
  kind: RequestKind
  person: number
  writes: number
  /** Aborted when the client has disconnected. */
  disconnected?: AbortSignal
}

/** In memory: it protects this process, and each process has the same. */
export function createRequestLimits(
  { queues, writes: { per_minute, burst } }: LimitSettings,
  now: () => number = () => performance.now(),
): RequestLimits {
  const writeRate = createRateLimit({ per_minute, burst, now })
  const queueOf = {
    read: openFairQueue(queues.read),
    search: openFairQueue(queues.search),
    export: openFairQueue(queues.export),
    preview: openFairQueue(queues.preview),
    import: openFairQueue(queues.import),
    upload: openFairQueue(queues.upload),
    file: openFairQueue(queues.file),
    follow: openFairQueue(queues.follow),
    write: openFairQueue(queues.write),
  }
  const batches = openFairQueue(queues.batch)
  const scans = openFairQueue(queues.scan)
  const pictures = openFairQueue(queues.picture)
  const downloads = openFairQueue(queues.download)
  return {
    async within({ kind, person, writes, disconnected }, work) {
      const waitS = writes > 0 ? writeRate.take(person, writes) : null
      if (waitS !== null) throw refuse('rate_limited', { retry_after_s: waitS })
      let hasBegun = false
      const begin = () => {
        hasBegun = true
        return work()
      }
      try {
        return await queueOf[kind].within(person, begin, disconnected)
      } finally {
        if (!hasBegun && writes > 0) writeRate.refund(person, writes)
      }
    },
    batch: (person, work) =>
      batches.within(person, async () => {
        const began = now()
        const done = await work()
        // Yields the thread for as long as the batch has taken, which is mostly formatting of cells.
        await sleep(now() - began)
        return done
      }),
    scan: (person, work, disconnected) => scans.within(person, work, disconnected),
    picture: (person, work) => pictures.within(person, work),
    download: (address, work, disconnected) => downloads.within(networkOf(address), work, disconnected),
  }
}

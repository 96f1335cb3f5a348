import { asProblem, Problem } from '#web/client/problem.ts'
import type { Hasher } from '#web/pages/audiences/hashing/messages.ts'
import type { Batch, Envelope, FileReading } from '#web/pages/audiences/hashing/passes.ts'

export interface UploadPlan {
  reading: FileReading
  envelope: Envelope
  /** The first batch to send; later than 1 where an upload goes on. */
  from: number
}

export interface UploadEffects {
  hasher: Pick<Hasher, 'start' | 'next'>
  /** Sends one batch; throws a problem where it was not taken. */
  post: (body: Blob) => Promise<unknown>
  pause: (ms: number) => Promise<void>
  signal: AbortSignal
  onProgress: (progress: UploadProgress) => void
}

export interface UploadProgress {
  /** The batch that comes next. */
  seq: number
  /** Rows that the server has taken. */
  sent: number
  isWaiting: boolean
}

/**
 * Sends the batches of an upload in turn, the next one being made meanwhile. One that could not be sent is
 * sent again with the same bytes, for as long as the server cannot be reached; where the server expects
 * another one, the upload goes on from there.
 */
export async function sendUpload({ reading, envelope, from }: UploadPlan, effects: UploadEffects) {
  const { hasher, signal, onProgress } = effects
  let seq = from
  let gaps = 0
  let rowsEach = 0
  await hasher.start(reading, envelope, seq)
  for (let next = hasher.next(); ;) {
    const batch = await next
    if (batch === null || signal.aborted) return
    // The first one is full, unless it is the only one.
    rowsEach = Math.max(rowsEach, batch.rows)
    const sent = (batch.seq - 1) * rowsEach
    next = batch.last ? Promise.resolve(null) : hasher.next()
    const expected = await postPatiently(batch, { ...effects, sent })
    if (expected === batch.seq + 1) {
      onProgress({ seq: expected, sent: sent + batch.rows, isWaiting: false })
      continue
    }
    if (++gaps > MOST_GAPS) throw new Problem({ code: 'upload_gap', status: 409 })
    await next
    seq = expected
    await hasher.start(reading, envelope, seq)
    next = hasher.next()
  }
}

/** A server that expects one batch after the other and takes none would be asked for ever. */
const MOST_GAPS = 5

/** The number of the batch that the server expects next. */
async function postPatiently(
  { seq, body }: Batch,
  { post, pause, signal, onProgress, sent }: UploadEffects & { sent: number },
): Promise<number> {
  const blob = new Blob([body], { type: 'application/json' })
  for (let tries = 0; ; tries++) {
    try {
      await post(blob)
      return seq + 1
    } catch (error) {
      const problem = asProblem(error)
      const { expected } = problem.body
      if (problem.code === 'upload_gap' && typeof expected === 'number') return expected
      if (signal.aborted || !isPassing(problem)) throw problem
      onProgress({ seq, sent, isWaiting: true })
      await pause(problem.retry_after_ms ?? Math.min(1000 * 2 ** tries, LONGEST_PAUSE_MS))
      signal.throwIfAborted()
    }
  }
}

const LONGEST_PAUSE_MS = 30_000

const isPassing = ({ code, status }: Problem) =>
  code === 'unreachable' || code === 'overloaded' || code === 'rate_limited' || status >= 500

import { ReportPending, PlatformFailure, type Io } from '#server/connectors/connector.ts'

/** A platform that makes reports while nobody waits. */
export interface Maker<Job> {
  keyOf: (job: Job) => string
  /** Its id; null when no more may be begun for now. */
  begin: (job: Job) => Promise<string | null>
  /** What has become of reports, by id; one that is gone is left out. */
  look: (ids: string[]) => Promise<ReadonlyMap<string, Made>>
}
export type Made =
  | { state: 'made' }
  | { state: 'under_way'; age_ms: number }
  | { state: 'failed'; failure: PlatformFailure }

/** Two seconds, for which a worker may be held: many reports are there by then. */
const PAUSES_MS = [0, 500, 500, 1000]
const POLL_AFTER_MS: readonly { younger_than_ms: number; pause_ms: number }[] = [
  { younger_than_ms: 30_000, pause_ms: 5000 },
  { younger_than_ms: 120_000, pause_ms: 10_000 },
  { younger_than_ms: 30 * 60_000, pause_ms: 30_000 },
]
const NO_ROOM_PAUSE_MS = 30_000
const ATTEMPTS = 3

/** Begins every job and waits a little for them. Throws ReportPending while some are not made; one that failed is begun again, twice at most,
 * but for one that is too large. */
export async function makeAll<Job>(jobs: readonly Job[], maker: Maker<Job>, io: Io<object>): Promise<void> {
  const waiting = new Set(jobs)
  let poll_after_ms = 0
  for (const pause_ms of PAUSES_MS) {
    if (pause_ms > 0) await io.sleep(pause_ms)
    const { begun, has_room } = await beginAll([...waiting], maker, io)
    poll_after_ms = has_room ? 0 : NO_ROOM_PAUSE_MS
    const seen = begun.size > 0 ? await maker.look([...begun.keys()]) : new Map<string, Made>()
    for (const [id, job] of begun) {
      const made = seen.get(id) ?? gone
      if (made.state === 'made') waiting.delete(job)
      else if (made.state === 'failed') await beginAnew(maker.keyOf(job), made.failure, io)
      poll_after_ms = Math.max(poll_after_ms, made.state === 'under_way' ? pauseAfter(made.age_ms) : 0)
    }
    if (waiting.size === 0) return
  }
  throw new ReportPending(poll_after_ms || NO_ROOM_PAUSE_MS)
}

const gone: Made = {
  state: 'failed',
  failure: new PlatformFailure('platform_unavailable', { platform_message: 'the report is gone' }),
}

async function beginAll<Job>(jobs: readonly Job[], maker: Maker<Job>, io: Io<object>) {
  const begun = new Map<string, Job>()
  for (const job of jobs) {
    try {
      begun.set(await io.jobs.startOnce(maker.keyOf(job), () => begunOr(maker.begin(job))), job)
    } catch (error) {
      if (error instanceof NoRoom) return { begun, has_room: false }
      throw error
    }
  }
  return { begun, has_room: true }
}

class NoRoom extends Error {}

async function begunOr(beginning: Promise<string | null>): Promise<string> {
  const id = await beginning
  if (id === null) throw new NoRoom()
  return id
}

/** Failures are counted among the jobs themselves: no attempt of the run knows more of the ones before it. */
async function beginAnew(key: string, failure: PlatformFailure, io: Io<object>): Promise<void> {
  const counter = `${key} failed`
  const failed = Number(await io.jobs.startOnce(counter, async () => '0')) + 1
  await io.jobs.forget(key)
  await io.jobs.forget(counter)
  if (failed === ATTEMPTS || failure.code === 'too_large') throw failure
  await io.jobs.startOnce(counter, async () => String(failed))
}

/** Half an hour is far more than any report takes. The report stays: a later attempt may find it made. */
function pauseAfter(age_ms: number): number {
  const pause = POLL_AFTER_MS.find(({ younger_than_ms }) => age_ms < younger_than_ms)
  if (pause === undefined)
    throw new PlatformFailure('platform_timeout', { platform_message: 'a report that does not get made' })
  return pause.pause_ms
}

import { PlatformFailure, ReportPending, type ConnectorContext } from '#server/connectors/connector.ts'
import { RecoverableFailure } from './failures.ts'

// Reports that a platform prepares asynchronously: submit, remember, poll. What is remembered belongs to
// the run, so that a later attempt continues with what an earlier one has started.

/** How a platform prepares reports. */
export interface ReportService<Job> {
  /** Holds the whole request of a job. */
  keyOf: (job: Job) => string
  /** The id of a new job; null when the platform takes no more for now. */
  submit: (job: Job) => Promise<string | null>
  /** What has become of jobs, by id; one that is gone is left out. */
  poll: (ids: string[]) => Promise<ReadonlyMap<string, JobState>>
  /** Smaller jobs that together have the rows of one that is too large; null: it cannot be split. */
  split?: (job: Job) => Job[] | null
  /** So many may be under way at a time; left out: the platform says by itself when they are too many. */
  mostOpen?: number
}
export type JobState =
  | { state: 'finished' }
  /** `age_ms`: since it was submitted; null when the platform does not say. */
  | { state: 'running'; age_ms: number | null }
  | { state: 'failed'; failure: PlatformFailure }

/** For a platform that says the state of one job at a time. */
export const pollEach =
  (stateOf: (id: string) => Promise<JobState>): ReportService<unknown>['poll'] =>
  async ids => {
    const states = new Map<string, JobState>()
    for (const id of ids) states.set(id, await stateOf(id))
    return states
  }

/** The platform has not been able to prepare the report: it is submitted again. */
export const failedJob = (platform_message: string): JobState => ({
  state: 'failed',
  failure: new PlatformFailure('platform_unavailable', { platform_message }),
})

export interface FinishedJob<Job> {
  job: Job
  id: string
}

/** Two seconds, for which a worker may be held: many reports are there by then. */
const PAUSES_MS = [0, 500, 500, 1000]
const POLL_AFTER_MS: readonly { younger_than_ms: number; pause_ms: number }[] = [
  { younger_than_ms: 30_000, pause_ms: 5000 },
  { younger_than_ms: 120_000, pause_ms: 10_000 },
  { younger_than_ms: 30 * 60_000, pause_ms: 30_000 },
]
const UNKNOWN_AGE_PAUSE_MS = 10_000
const FULL_PAUSE_MS = 30_000
const SUBMISSIONS = 3

type JobsContext = Pick<ConnectorContext, 'jobs' | 'sleep'>

/**
 * Submits every job and waits a little for them. Throws ReportPending while some are not finished. One that
 * is too large is split where it can be; one that the platform has failed to prepare is submitted again,
 * twice at most over all attempts of the run.
 */
export async function finishJobs<Job>(
  jobs: readonly Job[],
  service: ReportService<Job>,
  io: JobsContext,
): Promise<FinishedJob<Job>[]> {
  if (jobs.length === 0) return []
  const progress: Progress<Job> = { jobs: [...jobs], finished: new Map(), poll_after_ms: 0 }
  for (const pauseMs of PAUSES_MS) {
    if (pauseMs > 0) await io.sleep(pauseMs)
    await advance(progress, service, io)
    const { finished } = progress
    if (progress.jobs.every(job => finished.has(job)))
      return progress.jobs.map(job => ({ job, id: finished.get(job) ?? '' }))
  }
  throw new ReportPending(progress.poll_after_ms || FULL_PAUSE_MS)
}

/** Whether this run has started the job before. */
export const isStarted = async <Job>(
  job: Job,
  { keyOf }: Pick<ReportService<Job>, 'keyOf'>,
  { jobs }: JobsContext,
): Promise<boolean> =>
  (await jobs.find(keyOf(job))) !== null || (await jobs.find(failuresKey(keyOf(job)))) !== null

interface Progress<Job> {
  /** In their order; a job that was split is replaced by its parts. */
  jobs: Job[]
  finished: Map<Job, string>
  poll_after_ms: number
}

/** Starts as many as may be under way and looks at each once. */
async function advance<Job>(
  progress: Progress<Job>,
  service: ReportService<Job>,
  io: JobsContext,
): Promise<void> {
  const { mostOpen = Infinity } = service
  const waiting = progress.jobs.filter(job => !progress.finished.has(job))
  progress.poll_after_ms = 0
  let open = 0
  let hasRoom = true
  while (waiting.length > 0 && open < mostOpen && hasRoom) {
    const started = await startAll(waiting.splice(0, mostOpen - open), service, io)
    hasRoom = started.hasRoom
    const states =
      started.ids.size > 0 ? await service.poll([...started.ids.keys()]) : new Map<string, JobState>()
    const failures = [...started.failures]
    for (const [id, job] of started.ids) {
      const state = states.get(id) ?? jobGone
      if (state.state === 'finished') progress.finished.set(job, id)
      else if (state.state === 'failed') failures.push({ job, failure: state.failure })
      else {
        open += 1
        progress.poll_after_ms = Math.max(progress.poll_after_ms, pauseAfter(state.age_ms))
      }
    }
    for (const failed of failures) waiting.unshift(...(await partsAfter(failed, progress, { service, io })))
  }
  if (!hasRoom) progress.poll_after_ms = Math.max(progress.poll_after_ms, FULL_PAUSE_MS)
}

export const jobGone = failedJob('the report is gone')

interface FailedJob<Job> {
  job: Job
  failure: PlatformFailure
}

async function startAll<Job>(jobs: readonly Job[], service: ReportService<Job>, io: JobsContext) {
  const ids = new Map<string, Job>()
  const failures: FailedJob<Job>[] = []
  for (const job of jobs) {
    try {
      ids.set(await io.jobs.startOnce(service.keyOf(job), () => submit(job, service)), job)
    } catch (error) {
      if (error instanceof NoRoom) return { ids, failures, hasRoom: false }
      if (!(error instanceof RecoverableFailure)) throw error
      failures.push({ job, failure: error })
    }
  }
  return { ids, failures, hasRoom: true }
}

/** The platform takes no more jobs for now. */
class NoRoom extends Error {}

async function submit<Job>(job: Job, service: ReportService<Job>): Promise<string> {
  const id = await service.submit(job)
  if (id === null) throw new NoRoom()
  return id
}

/**
 * What replaces a job that failed: its parts, or the same again in a moment. Throws what is final.
 */
async function partsAfter<Job>(
  { job, failure }: FailedJob<Job>,
  progress: Progress<Job>,
  { service, io }: { service: ReportService<Job>; io: JobsContext },
): Promise<Job[]> {
  const parts = failure.code === 'too_large' ? (service.split?.(job) ?? null) : null
  if (parts === null) {
    await countFailure(service.keyOf(job), failure, io)
    return []
  }
  progress.jobs.splice(progress.jobs.indexOf(job), 1, ...parts)
  return parts
}

/** Failures are counted among the jobs themselves: no attempt of the run knows more of the ones before it. */
async function countFailure(key: string, failure: PlatformFailure, io: JobsContext): Promise<void> {
  const counter = failuresKey(key)
  const failures = Number((await io.jobs.find(counter)) ?? '0') + 1
  await io.jobs.forget(key)
  await io.jobs.forget(counter)
  if (failures === SUBMISSIONS || failure.code !== 'platform_unavailable') throw failure
  await io.jobs.startOnce(counter, async () => String(failures), 'note')
}

const failuresKey = (key: string) => `${key} failed`

/** Half an hour is far more than any report takes. The report stays: a later attempt may find it finished. */
function pauseAfter(ageMs: number | null): number {
  if (ageMs === null) return UNKNOWN_AGE_PAUSE_MS
  const pause = POLL_AFTER_MS.find(({ younger_than_ms }) => ageMs < younger_than_ms)
  if (pause === undefined)
    throw new PlatformFailure('platform_timeout', { platform_message: 'a report that does not get finished' })
  return pause.pause_ms
}

import { PlatformFailure, type Page, type TimeGrain } from '../connector.ts'
import { createSeen, sifted, type Seen } from '../seen.ts'
import { ask, factsOf, pagesOf } from './client.ts'
import { columnsOf, type Wanted } from './columns.ts'
import { Mendable, verdictOn, type Remedy } from './failures.ts'
import { Job, SubmittedJob, type MetaIo } from './schema.ts'
import { chunked, type Slice } from '../slices.ts'
import { timeParams } from './slices.ts'

/** What is asked of one account, whatever the days. */
export interface Insights {
  /** The account's bare number. */
  account: string
  time: TimeGrain
  /** Everything but the days and the page. */
  params: Readonly<Record<string, string>>
  wanted: Wanted
  /** Whether an account of ordinary size can have more rows than a synchronous answer should. */
  may_be_large: boolean
  /** Whether these days can only be asked for asynchronously. */
  mustWait: (slices: Slice[]) => boolean
}

/**
 * The rows of neighbouring slices, each once. Many days of single ads are sized up first: their last week is read, and tells
 * whether the rest should be asked for asynchronously, and in how many jobs.
 */
export async function* rowsOf(insights: Insights, slices: Slice[], io: MetaIo): AsyncGenerator<Page> {
  if (!insights.may_be_large || slices.length <= MANY_SLICES) {
    yield* answerOf(insights, slices, io)
    return
  }
  let rows = 0
  for await (const page of answerOf(insights, slices.slice(-SAMPLE_SLICES), io)) {
    rows += page.length
    yield page
  }
  const rest = slices.slice(0, -SAMPLE_SLICES)
  const rows_per_slice = rows / SAMPLE_SLICES
  if (rows_per_slice * rest.length <= SYNCHRONOUS_ROWS) {
    yield* answerOf(insights, rest, io)
    return
  }
  const slices_per_job = Math.max(1, Math.floor(JOB_ROWS / rows_per_slice))
  yield* answersOf(insights, chunked(rest, slices_per_job), io)
}

/** Asks for several groups of slices asynchronously; while the rows of one job are read, the next ones are at work. */
async function* answersOf(insights: Insights, groups: Slice[][], io: MetaIo): AsyncGenerator<Page> {
  const stop = new AbortController()
  const submitting = { ...io, signal: AbortSignal.any([io.signal, stop.signal]) }
  const jobs: Promise<string>[] = []
  try {
    for (const [at, slices] of groups.entries()) {
      for (const next of groups.slice(jobs.length, at + OPEN_JOBS)) {
        const job = finishedJob(insights, next, submitting)
        // It may fail before anybody waits for it.
        job.catch(() => {})
        jobs.push(job)
      }
      yield* answerOf(insights, slices, io, { asynchronous: true, job: jobs[at] })
    }
  } finally {
    stop.abort()
  }
}

const MANY_SLICES = 31
const SAMPLE_SLICES = 7
const SYNCHRONOUS_ROWS = 20_000
const JOB_ROWS = 100_000
/** Meta lets an account have about five; other reports may be asking it too. */
const OPEN_JOBS = 3
const SUBMISSIONS = 3
const WALKS = 3
const FIRST_POLL_MS = 2000
const SLOWEST_POLL_MS = 30_000
const LONGEST_JOB_MS = 60 * 60_000

interface Way {
  asynchronous?: boolean
  /** A job for these slices that has been submitted already. */
  job?: Promise<string> | undefined
  seen?: Seen
}

/** Asks synchronously, then asynchronously, then for half of the slices: as far as it takes. */
async function* answerOf(
  insights: Insights,
  slices: Slice[],
  io: MetaIo,
  {
    asynchronous = insights.mustWait(slices),
    job,
    seen = createSeen(slices.map(({ start }) => start)),
  }: Way = {},
): AsyncGenerator<Page> {
  if (!asynchronous) {
    try {
      yield* walked(() => synchronousPages(insights, slices, io), insights.wanted, seen)
      return
    } catch (error) {
      if (!hasRemedy(error, 'smaller_question', 'smaller_page')) throw error
    }
  }
  try {
    const finished = await (job ?? finishedJob(insights, slices, io))
    yield* walked(() => jobPages(insights, finished, io), insights.wanted, seen)
  } catch (error) {
    if (!hasRemedy(error, 'smaller_question', 'smaller_page') || slices.length === 1) throw error
    for (const half of chunked(slices, Math.ceil(slices.length / 2))) {
      yield* answerOf(insights, half, io, { asynchronous: true, seen })
    }
  }
}

/**
 * Reads pages to the end. Cursors do not outlive an interruption: when one goes bad, again from the start. So it is when a row
 * comes twice on one walk: then the list has moved under our feet, and another row may have slipped by unseen.
 */
async function* walked(
  pages: () => AsyncGenerator<unknown[]>,
  wanted: Wanted,
  seen: Seen,
): AsyncGenerator<Page> {
  for (let walk = 1; ; walk += 1) {
    const look = seen.startWalk()
    try {
      for await (const data of pages()) {
        const page = columnsOf(data, wanted, seen.starts)
        const { fresh, repeats } = sifted(page, look)
        if (fresh.length > 0) yield fresh
        if (repeats) throw new Mendable('restart_paging', { platform_message: 'a row that came twice' })
      }
      return
    } catch (error) {
      if (walk === WALKS || !hasRemedy(error, 'restart_paging')) throw error
    }
  }
}

function synchronousPages(insights: Insights, slices: Slice[], io: MetaIo) {
  const { account } = insights
  return pagesOf(
    { path: `act_${account}/insights`, params: paramsOf(insights, slices), account, heavy: true },
    { io },
  )
}

function jobPages({ account }: Insights, job: string, io: MetaIo) {
  return pagesOf({ path: `${job}/insights`, account, heavy: true }, { io })
}

const paramsOf = ({ params, time }: Insights, slices: Slice[]) => ({ ...params, ...timeParams(slices, time) })

/** Submits the question and waits for its job; one that was skipped or broke down is submitted again, twice at most. */
async function finishedJob(insights: Insights, slices: Slice[], io: MetaIo): Promise<string> {
  const { account } = insights
  const params = paramsOf(insights, slices)
  for (let submission = 1; ; submission += 1) {
    const question = {
      method: 'POST',
      path: `act_${account}/insights`,
      params,
      account,
      bare_ids: true,
    } as const
    const { report_run_id } = await ask(question, SubmittedJob, { io })
    try {
      await waitForJob({ account, job: report_run_id }, io)
      return report_run_id
    } catch (error) {
      if (submission === SUBMISSIONS || !hasRemedy(error, 'submit_again')) throw error
    }
  }
}

/** Looks at the job ever more rarely, for an hour at most. It holds its worker meanwhile: what has been read so far is with it. */
async function waitForJob({ account, job }: { account: string; job: string }, io: MetaIo): Promise<void> {
  let pause_ms = FIRST_POLL_MS
  for (let waited_ms = 0; waited_ms < LONGEST_JOB_MS; waited_ms += pause_ms) {
    await io.sleep(pause_ms)
    pause_ms = Math.min(SLOWEST_POLL_MS, pause_ms * 1.5)
    const state = await ask({ path: job, account, bare_ids: true }, Job, { io })
    if (state.async_status === 'Job Completed' && state.async_percent_completion === 100) return
    if (state.async_status === 'Job Skipped') throw new Mendable('submit_again')
    if (state.async_status === 'Job Failed') throw failureOf(state, io)
  }
  throw new PlatformFailure('platform_timeout', { platform_message: `report job ${job} did not finish` })
}

function failureOf({ error_code, error_subcode, error_message }: Job, io: MetaIo): PlatformFailure {
  if (error_code === undefined) return new Mendable('submit_again')
  const error = { code: error_code, error_subcode, message: error_message ?? '' }
  const facts = factsOf(error, io)
  const verdict = verdictOn(error)
  switch (verdict.kind) {
    case 'mend':
      return new Mendable(verdict.remedy, facts)
    case 'again':
      return new Mendable('submit_again', facts)
    case 'quota':
      return new PlatformFailure('quota_exhausted', { ...facts, retry_after_ms: verdict.usual_wait_ms })
    case 'final':
      return new PlatformFailure(verdict.code, facts)
  }
}

function hasRemedy(error: unknown, ...remedies: Remedy[]): boolean {
  return error instanceof Mendable && remedies.includes(error.remedy)
}

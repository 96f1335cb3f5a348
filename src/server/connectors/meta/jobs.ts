import { ReportPending, PlatformFailure } from '#server/connectors/connector.ts'
import { chunked, type Slice } from '#server/connectors/kit/slices.ts'
import { callApi, factsOf } from './client.ts'
import { canRecover, failureOf, RecoverableFailure } from '#server/connectors/kit/failures.ts'
import { classify } from './failures.ts'
import { paramsOf, type Insights } from './query.ts'
import { Job, SubmittedJob, type MetaIo } from './schema.ts'

/** Slices that Meta has made a report of. */
export interface FinishedJob {
  slices: Slice[]
  job: string
}

/** Meta lets an account have about five; other reports may be asking it too. */
const OPEN_JOBS = 3
const SUBMISSIONS = 3
/** Waits between looks: two seconds in all, for which a worker may be held. Then the run waits. */
const LOOKS_MS = [0, 500, 500, 1000]
const POLL_AFTER_MS = 10_000

/**
 * Has Meta make a report of each group of slices, or finds those that an earlier attempt of the run has
 * begun: as many at a time as Meta allows. A group that is too large is halved. Throws ReportPending while
 * there is something left to wait for.
 */
export async function finishedJobs(
  insights: Insights,
  groups: Slice[][],
  io: MetaIo,
): Promise<FinishedJob[]> {
  if (groups.length === 0) return []
  const ended: Ended = new Map()
  for (const pause_ms of LOOKS_MS) {
    if (pause_ms > 0) await io.sleep(pause_ms)
    const finished = await lookAtAll(insights, groups, { io, ended })
    if (finished) return finished
  }
  throw new ReportPending(POLL_AFTER_MS)
}

/** Whether this run has begun a job for these slices before. */
export const isStarted = async (insights: Insights, slices: Slice[], { jobs }: MetaIo) =>
  (await jobs.find(keyOf(insights, slices, 1))) !== null

/** What became of jobs that need no further look, by their keys. */
type Ended = Map<string, { job: string } | PlatformFailure>

interface Looking {
  io: MetaIo
  ended: Ended
}

/** One look at every job, in order; null while one is at work or has yet to begin. */
async function lookAtAll(
  insights: Insights,
  groups: Slice[][],
  looking: Looking,
): Promise<FinishedJob[] | null> {
  const finished: FinishedJob[] = []
  const waiting = [...groups]
  let open = 0
  for (let slices = waiting.shift(); slices; slices = waiting.shift()) {
    if (open === OPEN_JOBS) return null
    const state = await stateOf(insights, slices, looking)
    if (state === 'under_way') open += 1
    else if (state === 'too_large') waiting.unshift(...halvesOf(slices))
    else finished.push({ slices, job: state.job })
  }
  return open === 0 ? finished : null
}

export const halvesOf = (slices: Slice[]) => chunked(slices, Math.ceil(slices.length / 2))

/** One that was skipped or broke down is submitted again, twice at most over all attempts of the run. */
async function stateOf(
  insights: Insights,
  slices: Slice[],
  { io, ended }: Looking,
): Promise<{ job: string } | 'under_way' | 'too_large'> {
  for (let submission = 1; ; submission += 1) {
    const key = keyOf(insights, slices, submission)
    const state = ended.get(key) ?? (await outcomeOf(insights, { slices, key }, io))
    if (state === 'under_way') return state
    ended.set(key, state)
    if (!(state instanceof PlatformFailure)) return state
    if (slices.length > 1 && canRecover(state, 'smaller_request', 'smaller_page')) return 'too_large'
    if (canRecover(state, 'submit_again') && submission < SUBMISSIONS) continue
    await forget(insights, slices, io)
    throw state
  }
}

async function outcomeOf(
  insights: Insights,
  { slices, key }: { slices: Slice[]; key: string },
  io: MetaIo,
): Promise<{ job: string } | 'under_way' | PlatformFailure> {
  const { account } = insights
  try {
    const job = await io.jobs.startOnce(key, () => submit(insights, slices, io))
    const state = await lookAt(job, account, io)
    if (state.async_status === 'Job Completed' && state.async_percent_completion === 100) return { job }
    if (state.async_status === 'Job Skipped') return new RecoverableFailure('submit_again')
    return state.async_status === 'Job Failed' ? jobFailure(state, io) : 'under_way'
  } catch (error) {
    if (canRecover(error, 'smaller_request', 'smaller_page', 'submit_again')) return error
    throw error
  }
}

/**
 * Of a job that it has forgotten Meta says what it says of an account that is lost. If it is the account, the
 * next submission will be told.
 */
async function lookAt(path: string, account: string, io: MetaIo): Promise<Job> {
  try {
    return await callApi({ path, account, bare_ids: true }, Job, io)
  } catch (error) {
    const is_gone = error instanceof PlatformFailure && error.code === 'account_access_lost'
    throw is_gone ? new RecoverableFailure('submit_again', error) : error
  }
}

async function submit(insights: Insights, slices: Slice[], io: MetaIo): Promise<string> {
  const { account } = insights
  const params = paramsOf(insights, slices)
  const call = {
    method: 'POST',
    path: `act_${account}/insights`,
    params,
    account,
    bare_ids: true,
  } as const
  return (await callApi(call, SubmittedJob, io)).report_run_id
}

const keyOf = (insights: Insights, slices: Slice[], submission: number) =>
  JSON.stringify(['meta', insights.account, paramsOf(insights, slices), submission])

async function forget(insights: Insights, slices: Slice[], io: MetaIo): Promise<void> {
  for (let submission = 1; submission <= SUBMISSIONS; submission += 1)
    await io.jobs.forget(keyOf(insights, slices, submission))
}

function jobFailure({ error_code, error_subcode, error_message }: Job, io: MetaIo): PlatformFailure {
  if (error_code === undefined) return new RecoverableFailure('submit_again')
  const error = { code: error_code, error_subcode, message: error_message ?? '' }
  const verdict = classify(error)
  // At once it would fail again: the job is done anew.
  if (verdict.kind === 'retry') return new RecoverableFailure('submit_again', factsOf(error, io))
  return failureOf(verdict, factsOf(error, io))
}

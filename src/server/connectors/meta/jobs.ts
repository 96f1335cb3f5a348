import { chunked } from '#shared/chunked.ts'
import { PlatformFailure } from '#server/connectors/connector.ts'
import { failureOf, RecoverableFailure } from '#server/connectors/kit/failures.ts'
import {
  finishJobs,
  isStarted,
  pollEach,
  type FinishedJob,
  type JobState,
  type ReportService,
} from '#server/connectors/kit/report-jobs.ts'
import type { Slice } from '#server/connectors/kit/slices.ts'
import { callApi, factsOf } from './client.ts'
import { classify } from './failures.ts'
import { paramsOf, type Insights } from './query.ts'
import { Job, SubmittedJob, type MetaIo } from './schema.ts'

/** Meta lets an account have about five; other reports may use the same account. */
const OPEN_JOBS = 3

/**
 * Has Meta prepare a report of each group of slices, or finds those that an earlier attempt of the run has
 * submitted. A group that is too large is halved. Throws ReportPending while one is at work.
 */
export const finishedJobs = (
  insights: Insights,
  groups: Slice[][],
  io: MetaIo,
): Promise<FinishedJob<Slice[]>[]> => finishJobs(groups, reportService(insights, io), io)

/** Whether this run has submitted a job for these slices before. */
export const hasJob = (insights: Insights, slices: Slice[], io: MetaIo) =>
  isStarted(slices, reportService(insights, io), io)

const reportService = (insights: Insights, io: MetaIo): ReportService<Slice[]> => ({
  // Not by which actions conversions are counted: a report has them all, and serves every request of the run.
  keyOf: slices => JSON.stringify(['meta', insights.account, paramsOf(insights, slices), 1]),
  submit: slices => submit(insights, slices, io),
  poll: pollEach(id => stateOf(id, insights, io)),
  split: slices => (slices.length > 1 ? halvesOf(slices) : null),
  mostOpen: OPEN_JOBS,
})

export const halvesOf = (slices: Slice[]) => chunked(slices, Math.ceil(slices.length / 2))

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

/**
 * Of a job that it has forgotten Meta says what it says of an account that is lost. If it is the account, the
 * next submission will be refused for it.
 */
async function stateOf(path: string, { account }: Insights, io: MetaIo): Promise<JobState> {
  try {
    const job = await callApi({ path, account, bare_ids: true }, Job, io)
    const { async_status, async_percent_completion } = job
    if (async_status === 'Job Completed' && async_percent_completion === 100) return { state: 'finished' }
    if (async_status === 'Job Skipped')
      return { state: 'failed', failure: new RecoverableFailure('submit_again') }
    if (async_status === 'Job Failed') return { state: 'failed', failure: jobFailure(job, io) }
    return { state: 'running', age_ms: null }
  } catch (error) {
    if (error instanceof RecoverableFailure) return { state: 'failed', failure: error }
    if (error instanceof PlatformFailure && error.code === 'account_access_lost')
      return { state: 'failed', failure: new RecoverableFailure('submit_again', error) }
    throw error
  }
}

function jobFailure({ error_code, error_subcode, error_message }: Job, io: MetaIo): PlatformFailure {
  if (error_code === undefined) return new RecoverableFailure('submit_again')
  const error = { code: error_code, error_subcode, message: error_message ?? '' }
  const verdict = classify(error)
  // At once it would fail again: the job is done anew.
  if (verdict.kind === 'retry') return new RecoverableFailure('submit_again', factsOf(error, io))
  return failureOf(verdict, factsOf(error, io))
}

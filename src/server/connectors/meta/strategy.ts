import type { MetaIo } from './schema.ts'
import { chunked } from '#shared/chunked.ts'
import { resultWithRestarts } from '#server/connectors/kit/restarts.ts'
import type { Slice } from '#server/connectors/kit/slices.ts'
import { pagesOf } from './client.ts'
import { canRecover } from '#server/connectors/kit/failures.ts'
import { hasJob } from './jobs.ts'
import { paramsOf, type Insights } from './query.ts'

/** Groups of slices by how they are requested. */
export interface Strategy {
  synchronous: Slice[][]
  asynchronous: Slice[][]
}

const MANY_SLICES = 31
const SAMPLE_SLICES = 7
const SYNCHRONOUS_ROWS = 20_000
const JOB_ROWS = 100_000

/**
 * Decides which slices are requested synchronously. Many days of single ads are measured first: the number of
 * rows of their last week decides whether they are requested in jobs, and in how many.
 */
export async function chooseStrategy(insights: Insights, groups: Slice[][], io: MetaIo): Promise<Strategy> {
  const strategy: Strategy = { synchronous: [], asynchronous: [] }
  for (const slices of groups) {
    const isMany = insights.may_be_large && slices.length > MANY_SLICES
    const rowsPerSlice = isMany ? (await sampleRows(insights, slices, io)) / SAMPLE_SLICES : 0
    const tooMany = rowsPerSlice * slices.length > SYNCHRONOUS_ROWS
    if (tooMany)
      strategy.asynchronous.push(...chunked(slices, Math.max(1, Math.floor(JOB_ROWS / rowsPerSlice))))
    // A job that was submitted before: an earlier attempt found that these slices cannot be read
    // synchronously.
    else if (insights.mustWait(slices) || (await hasJob(insights, slices, io)))
      strategy.asynchronous.push(slices)
    else strategy.synchronous.push(slices)
  }
  return strategy
}

/** Remembered beside the jobs: every attempt of a run must come to the same ones. */
async function sampleRows(insights: Insights, slices: Slice[], io: MetaIo): Promise<number> {
  const sample = slices.slice(-SAMPLE_SLICES)
  const params = { ...paramsOf(insights, sample), fields: 'impressions' }
  const key = JSON.stringify(['meta sample', insights.account, params])
  return Number(
    await io.jobs.startOnce(key, async () => String(await countRows(insights, params, io)), 'note'),
  )
}

async function countRows({ account }: Insights, params: Record<string, string>, io: MetaIo): Promise<number> {
  const call = { path: `act_${account}/insights`, params, account, heavy: true }
  try {
    return await resultWithRestarts(async () => {
      let rows = 0
      for await (const page of pagesOf(call, io)) {
        rows += page.length
        if (rows > JOB_ROWS) break
      }
      return Math.min(rows, JOB_ROWS)
    })
  } catch (error) {
    // Too much for a response: then it is enough for a job.
    if (canRecover(error, 'smaller_request', 'smaller_page')) return JOB_ROWS
    throw error
  }
}

import type { Page } from '#server/connectors/connector.ts'
import { withRestarts } from '#server/connectors/kit/restarts.ts'
import { rowReader, type RowList, type RowReader } from '#server/connectors/kit/byte-rows.ts'
import { shapeOf, type Rows } from '#server/connectors/kit/rows.ts'
import { createRowTracker, keepNewRows, type RowTracker } from '#server/connectors/kit/row-tracker.ts'
import type { Slice } from '#server/connectors/kit/slices.ts'
import { rowPagesOf } from './client.ts'
import { columnsOf, type ColumnSpec } from './columns.ts'
import { canRecover, RecoverableFailure } from '#server/connectors/kit/failures.ts'
import type { FinishedJob } from '#server/connectors/kit/report-jobs.ts'
import { finishedJobs, halvesOf } from './jobs.ts'
import { paramsOf, type Insights } from './query.ts'
import type { MetaIo } from './schema.ts'
import { chooseStrategy } from './strategy.ts'

/**
 * The rows of groups of slices, each once. Jobs are finished before the first row is yielded; else throws
 * ReportPending.
 */
export async function* rowsOf(insights: Insights, groups: Slice[][], io: MetaIo): AsyncGenerator<Page> {
  const { synchronous, asynchronous } = await chooseStrategy(insights, groups, io)
  const jobs = await finishedJobs(insights, asynchronous, io)
  for (const slices of synchronous) yield* rowsAtOnce(insights, slices, io)
  for (const job of jobs) yield* rowsOfJob(insights, job, { io })
}

/** Has everything prepared that cannot be read synchronously. */
export async function prepareJobs(insights: Insights, groups: Slice[][], io: MetaIo): Promise<void> {
  const { asynchronous } = await chooseStrategy(insights, groups, io)
  await finishedJobs(insights, asynchronous, io)
}

/** Reads synchronously, then by a job, then by jobs for half of the slices: as far as it takes. */
async function* rowsAtOnce(insights: Insights, slices: Slice[], io: MetaIo): AsyncGenerator<Page> {
  const tracker = trackerOf(slices)
  try {
    yield* uniqueRows(rows => synchronousPages(insights, slices, { io, rows }), insights.spec, tracker)
  } catch (error) {
    if (!canRecover(error, 'smaller_request', 'smaller_page')) throw error
    for (const job of await finishedJobs(insights, [slices], io))
      yield* rowsOfJob(insights, job, { io, tracker })
  }
}

async function* rowsOfJob(
  insights: Insights,
  { job: slices, id }: FinishedJob<Slice[]>,
  { io, tracker = trackerOf(slices) }: { io: MetaIo; tracker?: RowTracker },
): AsyncGenerator<Page> {
  try {
    yield* uniqueRows(rows => jobPages(insights, id, { io, rows }), insights.spec, tracker)
  } catch (error) {
    if (!canRecover(error, 'smaller_request', 'smaller_page') || slices.length === 1) throw error
    for (const half of await finishedJobs(insights, halvesOf(slices), io))
      yield* rowsOfJob(insights, half, { io, tracker })
  }
}

const trackerOf = (slices: Slice[]) => createRowTracker(slices.map(({ start }) => start))

/**
 * The rows of a list, each once. Cursors do not outlive an interruption: when one goes bad, the list is read
 * again from the start. So it is when a row comes twice on one pass: then the list has moved meanwhile, and
 * another row may have been missed.
 */
const uniqueRows = (
  pages: (rows: RowReader) => AsyncGenerator<RowList>,
  spec: ColumnSpec,
  tracker: RowTracker,
): AsyncGenerator<Page> => {
  const read = (rows: Rows) => columnsOf(rows, spec, tracker.starts)
  const reader = rowReader(shapeOf(read), ['data'])
  return withRestarts(async function* () {
    const check = tracker.startPass()
    for await (const data of pages(reader)) {
      const page = read(reader.rowsOf(data))
      const { fresh, repeats } = keepNewRows(page, check)
      if (fresh.length > 0) yield fresh
      if (repeats)
        throw new RecoverableFailure('restart_paging', { platform_message: 'a row that came twice' })
    }
  })
}

interface Reading {
  io: MetaIo
  rows: RowReader
}

function synchronousPages(insights: Insights, slices: Slice[], { io, rows }: Reading) {
  const { account } = insights
  return rowPagesOf(
    { path: `act_${account}/insights`, params: paramsOf(insights, slices), account, heavy: true, rows },
    io,
  )
}

function jobPages({ account }: Insights, job: string, { io, rows }: Reading) {
  return rowPagesOf({ path: `${job}/insights`, account, heavy: true, rows }, io)
}

import { rangeOf, type Rect } from '#shared/cell.ts'
import { errors } from '#shared/errors.ts'
import { prefetched } from '#server/in-parallel.ts'
import { addHiddenSheet, batchBody, copyValues, deleteSheet } from './body.ts'
import { requestChunks, type RequestChunk } from './chunks.ts'
import { commitBody, idFrom, recheck, type Done } from './commit.ts'
import { SheetsFailure } from './failure.ts'
import { isWritten, readTarget, stageTitle, type Target } from './target.ts'
import type { Work } from './work.ts'

interface Stage {
  sheet_id: number
  title: string
  rect: Rect
}

/**
 * The path of large tables: the table is assembled in a hidden tab, chunk by chunk, and then replaces the old
 * one in one change that also deletes the tab. Each attempt has a tab of its own and deletes those of earlier
 * ones: a late chunk or commit of a killed attempt finds its tab gone.
 */
export async function writeLarge(work: Work, first: Target): Promise<Done> {
  const { stage, target } = await addStage(work, first)
  if (stage === null) return { target, plan: null }
  try {
    for await (const chunk of prefetched(requestChunks(work.table, work.limits.chunk)))
      await putChunk(work, stage, chunk)
    return await commit(work, stage)
  } catch (error) {
    // A failure that is retried creates a new tab anyway, and deletes this one; any other should leave the
    // file as it was.
    if (error instanceof SheetsFailure && !error.ambiguous && !errors[error.code].retried)
      await dropStage(work, stage)
    throw error
  }
}

/** No stage: an earlier attempt's commit has been applied meanwhile. */
async function addStage(work: Work, first: Target): Promise<{ stage: Stage | null; target: Target }> {
  let target = first
  const rect: Rect = [0, 0, work.rect[2] - work.rect[0], work.rect[3] - work.rect[1]]
  const title = stageTitle(work.report_id, work.attempt)
  let sheet_id = idFrom(`${work.run_id} ${work.attempt}`)
  while (hasTab(target, sheet_id)) sheet_id++
  await work.requests.change('stage', work.limits, {
    send: () =>
      work.client.batchUpdate(
        work.spreadsheet_id,
        batchBody([
          ...(target.file?.leftovers ?? []).map(each => deleteSheet(each.sheet_id)),
          addHiddenSheet(sheet_id, { title, rows: rect[2], columns: rect[3] }),
        ]),
      ),
    async isApplied() {
      target = await readTarget(work, { whole_file: true })
      return isWritten(target, work.run_id) || hasTab(target, sheet_id)
    },
  })
  return { stage: isWritten(target, work.run_id) ? null : { sheet_id, title, rect }, target }
}

const hasTab = (target: Target, sheet_id: number) => target.file?.sheet_ids.has(sheet_id) ?? false

/** A chunk may be sent again as often as needed: it writes the same cells. */
async function putChunk(work: Work, stage: Stage, chunk: RequestChunk): Promise<void> {
  const rect: Rect = [chunk.first_row, 0, chunk.first_row + chunk.rows, stage.rect[3]]
  const body = [BEFORE_ROWS, ...chunk.json, AFTER_ROWS]
  try {
    await work.requests.repeatable('chunk', { kind: 'write', ...staged(work).limits }, () => {
      // Of the next chunk, or of the commit.
      work.requests.reserveWrite()
      return work.client.putValues(work.spreadsheet_id, rangeOf(stage.title, rect), body)
    })
  } catch (error) {
    throw asStagingTabGone(error)
  }
}

const BEFORE_ROWS = Buffer.from('{"majorDimension":"ROWS","values":')
const AFTER_ROWS = Buffer.from('}')

async function commit(work: Work, stage: Stage): Promise<Done> {
  const patient = staged(work)
  // Staging takes minutes, in which people may change the tab.
  let current = await recheck(patient, stage.title)
  let { plan } = current
  if (plan !== null)
    await work.requests.change('commit', patient.limits, {
      send() {
        if (plan === null) throw stagingTabGone()
        const { sheet_id } = plan.target
        const cells = [copyValues(stage, { sheet_id, rect: work.rect })]
        const body = commitBody(work, plan, { cells, drop: [stage.sheet_id] })
        return work.client.batchUpdate(work.spreadsheet_id, body)
      },
      async isApplied() {
        current = await recheck(patient, stage.title)
        if (current.plan === null) return true
        if (!hasTab(current.target, stage.sheet_id)) throw stagingTabGone()
        plan = current.plan
        return false
      },
    })
  // The table is there, but by a late commit of an earlier attempt: ours was refused, and its tab still
  // exists.
  if (current.plan === null && hasTab(current.target, stage.sheet_id)) await dropStage(work, stage)
  return { target: current.target, plan }
}

/** Best effort: what stays is deleted by the next run that finds it. */
async function dropStage(work: Work, stage: Stage): Promise<void> {
  try {
    await work.requests.repeatable('stage', { kind: 'write', tries: 1, patience_ms: 0 }, () =>
      work.client.batchUpdate(work.spreadsheet_id, batchBody([deleteSheet(stage.sheet_id)])),
    )
  } catch (error) {
    if (!(error instanceof SheetsFailure)) throw error
  }
}

/** Once a part is staged, a worker waits in place for the next minute's quota. */
const staged = (work: Work): Work => ({
  ...work,
  limits: { ...work.limits, patience_ms: work.limits.staged_patience_ms },
})

const stagingTabGone = () =>
  new SheetsFailure('spreadsheet_unavailable', { service_message: 'the staging tab is gone' })

/** Somebody deleted the hidden tab: the next attempt creates another. */
const asStagingTabGone = (error: unknown) =>
  error instanceof SheetsFailure && error.why === 'stale_plan' ? stagingTabGone() : error

import { ReportPending, PlatformFailure, type Page } from '#server/connectors/connector.ts'
import { activeRows } from '#server/connectors/kit/delivery.ts'
import { csvRows } from '#server/connectors/kit/csv.ts'
import { isRefusal, unreadable } from '#server/connectors/kit/failures.ts'
import {
  failedJob,
  finishJobs,
  isStarted,
  pollEach,
  type JobState,
  type ReportService,
} from '#server/connectors/kit/report-jobs.ts'
import { UNREADABLE, type Path, type Rows } from '#server/connectors/kit/rows.ts'
import { createRowTracker } from '#server/connectors/kit/row-tracker.ts'
import { pickRows } from '#server/connectors/page-rows.ts'
import { textColumn } from '#server/connectors/text-column.ts'
import { wholeFileTest } from '#server/connectors/kit/whole-file.ts'
import { callApi, downloadFile } from './client.ts'
import { columnsOf, deliveryOf } from './columns.ts'
import { NOT_FOUND, TASK_ERROR, TASK_NOT_READY } from './failures.ts'
import { synchronousMetrics } from './fields.ts'
import { inList, paramsOf, type ReportQuery, type Narrowing } from './query.ts'
import type { Part } from './ranges.ts'
import { NewTask, Task, type TikTokIo } from './schema.ts'

// Reports that TikTok prepares asynchronously. They have every id, deleted ones too, and take filters by id
// only.

/** What is requested in tasks, one for each part. */
export interface TaskQuery {
  query: ReportQuery
  narrowing: Narrowing | null
}

/**
 * Has a task finished for each part, or finds those that an earlier attempt has submitted. Throws
 * ReportPending while one is at work.
 */
export async function finishedTasks(
  query: TaskQuery,
  parts: Part[],
  io: TikTokIo,
): Promise<ReadonlyMap<Part, string>> {
  refuseSynchronous(query.query)
  const finished = await finishJobs(parts, taskService(query, io), io)
  return new Map(finished.map(({ job, id }) => [job, id]))
}

/** Whether this run has submitted a task for the part before. */
export const hasTask = (query: TaskQuery, part: Part, io: TikTokIo) =>
  isStarted(part, taskService(query, io), io)

function refuseSynchronous({ spec }: ReportQuery): void {
  const lacking = spec.metrics.find(metric => synchronousMetrics.has(metric))
  if (lacking !== undefined)
    throw new PlatformFailure('too_large', { platform_message: `${lacking} of more than 20,000 ids` })
}

const taskService = (query: TaskQuery, io: TikTokIo): ReportService<Part> => ({
  keyOf: part => keyOf(query, part),
  submit: async part => {
    const { account } = query.query
    const params = taskParams(query, part)
    const call = { method: 'POST', path: 'report/task/create/', params, account } as const
    return (await callApi(call, NewTask, io)).data.task_id
  },
  poll: pollEach(id => stateOf(id, query.query, io)),
})

const taskParams = ({ query, narrowing }: TaskQuery, part: Part) => ({
  ...paramsOf(query, part),
  ...(narrowing && { filtering: [inList(narrowing.field, narrowing.ids)] }),
  output_format: 'CSV_STRING',
  // Else the header has labels, which TikTok rewords from time to time.
  enable_report_title_translation: false,
})

const keyOf = (query: TaskQuery, part: Part) => JSON.stringify(['tiktok', taskParams(query, part), 1])

async function stateOf(task: string, query: ReportQuery, io: TikTokIo): Promise<JobState> {
  const failed = (why: string) => failedJob(`report task ${task}: ${why}`)
  try {
    const call = { path: 'report/task/check/', ...aboutTask(task, query) }
    const { status, message } = (await callApi(call, Task, io)).data
    if (status === 'SUCCESS') return { state: 'finished' }
    if (status === 'QUEUING' || status === 'PROCESSING') return { state: 'running', age_ms: null }
    return failed(message ?? status)
  } catch (error) {
    if (!isRefusal(error, TASK_ERROR, NOT_FOUND)) throw error
    return failed(error.platform_message ?? 'gone')
  }
}

const aboutTask = (task: string, { account }: ReportQuery) => ({
  params: { advertiser_id: account, task_id: task },
  account,
})

const LINES_AT_ONCE = 5000

/** The rows of a finished task. */
export async function* rowsOfTask(
  taskQuery: TaskQuery,
  { part, task }: { part: Part; task: string },
  io: TikTokIo,
): AsyncGenerator<Page> {
  const { spec } = taskQuery.query
  const tracker = createRowTracker(part.dates)
  const check = tracker.startPass()
  for (const lines of linesOf(await wholeFile(taskQuery, { part, task }, io))) {
    const page = columnsOf(lines, spec, { by_day: part.by_day, dates: tracker.starts })
    const { rows, repeats } = check(page)
    if (repeats) throw unreadable('a row of a report task that came twice')
    const newRows = activeRows(rows, [...page.metrics, ...deliveryOf(lines)])
    if (newRows.length > 0) yield pickRows(page, newRows)
  }
}

const READINGS = 3

async function wholeFile(
  taskQuery: TaskQuery,
  of: { part: Part; task: string },
  io: TikTokIo,
): Promise<string> {
  const isWhole = wholeFileTest()
  for (let readings = 1; readings <= READINGS; readings += 1) {
    const text = await fileOf(taskQuery, of, io)
    if (isWhole(text)) return text
  }
  throw unreadable('a report task that breaks off')
}

async function fileOf(
  taskQuery: TaskQuery,
  { part, task }: { part: Part; task: string },
  io: TikTokIo,
): Promise<string> {
  try {
    return await downloadFile({ path: 'report/task/download/', ...aboutTask(task, taskQuery.query) }, io)
  } catch (error) {
    if (isRefusal(error, TASK_NOT_READY)) throw new ReportPending(10_000)
    if (!isRefusal(error, TASK_ERROR, NOT_FOUND)) throw error
    await io.jobs.forget(keyOf(taskQuery, part))
    throw new PlatformFailure('platform_unavailable', { platform_message: error.platform_message })
  }
}

/** A file, some lines at a time; ids, days and numbers stand side by side in it. */
function* linesOf(text: string): Generator<Rows> {
  const rows = csvRows(text)
  const header = rows.next()
  if (header.done) throw unreadable('a report task without a header')
  const columnNumbers = new Map(header.value.map((name, at) => [name, at]))
  let lines: string[][] = []
  for (const line of rows) {
    if (line.length !== header.value.length) throw unreadable('a line of a report task that is cut off')
    if (lines.push(line) < LINES_AT_ONCE) continue
    yield rowsOfLines(lines, columnNumbers)
    lines = []
  }
  // An empty one, too: the header of a file without rows is read as every other.
  yield rowsOfLines(lines, columnNumbers)
}

function rowsOfLines(lines: string[][], columnNumbers: ReadonlyMap<string, number>): Rows {
  const cellsAt = <Cell>(path: Path, read: (text: string) => Cell | null): Cell[] => {
    const name = String(path.at(-1))
    const columnNumber = columnNumbers.get(name)
    if (columnNumber === undefined) throw unreadable(`a report task without ${name}`)
    return lines.map((line, at) => {
      const cell = read(line[columnNumber] ?? '')
      if (cell === null) throw unreadable(`list[${at}].${name}`)
      return cell
    })
  }
  return {
    length: lines.length,
    texts: (path, { isGood = () => true } = {}) =>
      textColumn(cellsAt(path, text => (isGood(text) ? text : null))),
    numbers(path, { parse }) {
      const numberIn = (text: string) => {
        const number = parse(text)
        return number === UNREADABLE ? null : number
      }
      return Float64Array.from(cellsAt(path, numberIn))
    },
    listed: path => {
      throw new Error(`no list of entries: ${path.join('.')}`)
    },
  }
}

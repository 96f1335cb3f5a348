import { ReportPending, PlatformFailure, type Page } from '#server/connectors/connector.ts'
import { csvRows } from '#server/connectors/kit/csv.ts'
import { isRefusal, unreadable } from '#server/connectors/kit/failures.ts'
import { createRowTracker, newRowNumbers, pickRows } from '#server/connectors/kit/row-tracker.ts'
import { callApi, downloadFile } from './client.ts'
import { columnsOf, delivering, type Table } from './columns.ts'
import { NOT_FOUND, TASK_ERROR, TASK_NOT_READY } from './failures.ts'
import { synchronousMetrics } from './fields.ts'
import { inList, paramsOf, type ReportQuery, type Narrowing } from './query.ts'
import type { Part } from './ranges.ts'
import { NewTask, Task, type TikTokIo } from './schema.ts'

// Reports that TikTok makes while nobody waits. They tell of every id, deleted ones too, and know filters by
// id only.

/** What is asked in one task after another, a task for each part. */
export interface TaskQuery {
  query: ReportQuery
  narrowing: Narrowing | null
}

type Tasks = ReadonlyMap<Part, string>

/** Waits between looks: two seconds in all, for which a worker may be held. */
const LOOKS_MS = [0, 500, 500, 1000]
const POLL_AFTER_MS = 10_000
const SUBMISSIONS = 3

/**
 * Begins a task for each part, or finds those that an earlier attempt has begun. Throws ReportPending while
 * one is at work.
 */
export async function finishedTasks(asked: TaskQuery, parts: Part[], io: TikTokIo): Promise<Tasks> {
  refuseSynchronous(asked.query)
  const begun: Begun[] = []
  for (const part of parts)
    begun.push({ part, number: 1, task: await taskOf(asked, { part, number: 1 }, io) })
  let waiting = begun
  for (const pause_ms of LOOKS_MS) {
    if (pause_ms > 0) await io.sleep(pause_ms)
    const still: Begun[] = []
    for (const each of waiting) if (!(await isFinished(each, asked, io))) still.push(each)
    if (still.length === 0) return new Map(begun.map(({ part, task }) => [part, task]))
    waiting = still
  }
  throw new ReportPending(POLL_AFTER_MS)
}

/** Whether this run has begun a task for the part before. */
export const isStarted = async (asked: TaskQuery, part: Part, { jobs }: TikTokIo) =>
  (await jobs.find(keyOf(asked, part, 1))) !== null

interface Begun {
  part: Part
  /** Which submission of the part's call this is. */
  number: number
  task: string
}

function refuseSynchronous({ wanted }: ReportQuery): void {
  const lacking = wanted.metrics.find(metric => synchronousMetrics.has(metric))
  if (lacking !== undefined)
    throw new PlatformFailure('too_large', { platform_message: `${lacking} of more than 20,000 ids` })
}

const taskOf = (asked: TaskQuery, { part, number }: Omit<Begun, 'task'>, io: TikTokIo) =>
  io.jobs.startOnce(keyOf(asked, part, number), async () => {
    const { account } = asked.query
    const call = {
      method: 'POST',
      path: 'report/task/create/',
      params: taskParams(asked, part),
      account,
    } as const
    return (await callApi(call, NewTask, io)).data.task_id
  })

const taskParams = ({ query, narrowing }: TaskQuery, part: Part) => ({
  ...paramsOf(query, part),
  ...(narrowing && { filtering: [inList(narrowing.field, narrowing.ids)] }),
  output_format: 'CSV_STRING',
  // Else the header has labels, which TikTok rewords from time to time.
  enable_report_title_translation: false,
})

const keyOf = (asked: TaskQuery, part: Part, number: number) =>
  JSON.stringify(['tiktok', taskParams(asked, part), number])

/** Looks at a task. One that has failed is submitted again, twice at most, over all attempts of the run. */
async function isFinished(begun: Begun, asked: TaskQuery, io: TikTokIo): Promise<boolean> {
  for (;;) {
    const { status, message } = await stateOf(begun.task, asked.query, io)
    if (status === 'SUCCESS') return true
    if (status === 'QUEUING' || status === 'PROCESSING') return false
    if (begun.number === SUBMISSIONS) {
      await forget(asked, begun.part, io)
      throw new PlatformFailure('platform_unavailable', {
        platform_message: `report task ${begun.task}: ${message ?? status}`,
      })
    }
    begun.number += 1
    begun.task = await taskOf(asked, begun, io)
  }
}

async function stateOf(task: string, query: ReportQuery, io: TikTokIo): Promise<Task> {
  try {
    return (await callApi({ path: 'report/task/check/', ...aboutTask(task, query) }, Task, io)).data
  } catch (error) {
    if (!isRefusal(error, TASK_ERROR, NOT_FOUND)) throw error
    return { status: 'FAILED', message: error.platform_message ?? 'gone' }
  }
}

const aboutTask = (task: string, { account }: ReportQuery) => ({
  params: { advertiser_id: account, task_id: task },
  account,
})

async function forget(asked: TaskQuery, part: Part, io: TikTokIo): Promise<void> {
  for (let number = 1; number <= SUBMISSIONS; number += 1) await io.jobs.forget(keyOf(asked, part, number))
}

const LINES_AT_ONCE = 5000

/** The rows of a finished task. */
export async function* rowsOfTask(
  asked: TaskQuery,
  { part, task }: { part: Part; task: string },
  io: TikTokIo,
): AsyncGenerator<Page> {
  const { wanted } = asked.query
  const seen = createRowTracker(part.dates)
  const look = seen.startPass()
  for (const table of tablesOf(await wholeFile(asked, { part, task }, io))) {
    const page = columnsOf(table, wanted, { by_day: part.by_day, dates: seen.starts })
    const { rows, repeats } = newRowNumbers(page, look)
    if (repeats) throw unreadable('a row of a report task that came twice')
    const kept = part.by_day ? rows : delivering(rows, table, page)
    if (kept.length > 0) yield pickRows(page, kept)
  }
}

const READINGS = 3

/**
 * Cut off amid its last number a file looks whole: one that does not end in a line break is believed when it
 * comes like that twice.
 */
async function wholeFile(asked: TaskQuery, of: { part: Part; task: string }, io: TikTokIo): Promise<string> {
  let before: string | null = null
  for (let readings = 1; readings <= READINGS; readings += 1) {
    const text = await fileOf(asked, of, io)
    if (text.endsWith('\n') || text === before) return text
    before = text
  }
  throw unreadable('a report task that breaks off')
}

async function fileOf(
  asked: TaskQuery,
  { part, task }: { part: Part; task: string },
  io: TikTokIo,
): Promise<string> {
  try {
    return await downloadFile({ path: 'report/task/download/', ...aboutTask(task, asked.query) }, io)
  } catch (error) {
    if (isRefusal(error, TASK_NOT_READY)) throw new ReportPending(POLL_AFTER_MS)
    if (!isRefusal(error, TASK_ERROR, NOT_FOUND)) throw error
    await forget(asked, part, io)
    throw new PlatformFailure('platform_unavailable', { platform_message: error.platform_message })
  }
}

/** A file, some lines at a time; ids, days and numbers stand side by side in it. */
function* tablesOf(text: string): Generator<Table> {
  const rows = csvRows(text)
  const header = rows.next()
  if (header.done) throw unreadable('a report task without a header')
  const places = new Map(header.value.map((name, at) => [name, at]))
  let lines: string[][] = []
  for (const line of rows) {
    if (line.length !== header.value.length) throw unreadable('a line of a report task that is cut off')
    if (lines.push(line) < LINES_AT_ONCE) continue
    yield tableOf(lines, places)
    lines = []
  }
  // An empty one, too: the header of a file without rows is read as every other.
  yield tableOf(lines, places)
}

function tableOf(lines: string[][], places: ReadonlyMap<string, number>): Table {
  const column = (name: string) => {
    const place = places.get(name)
    if (place === undefined) throw unreadable(`a report task without ${name}`)
    return lines.map(line => line[place])
  }
  return { length: lines.length, dimension: column, metric: column }
}

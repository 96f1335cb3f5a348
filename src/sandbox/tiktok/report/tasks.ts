import type { HttpResponse } from '#sandbox/http/response.ts'
import type { Dataset } from '#sandbox/dataset/dataset.ts'
import { advertiserFor, type Caller } from '#sandbox/tiktok/access.ts'
import { invalid, notReady, TikTokError } from '#sandbox/tiktok/errors.ts'
import type { TikTokFault } from '#sandbox/tiktok/faults.ts'
import type { Parameters } from '#sandbox/tiktok/parameters.ts'
import { csvOf } from './csv.ts'
import { type Query, readQuery } from './query.ts'
import { resultOf } from './rows.ts'

type Status = 'QUEUING' | 'PROCESSING' | 'SUCCESS' | 'FAILED' | 'CANCELED'

/** A report task: it advances one step with every poll, so that no clock decides what a test sees. */
interface Task {
  id: string
  query: Query
  format: (typeof FORMATS)[number]
  file_name: string
  translated: boolean
  /** The states that polls see, one after another; the last one stays. */
  steps: Status[]
  polls: number
}

export interface Tasks {
  create(parameters: Parameters, context: TaskCall & { faults: readonly TikTokFault[] }): unknown
  check(parameters: Parameters, caller: Caller): unknown
  cancel(parameters: Parameters, caller: Caller): unknown
  /** The file itself, or the link to it. */
  download(
    parameters: Parameters,
    context: TaskCall & { origin: string },
  ): { data: unknown } | { file: HttpResponse }
  /** The file behind a link. */
  file(url: URL, context: Omit<TaskCall, 'caller'>): HttpResponse
  reset(): void
}

interface TaskCall {
  caller: Caller
  dataset: Dataset
  now: number
}

const FORMATS = ['CSV_STRING', 'CSV_DOWNLOAD', 'XLSX_DOWNLOAD'] as const
const LINK_LIFE = 3_600_000
export const FILES = '/tiktok-report-files/'

export function createTasks(): Tasks {
  const tasks = new Map<string, Task>()
  let count = 6852

  const find = (parameters: Parameters, caller: Caller): Task => {
    const account = advertiserFor(caller, parameters.required('advertiser_id'))
    const id = parameters.required('task_id')
    parameters.refuseUnknown()
    const task = tasks.get(id)
    if (!task?.query.accounts.includes(account)) throw new TikTokError(40007, `Task ${id} does not exist.`)
    return task
  }

  return {
    create(parameters, { caller, faults }) {
      const query = readQuery(parameters, { caller, synchronous: false })
      const format = parameters.choice('output_format', FORMATS) ?? 'CSV_STRING'
      if (format === 'XLSX_DOWNLOAD') {
        throw new TikTokError(40118, 'output_format XLSX_DOWNLOAD: only available to allow-listed apps.')
      }
      const fileName = parameters.text('file_name')
      if (fileName !== null && format === 'CSV_STRING') {
        throw invalid('file_name: Only for CSV_DOWNLOAD and XLSX_DOWNLOAD.')
      }
      const translated = parameters.flag('enable_report_title_translation') ?? true
      parameters.refuseUnknown()
      const id = String(++count)
      const steps = stepsOf(query, faults)
      tasks.set(id, {
        id,
        query,
        format,
        file_name: fileName ?? `report_${id}`,
        translated,
        steps,
        polls: 0,
      })
      return { task_id: id }
    },
    check(parameters, caller) {
      const task = find(parameters, caller)
      task.polls++
      const status = statusOf(task)
      return { status, ...(status === 'FAILED' && { message: 'The report could not be generated.' }) }
    },
    cancel(parameters, caller) {
      const task = find(parameters, caller)
      if (['SUCCESS', 'FAILED'].includes(statusOf(task))) {
        throw new TikTokError(40200, `Task ${task.id} has ended already.`)
      }
      task.steps = ['CANCELED']
      return { status: 'CANCELED' }
    },
    download(parameters, { caller, dataset, now, origin }) {
      const task = find(parameters, caller)
      const status = statusOf(task)
      if (status === 'FAILED' || status === 'CANCELED') {
        throw new TikTokError(40200, `Task ${task.id} has ended without a report: ${status}.`)
      }
      if (status !== 'SUCCESS') throw notReady()
      if (task.format === 'CSV_STRING') return { file: fileOf(task, dataset) }
      const file_name = `${task.file_name}.csv`
      const link = `${origin}${FILES}${task.id}/${encodeURIComponent(file_name)}?expires=${now + LINK_LIFE}`
      return { data: { download_url: link, file_name, output_format: task.format } }
    },
    file(url, { dataset, now }) {
      const task = tasks.get(url.pathname.slice(FILES.length).split('/')[0] ?? '')
      const expires = Number(url.searchParams.get('expires') ?? 0)
      if (task && now < expires) return fileOf(task, dataset)
      return { status: 403, type: 'application/xml', body: '<Error><Code>AccessDenied</Code></Error>' }
    },
    reset: () => tasks.clear(),
  }
}

function stepsOf(query: Query, faults: readonly TikTokFault[]): Status[] {
  const slow = faults.find(fault => fault.action === 'async_slow')
  const waiting = Array.from({ length: slow ? (slow.looks ?? 5) : 0 }, (): Status => 'QUEUING')
  const fails =
    faults.some(fault => fault.action === 'async_failed') ||
    query.accounts.some(account => account.traits.includes('async_failed'))
  return [...waiting, 'QUEUING', 'PROCESSING', fails ? 'FAILED' : 'SUCCESS']
}

const statusOf = (task: Task): Status =>
  task.steps[Math.min(Math.max(task.polls - 1, 0), task.steps.length - 1)] ?? 'QUEUING'

function fileOf(task: Task, dataset: Dataset): HttpResponse {
  const { rows } = resultOf(task.query, dataset, { synchronous: false })
  return {
    status: 200,
    type: 'text/csv; charset=utf-8',
    // In files that are downloaded through a link, a day has its midnight, as in synchronous reports.
    body: csvOf(task.query, rows, {
      translated: task.translated,
      with_midnight: task.format !== 'CSV_STRING',
    }),
  }
}

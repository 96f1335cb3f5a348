import type { Dataset } from '#sandbox/dataset/dataset.ts'
import type { YahooAccount } from '#sandbox/dataset/yahoo.ts'
import type { YahooFault } from '#sandbox/yahoo/faults.ts'
import type { ReportDefinition } from './definition.ts'
import { type LyProblem, problem } from './errors.ts'
import type { Product } from './field.ts'
import { fileOf } from './file.ts'
import { reportOf } from './rows.ts'

type Status = 'WAIT' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'CANCELED'

/** A report job: it advances with every poll, so that no clock decides what a test sees. */
export interface Job {
  id: number
  product: Product
  account_id: string
  report: ReportDefinition
  requested: number
  completed: number | null
  /** Polls that it spends in WAIT, and as many in IN_PROGRESS. */
  patience: number
  polls: number
  end: 'COMPLETED' | 'FAILED' | 'CANCELED'
}

export interface Jobs {
  /** A new job, or why there is none. */
  start(
    report: ReportDefinition,
    at: { account: YahooAccount; now: number; faults: YahooFault[] },
  ): Job | LyProblem
  /** The jobs of an account, oldest first, without those that have vanished. */
  list(product: Product, account_id: string, now: number): Job[]
  find(id: number, of: { product: Product; account_id: string; now: number }): Job | null
  remove(job: Job): void
  reset(): void
}

const WEEK_MS = 7 * 86_400_000
/** Unfinished jobs of an account. */
const MOST_UNFINISHED = 60

export function createJobs(): Jobs {
  const jobs = new Map<number, Job>()
  let count = 0
  const list = (product: Product, account_id: string, now: number) =>
    [...jobs.values()].filter(
      job => job.product === product && job.account_id === account_id && now - job.requested < WEEK_MS,
    )
  return {
    start(report, { account, now, faults }) {
      const { product } = report.definition
      const unfinished = list(product, account.id, now).filter(job => !isOver(statusOf(job)))
      if (unfinished.length >= MOST_UNFINISHED)
        return problem('LT001', ['reportDefinition', String(MOST_UNFINISHED)])
      count++
      const job: Job = {
        id: 2_222_222_222 + count,
        product,
        account_id: account.id,
        report,
        requested: now,
        completed: null,
        patience: faults.find(fault => fault.action === 'job_slow')?.looks ?? 1,
        polls: 0,
        end: endOf(account, product, faults),
      }
      jobs.set(job.id, job)
      return job
    },
    list,
    find: (id, { product, account_id, now }) =>
      list(product, account_id, now).find(job => job.id === id) ?? null,
    remove: job => void jobs.delete(job.id),
    // No id is given twice: who still knows an old job must not find another under it.
    reset: () => jobs.clear(),
  }
}

function endOf(account: YahooAccount, product: Product, faults: YahooFault[]): Job['end'] {
  const struck = (action: YahooFault['action']) => faults.some(fault => fault.action === action)
  if (struck('job_failed') || account.is_failing) return 'FAILED'
  return struck('job_canceled') && product === 'ly_display' ? 'CANCELED' : 'COMPLETED'
}

const isOver = (status: Status) => status !== 'WAIT' && status !== 'IN_PROGRESS'

export function statusOf(job: Job): Status {
  if (job.polls <= job.patience) return 'WAIT'
  return job.polls <= job.patience * 2 ? 'IN_PROGRESS' : job.end
}

/** Counts a poll; the job finishes with the poll that sees it finished. */
export function pollJob(job: Job, now: number): Job {
  job.polls++
  if (isOver(statusOf(job))) job.completed ??= now
  return job
}

/** The definition as every response shows it. */
export function describeJob(job: Job): Record<string, unknown> {
  const status = statusOf(job)
  const time = (at: number | null) => (at === null ? null : timeText(at, job.product))
  return {
    ...job.report.echo,
    accountId: Number(job.account_id),
    reportJobId: job.id,
    reportJobStatus: status,
    reportJobErrorDetail: status === 'FAILED' ? 'The report could not be generated.' : null,
    requestTime: time(job.requested),
    completeTime: time(job.completed),
  }
}

/** Japan's time, in the spelling of the product. */
function timeText(at: number, product: Product): string {
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO('Asia/Tokyo').toPlainDateTime()
  const text = local
    .round({ smallestUnit: 'second', roundingMode: 'floor' })
    .toString({ smallestUnit: 'second' })
  return product === 'ly_search' ? text.replaceAll('-', '/').replace('T', ' ') : text.replaceAll(/[-T:]/g, '')
}

/** The file of a finished job. */
export const fileOfJob = ({ report }: Job, dataset: Dataset, byte_order_mark: boolean): Buffer =>
  fileOf(reportOf(report.definition, dataset), report.definition.fields, {
    ...report.writing,
    byte_order_mark,
  })

import type { HttpResponse } from '#sandbox/http/response.ts'
import { isoOf } from '#sandbox/dataset/calendar.ts'
import type { LineAccount } from '#sandbox/dataset/line.ts'
import type { Dataset } from '#sandbox/dataset/dataset.ts'
import { refused } from '#sandbox/line/errors.ts'
import type { LineFault } from '#sandbox/line/faults.ts'
import { pageOf, positionOf } from '#sandbox/line/lists.ts'
import type { Parameters } from '#sandbox/line/parameters.ts'
import { fileOf } from './file.ts'
import { type Level, LEVELS, readQuery, type ReportQuery } from './query.ts'
import { type Row, rowsOf, type Subject } from './rows.ts'

type Status = 'CREATED' | 'PREPARING' | 'READY' | 'ERROR'

/** A performance report: it advances one step with every poll, so that no clock decides what a test sees. */
interface Report {
  id: number
  name: string
  query: ReportQuery
  /** The account as it was when the report was requested. */
  subject: Subject
  created: number
  /** The states that polls see, one after another; the last one stays. */
  steps: Status[]
  polls: number
}

export interface Reports {
  create(body: unknown, context: Query & { one_month: boolean }): unknown
  list(parameters: Parameters, account: LineAccount): unknown
  download(id: string, context: Query): HttpResponse
  /** The sample file of a level: 1 account … 4 ad, 5 slots of carousels. */
  sample(number: string, context: Query): HttpResponse
  remove(id: string, account: LineAccount): void
  reset(): void
}

interface Query {
  account: LineAccount
  dataset: Dataset
  now: number
  faults: readonly LineFault[]
}

const TITLES: Record<Level, string> = {
  ADACCOUNT: 'Ad account',
  CAMPAIGN: 'Campaign',
  ADGROUP: 'Ad group',
  AD: 'Ad',
}
const SORTABLE = ['id', 'name', 'status', 'createdDate']

export function createReports(): Reports {
  let reports = new Map<number, Report>()
  let count = 1_234_566

  const find = (id: string, account: LineAccount): Report => {
    const report = /^\d{1,15}$/.test(id) ? reports.get(Number(id)) : undefined
    if (report?.subject.account !== account) throw refused('ENTITY_NOT_FOUND_INVALID_ID', 'id')
    return report
  }

  return {
    create(body, { one_month, ...context }) {
      const { account, dataset, now, faults } = context
      const subject = subjectOf(account, dataset)
      const query = readQuery(body, { account, today: subject.moment.today, one_month })
      const id = ++count
      const name = `${TITLES[query.level]} report_${isoOf(subject.moment.today).replaceAll('-', '')}`
      const report: Report = {
        id,
        name,
        query,
        subject,
        created: now,
        steps: stepsOf(account, faults),
        polls: 0,
      }
      reports.set(id, report)
      return { ...nodeOf(report), status: 'CREATED' }
    },
    list(parameters, account) {
      const ids = parameters.all('ids')
      const position = positionOf(parameters, SORTABLE)
      parameters.refuseUnknown()
      if (ids.some(id => !/^\d{1,15}$/.test(id))) throw refused('INVALID_FORMAT', 'ids')
      const matching = [...reports.values()].filter(
        report => report.subject.account === account && (ids.length === 0 || ids.includes(String(report.id))),
      )
      for (const report of matching) report.polls++
      const { paging, datas } = pageOf(
        matching.map(report => ({
          ...nodeOf(report),
          createdDate: [report.created, report.id].join(' '),
          report,
        })),
        position,
      )
      return { paging, datas: datas.map(({ report }) => nodeOf(report)) }
    },
    download(id, { account, faults }) {
      const { query, subject, ...report } = find(id, account)
      if (statusOf(report) !== 'READY') throw refused('CANNOT_DOWNLOAD_REPORT')
      return fileOf(query, [...rowsOf(query, subject)], styleOf(faults))
    },
    sample(number, { account, dataset, faults }) {
      const level = LEVELS[Math.min(Number(number), 4) - 1] ?? 'AD'
      const body = {
        level,
        filtering: { idType: 'ADACCOUNT', ids: [account.id] },
        fileFormat: 'CSV',
        locale: 'en',
        ...(number === '5' && { breakdown: { specific: 'CAROUSEL' } }),
      }
      const subject = subjectOf(account, dataset)
      const query = readQuery(body, { account, today: subject.moment.today, one_month: false })
      const [first] = rowsOf(query, subject)
      const rows: Row[] = first ? [first] : []
      return fileOf(query, rows, styleOf(faults))
    },
    remove(id, account) {
      reports.delete(find(id, account).id)
    },
    reset() {
      reports = new Map()
    },
  }
}

const subjectOf = (account: LineAccount, dataset: Dataset): Subject => ({
  account,
  campaigns: dataset.campaigns(account),
  moment: dataset.moment(account),
  population: dataset.population(account),
})

function stepsOf(account: LineAccount, faults: readonly LineFault[]): Status[] {
  const slow = faults.find(fault => fault.action === 'report_slow')
  const waiting = Array.from({ length: slow ? (slow.looks ?? 5) : 0 }, (): Status => 'CREATED')
  const fails =
    account.traits.includes('async_failed') || faults.some(fault => fault.action === 'report_failed')
  return [...waiting, 'CREATED', 'PREPARING', fails ? 'ERROR' : 'READY']
}

const statusOf = ({ steps, polls }: Pick<Report, 'steps' | 'polls'>): Status =>
  steps[Math.min(Math.max(polls - 1, 0), steps.length - 1)] ?? 'CREATED'

const nodeOf = (report: Report) => ({
  id: report.id,
  name: report.name,
  status: statusOf(report),
  queryParams: report.query.echo,
})

const styleOf = (faults: readonly LineFault[]) => ({
  old: faults.some(fault => fault.action === 'old_labels'),
  with_bom: !faults.some(fault => fault.action === 'no_bom'),
})

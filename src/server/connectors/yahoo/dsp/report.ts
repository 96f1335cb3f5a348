import { createHash } from 'node:crypto'
import type { PlatformDimension } from '#shared/channels/catalogue.ts'
import {
  ReportPending,
  PlatformFailure,
  type Page,
  type ReportRequest,
} from '#server/connectors/connector.ts'
import { cellTranslator, CsvReader } from '#server/connectors/kit/csv-bytes.ts'
import { isRefusal, unreadable } from '#server/connectors/kit/failures.ts'
import type { Slice } from '#server/connectors/kit/slices.ts'
import { dspDimensions, fieldsAt } from '#server/connectors/yahoo/fields.ts'
import {
  failedJob,
  finishJobs,
  jobGone,
  type JobState,
  type ReportService,
} from '#server/connectors/kit/report-jobs.ts'
import { intervalOf, partsOf, startReader, type Interval } from '#server/connectors/yahoo/ranges.ts'
import { refuseActions, todayAt } from '#server/connectors/kit/unsupported.ts'
import { wholeFileTest } from '#server/connectors/kit/whole-file.ts'
import { DspReport, DspSubmitted, type DspIo } from '#server/connectors/yahoo/schema.ts'
import { pagesOf, type Layout } from '#server/connectors/yahoo/table.ts'
import { currencyNumber } from './accounts.ts'
import { callApi, download } from './client.ts'

const REPORTS = '/yamplus_api/extreport/'
const INTERVALS: Record<Interval, number> = { total: 1, date: 2, month: 3, week: 4 }
const CUSTOM_DATES = 11
const ADVERTISER = 4
const POLL_AFTER_MS = 5000
/** The books of a day are closed two days later. */
const OPEN_DAYS = 2

/** Has every report of a request prepared. Throws ReportPending while one is not finished. */
export async function prepareDsp(request: ReportRequest, io: DspIo): Promise<void> {
  await finishJobs(rangesOf(request, io), reportService(request, io), io)
}

/** Reads the reports of a request. Yahoo DSP has no filter by name, so that all of its rows are yielded. */
export async function* fetchDspReport(request: ReportRequest, io: DspIo): AsyncGenerator<Page> {
  for (const part of rangesOf(request, io)) {
    const pages = await pagesAt(part, request, io)
    // Pages that have been read make room for the table.
    for (let page = pages.shift(); page; page = pages.shift()) {
      yield page
      io.signal.throwIfAborted()
    }
  }
  const today = todayAt(request.account, io.now())
  const from = today.subtract({ days: OPEN_DAYS }).toString()
  if (request.range.end >= from)
    io.note({ code: 'not_final', detail: { account: request.account.external_id, from } })
}

function rangesOf(request: ReportRequest, io: DspIo): Slice[] {
  fieldsAt('yahoo_dsp', request)
  // It tells clicks' conversions from views', and no names of them.
  refuseActions(request, {})
  for (const dimension of request.dimensions) numberOf(dimension)
  return partsOf(request, todayAt(request.account, io.now()))
}

function numberOf(dimension: PlatformDimension): number {
  const known: Partial<Record<PlatformDimension, number>> = dspDimensions
  const number = known[dimension]
  if (number === undefined)
    throw new PlatformFailure('combination_not_allowed', { platform_message: dimension })
  return number
}

const reportService = (request: ReportRequest, io: DspIo): ReportService<Slice> => ({
  keyOf: part => keyOf(part, request),
  submit: part => submit(part, request, io),
  poll: async ids =>
    new Map(await Promise.all(ids.map(async id => [id, await poll(id, request, io)] as const))),
})

const keyOf = (part: Slice, request: ReportRequest) =>
  createHash('sha256')
    .update(JSON.stringify([request.account.external_id, bodyOf(part, request)]))
    .digest('base64url')

async function submit(part: Slice, request: ReportRequest, io: DspIo): Promise<string> {
  const { reportOption, ...body } = bodyOf(part, request)
  const currency = await currencyNumber(request.account.currency, io)
  const { customerReportId } = await callApi(
    {
      host: 'yahoo_dsp_reports',
      path: REPORTS,
      body: { reportOption: { ...reportOption, currency }, ...body },
      account: request.account.external_id,
    },
    DspSubmitted,
    io,
  )
  return customerReportId
}

function bodyOf({ start, end }: Slice, request: ReportRequest) {
  const { account, dimensions, time } = request
  const numbers = fieldsAt('yahoo_dsp', request).map(({ field }) => field)
  return {
    reportOption: {
      timezone: account.timezone,
      accountIds: [advertiserNumber(account.external_id)],
      dimensionTypeIds: [ADVERTISER, ...dimensions.map(numberOf)],
      metricTypeIds: numbers.length > 0 ? numbers : [1],
    },
    intervalTypeId: INTERVALS[intervalOf(time)],
    dateTypeId: CUSTOM_DATES,
    startDate: instant(start, '00:00:00', account.timezone),
    endDate: instant(end, '23:59:59', account.timezone),
  }
}

function advertiserNumber(id: string): number {
  const number = Number(id)
  if (/^\d+$/.test(id) && Number.isSafeInteger(number)) return number
  throw new PlatformFailure('account_access_lost', { platform_message: 'not a number of an advertiser' })
}

/** With the offset that the advertiser's zone has on that day. */
function instant(day: string, time: string, timezone: string): string {
  const { offset } = Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime(timezone)
  return `${day}T${time}${offset}`
}

const stateOf = (id: string, { account }: ReportRequest, io: DspIo) =>
  callApi(
    {
      host: 'yahoo_dsp_reports',
      path: `${REPORTS}${encodeURIComponent(id)}`,
      account: account.external_id,
    },
    DspReport,
    io,
  )

async function poll(id: string, request: ReportRequest, io: DspIo): Promise<JobState> {
  try {
    const { status, errorMsg } = await stateOf(id, request, io)
    if (status === 'Success') return { state: 'finished' }
    // Nothing says since when.
    if (status === 'Submitted' || status === 'Processing') return { state: 'running', age_ms: 0 }
    return failedJob(`${status}: ${errorMsg ?? ''}`.slice(0, 1000))
  } catch (error) {
    if (isRefusal(error, '404')) return jobGone
    throw error
  }
}

/** The rows of a report that has been made, all of them: their number says whether the file is whole. */
async function pagesAt(part: Slice, request: ReportRequest, io: DspIo): Promise<Page[]> {
  const key = keyOf(part, request)
  const id = await io.jobs.startOnce(key, () => submit(part, request, io))
  const { status, url, numRows } = await stateOf(id, request, io)
  if (status !== 'Success') throw new ReportPending(POLL_AFTER_MS)
  // A report without rows has no file.
  if (!url && !numRows) return []
  const isWhole = wholeFileTest()
  const read = (file: Buffer[]) => {
    if (!isWhole(file)) throw unreadable('a report that breaks off')
    const pages = [...pagesOf(...rowsAndLayout(file, part, request))]
    const rows = pages.reduce((sum, { length }) => sum + length, 0)
    if (numRows != null && rows !== numRows)
      throw unreadable(`a report of ${rows} rows instead of ${numRows}`)
    return pages
  }
  return download({ url: url ?? '', account: request.account.external_id }, read, io)
}

/**
 * Columns are in the order in which they were requested: the period, id and name of each entity, the
 * numbers.
 */
function rowsAndLayout(file: Buffer[], part: Slice, request: ReportRequest): [CsvReader, Layout] {
  const rows = new CsvReader(file)
  const header = rows.next() ? rows.texts() : null
  if (!header) throw unreadable('a report without a header')
  const interval = intervalOf(request.time)
  const isDated = interval !== 'total'
  const metrics = fieldsAt('yahoo_dsp', request)
  const starts: string[] = []
  const read = startReader(part, interval)
  const startOf = cellTranslator(text => starts.push(read(text)) - 1)
  let at = isDated ? 1 : 0
  /** Which of the two comes first is not documented. */
  const entity = () => {
    const [first, second] = [at, at + 1]
    at += 2
    if (isId(header[first])) return { key: first, label: second }
    if (isId(header[second])) return { key: second, label: first }
    throw unreadable(`a header without ids: ${header.join(',').slice(0, 200)}`)
  }
  const owner = entity().key
  const checkOwner = cellTranslator(text => {
    if (text !== request.account.external_id) throw unreadable('a row of another advertiser')
    return 0
  })
  const dimensions = request.dimensions.map(dimension =>
    dimension === 'device_type' ? { key: at++, is_device: true } : entity(),
  )
  const width = at + Math.max(1, metrics.length)
  if (header.length !== width) throw unreadable(`a header of ${header.length} columns instead of ${width}`)
  return [
    rows,
    {
      width,
      startOf: row => {
        checkOwner(row, owner)
        return isDated ? (starts[startOf(row, 0)] ?? null) : part.start
      },
      dimensions,
      metrics: metrics.map(({ metric }, index) => ({ metric, at: at + index })),
    },
  ]
}

const isId = (name: string | undefined) => /\bid$/i.test(name ?? '')

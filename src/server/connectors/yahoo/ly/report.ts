import type { PlatformDimension } from '#shared/channels/catalogue.ts'
import { PlatformFailure, type Page, type ReportRequest } from '#server/connectors/connector.ts'
import { cellTranslator, CsvReader } from '#server/connectors/kit/csv-bytes.ts'
import { decimal, decimalIn } from '#server/connectors/kit/decimals.ts'
import { isActivity } from '#server/connectors/kit/delivery.ts'
import { unreadable } from '#server/connectors/kit/failures.ts'
import { lyDimensions, type FetchedMetric } from '#server/connectors/yahoo/fields.ts'
import { finishJobs } from '#server/connectors/kit/report-jobs.ts'
import { todayAt } from '#server/connectors/kit/unsupported.ts'
import type { LyIo } from '#server/connectors/yahoo/schema.ts'
import {
  pagesOf,
  sideOf,
  summedPage,
  type LaidMetric,
  type Layout,
  type Side,
} from '#server/connectors/yahoo/table.ts'
import { queryOf, TIME_ZONE, type Part, type ReportQuery } from './query.ts'
import { fileOf, isWaiting, reportService, removeAll } from './jobs.ts'

/** Has every report of a request prepared. Throws ReportPending while one is not finished. */
export async function prepareLy(request: ReportRequest, io: LyIo): Promise<void> {
  const parts = partsIn(queryOf(request, io.now()))
  try {
    await finishJobs(parts, reportService(request.account, io), io)
  } catch (error) {
    if (!isWaiting(error)) await removeAll(parts, request.account, io)
    throw error
  }
}

/** Reads the reports of a request, and deletes them. */
export async function* fetchLyReport(request: ReportRequest, io: LyIo): AsyncGenerator<Page> {
  const query = queryOf(request, io.now())
  let isRetained = false
  try {
    const sides: { metrics: readonly FetchedMetric[]; side: Side }[] = []
    for (const { metrics, parts } of query.sides)
      sides.push({ metrics, side: await sideFrom(parts, request, io) })
    for (const part of query.main) {
      const metrics = request.metrics.map(metric => laidMetricOf(metric, { part, sides }))
      const pages = await readPart(part, metrics, { request, io })
      for (const page of isSummed(part, request) ? summed(pages) : pages) {
        yield page
        io.signal.throwIfAborted()
      }
    }
    noteLimits(request, query, io)
  } catch (error) {
    isRetained = isWaiting(error) || io.signal.aborted
    throw error
  } finally {
    if (!isRetained) await removeAll(partsIn(query), request.account, io)
  }
}

const partsIn = ({ main, sides }: ReportQuery) => [...main, ...sides.flatMap(({ parts }) => parts)]

async function sideFrom(parts: readonly Part[], request: ReportRequest, io: LyIo): Promise<Side> {
  const pages: Page[] = []
  for (const part of parts) {
    const metrics = part.metrics.map((metric, index) => ({ metric, at: widthBefore(part) + index }))
    pages.push(...(await readPart(part, metrics, { request, io })))
  }
  return sideOf(pages)
}

function laidMetricOf(
  id: string,
  { part, sides }: { part: Part; sides: readonly { metrics: readonly FetchedMetric[]; side: Side }[] },
): LaidMetric {
  const at = part.metrics.findIndex(metric => metric === id)
  const metric = part.metrics[at]
  if (metric !== undefined) return { metric, at: widthBefore(part) + at }
  for (const { metrics, side } of sides) {
    const position = metrics.findIndex(each => each === id)
    if (position >= 0) return { in: side, position }
  }
  throw new PlatformFailure('combination_not_allowed', { platform_message: id })
}

/** How many columns come before the numbers; a conversion's name is the last of them. */
export const widthBefore = ({ fields, metrics }: Part) => fields.length - Math.max(1, metrics.length)

async function readPart(
  part: Part,
  metrics: readonly LaidMetric[],
  { request, io }: { request: ReportRequest; io: LyIo },
): Promise<Generator<Page>> {
  const rows = rowsOf(await fileOf(part, request.account, io), part, request.account.external_id)
  return pagesOf(rows, layoutOf(rows, part, { metrics, request }))
}

function layoutOf(
  rows: CsvReader,
  part: Part,
  { metrics, request }: { metrics: readonly LaidMetric[]; request: ReportRequest },
): Layout {
  const { account, dimensions } = request
  let at = part.is_dated ? 2 : 1
  const isCounted = countedTest(part)
  const ownerOf = cellTranslator(text => Number(isData(text, account.external_id)))
  const starts: (string | null)[] = []
  const startOf = cellTranslator(text => starts.push(part.startOf(text)) - 1)
  return {
    width: part.fields.length,
    check: totalCheck(rows, part, account.external_id),
    startOf(row) {
      if (ownerOf(row, 0) === 0 || !isCounted(row)) return null
      return part.is_dated ? (starts[startOf(row, 1)] ?? null) : part.startOf('')
    },
    dimensions: dimensions.map(dimension => {
      const key = at
      at += widthOf(dimension)
      const is_device = dimension === 'device_type'
      return widthOf(dimension) === 2 ? { key, label: key + 1 } : { key, is_device }
    }),
    metrics,
  }
}

/** Of rows that name a conversion, those that the request counts, where it has happened. */
function countedTest(part: Part): (row: CsvReader) => boolean {
  if (part.actions === null) return () => true
  const actions = new Set(part.actions)
  const first = widthBefore(part)
  return row =>
    actions.has(row.text(first - 1)) &&
    row
      .texts()
      .slice(first)
      .some(cell => isActivity(decimal(cell)))
}

function widthOf(dimension: PlatformDimension): number {
  const known: Partial<Record<PlatformDimension, readonly string[]>> = lyDimensions
  return known[dimension]?.length ?? 1
}

/** The rows below the header, which has names of its own: columns are known by their order. */
export function rowsOf(file: Buffer[], part: Part, account: string): CsvReader {
  const rows = new CsvReader(file)
  if (!rows.next() || rows.width !== part.fields.length || rows.text(0) === account)
    throw unreadable(`a header of other columns than ${part.fields.join(',')}`)
  return rows
}

/** Compares the row of totals with the rows before it: one that is lost or comes twice is seen here alone. */
export function totalCheck(rows: CsvReader, part: Part, account: string): (row: CsvReader) => void {
  const counted = part.fields.findIndex(field => field === 'IMPS' || field === 'CLICKS')
  const kindOf = cellTranslator(owner => (owner === account ? OWN : owner === 'Total' ? TOTAL : NEITHER))
  let sum = 0
  return row => {
    if (counted < 0 || counted >= row.width) return
    const kind = kindOf(row, 0)
    if (kind === NEITHER) return
    const exact = decimalIn(row, counted, 0)
    const count = Number.isNaN(exact) ? decimal(row.text(counted)) : exact
    if (Number.isNaN(count)) return
    if (kind === OWN) sum += count
    else if (count !== sum) throw unreadable(`rows of ${sum} instead of ${count} ${part.fields[counted]}`)
  }
}

const NEITHER = 0
const OWN = 1
const TOTAL = 2

/** Whether a row is data: neither the totals, nor the mark for no data. */
export function isData(owner: string, account: string): boolean {
  if (owner === account) return true
  if (owner === 'Total' || owner === '' || owner === '--') return false
  throw unreadable('a row of another account')
}

/**
 * Display ads distinguish old phones from new ones, which are one device here; and rows name conversions that
 * are counted together.
 */
const isSummed = ({ actions }: Part, { account, dimensions }: ReportRequest) =>
  actions !== null || (account.provider === 'ly_display' && dimensions.includes('device_type'))

function summed(pages: Iterable<Page>): Page[] {
  const page = summedPage(pages)
  return page === null ? [] : [page]
}

function noteLimits({ account, range, dimensions }: ReportRequest, { without_reach }: ReportQuery, io: LyIo) {
  const detail = { account: account.external_id }
  const today = todayAt({ timezone: TIME_ZONE }, io.now()).toString()
  if (range.start <= today && range.end >= today)
    io.note({ code: 'not_final', detail: { ...detail, from: today } })
  if (dimensions.includes('keyword')) io.note({ code: 'keywords_only', detail })
  const [first] = without_reach
  if (first)
    io.note({ code: 'no_reach', detail: { ...detail, slices: without_reach.length, first: first.start } })
}

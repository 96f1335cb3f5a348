import type { PlatformDimension } from '#shared/channels/catalogue.ts'
import { PlatformFailure, type Page, type ReportRequest } from '#server/connectors/connector.ts'
import { csvRows } from '#server/connectors/kit/csv.ts'
import { decimal } from '#server/connectors/kit/decimals.ts'
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
import { isWaiting, reportService, removeAll, textOf } from './jobs.ts'

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
  const text = await textOf(part, request.account, io)
  return pagesOf(rowsOf(text, part, request.account.external_id), layoutOf(part, metrics, request))
}

function layoutOf(
  part: Part,
  metrics: readonly LaidMetric[],
  { account, dimensions }: ReportRequest,
): Layout {
  let at = part.is_dated ? 2 : 1
  const isCounted = countedTest(part)
  return {
    width: part.fields.length,
    startOf: row =>
      isData(row[0], account.external_id) && isCounted(row) ? part.startOf(row[1] ?? '') : null,
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
function countedTest(part: Part): (row: readonly string[]) => boolean {
  if (part.actions === null) return () => true
  const actions = new Set(part.actions)
  const first = widthBefore(part)
  return row => actions.has(row[first - 1] ?? '') && row.slice(first).some(cell => isActivity(decimal(cell)))
}

function widthOf(dimension: PlatformDimension): number {
  const known: Partial<Record<PlatformDimension, readonly string[]>> = lyDimensions
  return known[dimension]?.length ?? 1
}

/** The rows below the header, which has names of its own: columns are known by their order. */
export function* rowsOf(text: string, part: Part, account: string): Generator<string[]> {
  const rows = csvRows(text)
  const header = rows.next()
  if (header.done || header.value.length !== part.fields.length || header.value[0] === account)
    throw unreadable(`a header of other columns than ${part.fields.join(',')}`)
  const counted = part.fields.findIndex(field => field === 'IMPS' || field === 'CLICKS')
  let sum = 0
  for (const row of rows) {
    const count = counted < 0 ? Number.NaN : decimal(row[counted])
    if (row[0] === account) sum += Number.isNaN(count) ? 0 : count
    // A row that is lost or comes twice is seen here alone.
    else if (row[0] === 'Total' && !Number.isNaN(count) && count !== sum)
      throw unreadable(`rows of ${sum} instead of ${count} ${part.fields[counted]}`)
    yield row
  }
}

/** Whether a row is data: neither the totals, nor the mark for no data. */
export function isData(owner: string | undefined, account: string): boolean {
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

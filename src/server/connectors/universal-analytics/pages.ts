import { chunked } from '#shared/chunked.ts'
import { gaMetrics } from '#shared/channels/ga-metrics.ts'
import type { Page, PageDimension } from '#server/connectors/connector.ts'
import type { RowReader } from '#server/connectors/kit/byte-rows.ts'
import { unreadable } from '#server/connectors/kit/failures.ts'
import { createMerger, sumOfAll } from '#server/connectors/kit/merger.ts'
import { readAhead } from '#server/connectors/kit/read-ahead.ts'
import { slicesOf, type Slice } from '#server/connectors/kit/slices.ts'
import { callApi } from './client.ts'
import { columnsOf, readerOf } from './columns.ts'
import type { NoteOnce } from './notes.ts'
import { layoutOf, saysTime, type Layout, type ReportQuery } from './query.ts'
import { Reports, type Report, type UaIo } from './schema.ts'

/** The rows of neighbouring slices, each once. */
export async function* rowsOf(
  query: ReportQuery,
  slices: readonly Slice[],
  { io, note }: PagesContext,
): AsyncGenerator<Page> {
  const size = saysTime(query) ? (query.groups.length > 1 ? MERGED_SLICES : slices.length) : 1
  for (const part of chunked(slices, size)) yield* partOf(query, part, { io, note })
}

export interface PagesContext {
  io: UaIo
  note: NoteOnce
}

/** Rows of several requests meet in memory: about a month of days at a time. */
const MERGED_SLICES = 31
/**
 * The first page is short: it shows whether the response is a sample, and little is read in vain when it is.
 */
const FIRST_ROWS = 500
const PAGE_ROWS = 10_000
/** More rows than any table takes. */
const MOST_PAGES = 1000

/**
 * From more than 500,000 sessions the platform draws a sample, and says so. Its first page says of how many:
 * then fewer slices are requested at once, down to one by one, and of a single slice its days, where days can
 * be summed. Only what is left then is taken although it is not exact.
 */
async function* partOf(
  query: ReportQuery,
  [first, ...others]: readonly Slice[],
  context: PagesContext,
): AsyncGenerator<Page> {
  if (first === undefined) return
  const slices = [first, ...others] as const
  const [call, ...more] = query.groups.map(group => callOf(layoutOf(query, slices, group)))
  if (call === undefined) return
  const head = await reportOf(call, { pageSize: FIRST_ROWS }, context.io)
  const sample = sampleOf(head)
  if (sample && others.length > 0) {
    const fitting = Math.floor((slices.length * sample.read) / sample.of / SPARE)
    const size = Math.max(1, Math.min(fitting, Math.ceil(slices.length / 2)))
    for (const part of chunked(slices, size)) yield* partOf(query, part, context)
    return
  }
  if (sample && first.start < first.end && isSummable(query)) {
    const days = rowsOf({ ...query, time: 'date' }, slicesOf(first, 'date'), context)
    yield* summed(query, first.start, days)
    return
  }
  if (sample) context.note('sampled', { percent: Math.round((1000 * sample.read) / sample.of) / 10 })
  if (head.data.isDataGolden === false) context.note('not_final')
  const pages = pagesOf(call, head, context)
  if (more.length === 0) yield* pages
  else yield* merged(query, [{ layout: call.layout, pages }, ...more.map(each => laterPages(each, context))])
}

/** A request and what reads the rows of its responses. */
interface ReportCall {
  layout: Layout
  reader: RowReader
}

const callOf = (layout: Layout): ReportCall => ({ layout, reader: readerOf(layout) })

interface LaidPages {
  layout: Layout
  pages: AsyncIterable<Page>
}

/**
 * The rows of several requests at the same grain as one page. A request leaves rows out in which all of its
 * own metrics are 0, so each may lack rows that another has.
 */
async function* merged({ metrics }: ReportQuery, requests: LaidPages[]): AsyncGenerator<Page> {
  const merger = createMerger(metrics.length, sumOfAll)
  for (const { layout, pages } of requests) {
    const columns = layout.metrics.map(metric => metrics.indexOf(metric))
    for await (const page of pages) merger.add(page, { columns })
  }
  const page = merger.page(metrics.map(() => 0))
  if (page.length > 0) yield page
}

/** The rows of finer slices as those of one slice. */
async function* summed(
  { metrics }: ReportQuery,
  start: string,
  pages: AsyncIterable<Page>,
): AsyncGenerator<Page> {
  const merger = createMerger(metrics.length, sumOfAll)
  for await (const page of pages) merger.add(page, { startOf: () => start })
  const page = merger.page()
  if (page.length > 0) yield page
}

/** Days differ: parts of just the right size on average would be too large every second time. */
const SPARE = 1.25

const isSummable = ({ metrics }: ReportQuery) =>
  metrics.every(metric => gaMetrics[metric].kind === 'additive')

function sampleOf({
  data: { samplesReadCounts, samplingSpaceSizes },
}: Report): { read: number; of: number } | null {
  const [read, of] = [samplesReadCounts?.[0], samplingSpaceSizes?.[0]].map(Number)
  return read && of ? { read, of } : null
}

const laterPages = (call: ReportCall, context: PagesContext): LaidPages => ({
  layout: call.layout,
  pages: (async function* () {
    yield* pagesOf(call, await reportOf(call, { pageSize: FIRST_ROWS }, context.io), context)
  })(),
})

/** The pages from the first one on. */
async function* pagesOf(call: ReportCall, head: Report, { io, note }: PagesContext): AsyncGenerator<Page> {
  let rows = 0
  let pages = 0
  const { rowCount = 0 } = head.data
  const reports = readAhead(io, context => ({
    first: async () => head,
    next({ data, nextPageToken }: Report) {
      rows += data.rows.length
      pages += 1
      const isLast = nextPageToken === undefined
      if (rows > rowCount || (isLast && rows < rowCount) || (data.rows.length === 0 && !isLast))
        throw unreadable(`${rows} of ${rowCount} rows`)
      if (pages > MOST_PAGES) throw unreadable('pages without end')
      return isLast ? null : reportOf(call, { pageSize: PAGE_ROWS, pageToken: nextPageToken }, context)
    },
  }))
  const hasOther = otherTest()
  for await (const report of reports) {
    const page = columnsOf(report, call.layout)
    if (page.dimensions.some(hasOther)) note('other_row')
    if (page.length > 0) yield page
  }
}

/** Whether a column has the row of all that is too much. Pages share texts, which are looked at once. */
function otherTest() {
  const lengths = new Map<readonly string[], number>()
  return ({ keys: { values } }: PageDimension) => {
    const known = lengths.get(values) ?? 0
    lengths.set(values, values.length)
    return values.includes('(other)', known)
  }
}

async function reportOf(
  { layout, reader }: ReportCall,
  which: { pageSize: number; pageToken?: string },
  io: UaIo,
): Promise<Report> {
  const request = { ...layout.body, ...which }
  const body = { reportRequests: [request] }
  const { reports } = await callApi(
    { host: 'ua', path: '/v4/reports:batchGet', body, view: layout.body.viewId, rows: reader },
    Reports,
    io,
  )
  const [report] = reports
  return report
}

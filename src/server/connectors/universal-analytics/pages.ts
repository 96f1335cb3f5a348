import { gaMetrics } from '#shared/channels/ga-metrics.ts'
import type { Page } from '#server/connectors/connector.ts'
import { unreadable } from '#server/connectors/kit/failures.ts'
import { chunked, slicesOf, type Slice } from '#server/connectors/kit/slices.ts'
import { callApi } from './client.ts'
import { columnsOf } from './columns.ts'
import { merged, summed } from './merge.ts'
import type { NoteOnce } from './notes.ts'
import { layoutOf, saysTime, type Layout, type ReportQuery } from './query.ts'
import { Reports, type Report, type UaIo } from './schema.ts'

/** The rows of neighbouring slices, each once. */
export async function* answerOf(
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
 * The first page is short: it tells whether the response is a sample, and of nothing that is thrown away then
 * is much to be read.
 */
const FIRST_ROWS = 500
const PAGE_ROWS = 10_000
/** More rows than any table takes. */
const MOST_PAGES = 1000

/**
 * From more than 500,000 sessions the platform draws a sample, and says so. Its first page tells of how many:
 * then fewer slices are asked for at once, down to one by one, and of a single slice its days, where days can
 * be summed. Only what is left then is taken although it is not exact.
 */
async function* partOf(
  query: ReportQuery,
  [first, ...others]: readonly Slice[],
  context: PagesContext,
): AsyncGenerator<Page> {
  if (first === undefined) return
  const slices = [first, ...others] as const
  const [layout, ...more] = query.groups.map(group => layoutOf(query, slices, group))
  if (layout === undefined) return
  const head = await reportOf(layout, { pageSize: FIRST_ROWS }, context)
  const sample = sampleOf(head)
  if (sample && others.length > 0) {
    const fitting = Math.floor((slices.length * sample.read) / sample.of / SPARE)
    const size = Math.max(1, Math.min(fitting, Math.ceil(slices.length / 2)))
    for (const part of chunked(slices, size)) yield* partOf(query, part, context)
    return
  }
  if (sample && first.start < first.end && isSummable(query)) {
    const days = answerOf({ ...query, time: 'date' }, slicesOf(first, 'date'), context)
    yield* summed(query, first.start, days)
    return
  }
  if (sample) context.note('sampled', { percent: Math.round((1000 * sample.read) / sample.of) / 10 })
  if (head.data.isDataGolden === false) context.note('not_final')
  const pages = pagesOf(layout, head, context)
  if (more.length === 0) yield* pages
  else yield* merged(query, [{ layout, pages }, ...more.map(each => laterPages(each, context))])
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

const laterPages = (layout: Layout, context: PagesContext) => ({
  layout,
  pages: (async function* () {
    yield* pagesOf(layout, await reportOf(layout, { pageSize: FIRST_ROWS }, context), context)
  })(),
})

/** The pages from the first one on; each is asked for while the one before is being read. */
async function* pagesOf(layout: Layout, head: Report, { io, note }: PagesContext): AsyncGenerator<Page> {
  const stop = new AbortController()
  const context = { io: { ...io, signal: AbortSignal.any([io.signal, stop.signal]) }, note }
  try {
    let rows = 0
    let pages = 0
    const { rowCount = rows } = head.data
    for (let report: Report | null = head; report !== null;) {
      rows += report.data.rows.length
      pages += 1
      const is_last = report.nextPageToken === undefined
      if (rows > rowCount || (is_last && rows < rowCount) || (report.data.rows.length === 0 && !is_last))
        throw unreadable(`${rows} of ${rowCount} rows`)
      if (pages > MOST_PAGES) throw unreadable('pages without end')
      const token: string | undefined = report.nextPageToken
      const coming: Promise<Report | null> =
        token === undefined
          ? Promise.resolve(null)
          : reportOf(layout, { pageSize: PAGE_ROWS, pageToken: token }, context)
      // It may fail before anybody waits for it.
      coming.catch(() => {})
      const page = columnsOf(report, layout)
      if (page.dimensions.some(({ keys }) => keys.includes(OTHER))) note('other_row')
      if (page.length > 0) yield page
      report = await coming
    }
  } finally {
    stop.abort()
  }
}

const OTHER = '(other)'

async function reportOf(
  layout: Layout,
  which: { pageSize: number; pageToken?: string },
  { io }: PagesContext,
): Promise<Report> {
  const request = { ...layout.body, ...which }
  const body = { reportRequests: [request] }
  const { reports } = await callApi(
    { host: 'ua', path: '/v4/reports:batchGet', body, view: layout.body.viewId },
    Reports,
    io,
  )
  const [report] = reports
  return report
}

import { chunked } from '#shared/chunked.ts'
import type { Page } from '#server/connectors/connector.ts'
import { ByteRows, rowReader } from '#server/connectors/kit/byte-rows.ts'
import { shapeOf } from '#server/connectors/kit/rows.ts'
import { createRowTracker } from '#server/connectors/kit/row-tracker.ts'
import { slicesOf, type Slice } from '#server/connectors/kit/slices.ts'
import { cutRows } from '#server/connectors/page-rows.ts'
import { constantColumn, textAt } from '#server/connectors/text-column.ts'
import { rowPagesOf } from './client.ts'
import { columnsOf, delivered, type ColumnSpec } from './columns.ts'
import { canRecover, RecoverableFailure } from '#server/connectors/kit/failures.ts'
import { isAdditive } from './fields.ts'
import { between, gaql, type Query } from './gaql.ts'
import { rowMerger } from './merge.ts'
import type { GoogleAdsIo } from './schema.ts'

/** What is requested of one customer, whatever the days. */
export interface SliceSearch {
  customer: string
  through: string | null
  query: Query
  spec: ColumnSpec
  /** Whether several rows of a response can be about the same. */
  merges: boolean
}

const RESTARTS = 3
const FIRST_BACKOFF_MS = 500

/**
 * The rows of neighbouring slices. A slice is yielded when it is complete, so that after a page token has
 * gone bad, or Google has run out of time, the rest is requested again and nothing comes twice.
 */
export async function* rowsOf(
  slicesSearch: SliceSearch,
  slices: Slice[],
  io: GoogleAdsIo,
): AsyncGenerator<Page> {
  let rest = slices
  for (let restarts = 0; ; restarts += 1) {
    try {
      for await (const { page, complete } of completeSlices(slicesSearch, rest, io)) {
        rest = rest.filter(({ start }) => start > complete)
        restarts = 0
        yield page
      }
      return
    } catch (error) {
      if (!canRecover(error, 'fewer_days', 'restart_paging')) throw error
      const [only, ...others] = rest
      if (error.recovery === 'fewer_days' && others.length > 0) {
        for (const half of halved(rest)) yield* rowsOf(slicesSearch, half, io)
        return
      }
      if (error.recovery === 'fewer_days' && only && canBeSummed(only, slicesSearch)) {
        const page = await summedOf(only, slicesSearch, io)
        if (page.length > 0) yield page
        return
      }
      if (restarts === RESTARTS) throw error
      await io.sleep(FIRST_BACKOFF_MS * 2 ** restarts)
    }
  }
}

const halved = (slices: Slice[]) => chunked(slices, Math.ceil(slices.length / 2))

const canBeSummed = ({ start, end }: Slice, { spec }: SliceSearch) =>
  start < end && spec.metrics.every(isAdditive)

/** The rows of a slice that Google has no time for as a whole, put together from those of its halves. */
async function summedOf(slice: Slice, slicesSearch: SliceSearch, io: GoogleAdsIo): Promise<Page> {
  const pages: Page[] = []
  for (const days of halved(slicesOf(slice, 'date'))) {
    const half = { start: days[0]?.start ?? slice.start, end: days.at(-1)?.end ?? slice.end }
    for await (const page of rowsOf(slicesSearch, [half], io))
      pages.push({ ...page, dates: constantColumn(slice.start, page.length) })
  }
  return rowMerger(slicesSearch.spec.metrics)(pages.filter(({ length }) => length > 0))
}

/** Pages that end where a slice does; `complete` is the first day of the last slice in them. */
async function* completeSlices(
  { customer, through, query, spec, merges }: SliceSearch,
  slices: Slice[],
  io: GoogleAdsIo,
): AsyncGenerator<{ page: Page; complete: string }> {
  const [first] = slices
  const last = slices.at(-1)
  if (!first || !last) return
  const days = between({ start: first.start, end: last.end })
  const search = {
    customer,
    through,
    heavy: true,
    query: gaql({ ...query, where: [days, ...(query.where ?? [])], order: spec.segments }),
  }
  const tracker = createRowTracker(slices.map(({ start }) => start))
  const check = tracker.startPass()
  const { starts } = tracker
  const shape = shapeOf(none => columnsOf(none, spec, { starts, first: first.start, reached: first.start }))
  // Without segments most rows are dropped before they are read, as those of entities that once were.
  const reader = rowReader(shape, ['results'])
  const merge = rowMerger(spec.metrics)
  const completePages = (pages: Page[]) => {
    const filled = pages.filter(({ length }) => length > 0)
    return merges && filled.length > 0 ? [merge(filled)] : filled
  }
  let held: Page[] = []
  let reached = first.start
  for await (const results of rowPagesOf({ ...search, rows: spec.hides_zeros ? reader : null }, io)) {
    const rows = reader.rowsOf(results instanceof ByteRows ? results : delivered(results, spec))
    const page = columnsOf(rows, spec, { starts, first: first.start, reached })
    if (!merges && check(page).repeats)
      throw new RecoverableFailure('restart_paging', { platform_message: 'a row that came twice' })
    if (page.length === 0) continue
    const begun = textAt(page.dates, page.length - 1)
    if (begun === reached) {
      held.push(page)
      continue
    }
    const open = beginOf(page, begun)
    const complete = open > 0 ? textAt(page.dates, open - 1) : reached
    for (const part of completePages([...held, cutRows(page, 0, open)])) yield { page: part, complete }
    held = [cutRows(page, open, page.length)]
    reached = begun
  }
  for (const part of completePages(held)) yield { page: part, complete: last.start }
}

/** The first row of a date. */
function beginOf(page: Page, date: string): number {
  let row = 0
  while (textAt(page.dates, row) !== date) row += 1
  return row
}

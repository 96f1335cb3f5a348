import type { Filter } from '#shared/channels/catalogue.ts'
import type { Page } from '#server/connectors/connector.ts'
import { readerOf } from './columns.ts'
import type { ReportQuery, Narrowing } from './query.ts'
import { canNarrow, narrowingOf } from './filters.ts'
import { pageOf, rowsOf, type PageResponse, type PartQuery } from './pages.ts'
import type { Part } from './ranges.ts'
import type { TikTokIo } from './schema.ts'

/** From this many pages on it is worth reading the names that the filters let through. */
const MANY_PAGES = 20

/**
 * Reads parts synchronously, in their order; the first page of each is requested while the part before is
 * being read.
 */
export function synchronousReader(
  { query, parts, filters }: { query: ReportQuery; parts: Part[]; filters: Filter[] },
  io: TikTokIo,
) {
  const stopping = new AbortController()
  const stoppable = { ...io, signal: AbortSignal.any([io.signal, stopping.signal]) }
  let narrowing: Narrowing | null = null
  let mayNarrow = canNarrow(filters)
  const coming = new Map<Part, Promise<PageResponse>>()

  const readers = { daily: readerOf(query.spec, true), whole: readerOf(query.spec, false) }
  const partQueryOf = (part: Part): PartQuery => ({
    query,
    part,
    narrowing,
    reader: part.by_day ? readers.daily : readers.whole,
  })
  const begin = (part: Part): Promise<PageResponse> => {
    const first = coming.get(part) ?? pageOf(partQueryOf(part), { page: 1 }, stoppable)
    // It may fail before it is awaited.
    first.catch(() => {})
    coming.set(part, first)
    return first
  }
  const isWorthNarrowing = ({ is_truncated, page_info }: PageResponse) =>
    is_truncated || page_info.total_page * parts.length > MANY_PAGES

  return {
    async *rowsOf(part: Part): AsyncGenerator<Page> {
      if (mayNarrow && isWorthNarrowing(await begin(part))) {
        narrowing = await narrowingOf({ account: query.account, filters }, stoppable)
        mayNarrow = false
        if (narrowing) coming.clear()
      }
      if (narrowing?.ids.length === 0) return
      const first = begin(part)
      const next = parts[parts.indexOf(part) + 1]
      if (next) begin(next)
      yield* rowsOf(partQueryOf(part), first, stoppable)
      coming.delete(part)
    },
    narrowing: () => narrowing,
    /** Cancels what is still under way. */
    stop: () => stopping.abort(),
  }
}

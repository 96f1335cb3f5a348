import { PlatformFailure, type Page } from '#server/connectors/connector.ts'
import { RecoverableFailure } from '#server/connectors/kit/failures.ts'
import type { RowReader } from '#server/connectors/kit/byte-rows.ts'
import { activeRows } from '#server/connectors/kit/delivery.ts'
import { pagesFrom } from '#server/connectors/kit/read-ahead.ts'
import { withRestarts } from '#server/connectors/kit/restarts.ts'
import { createRowTracker } from '#server/connectors/kit/row-tracker.ts'
import { pickRows } from '#server/connectors/page-rows.ts'
import { callApi } from './client.ts'
import { columnsOf, deliveryOf } from './columns.ts'
import { inList, paramsOf, type ReportQuery, type Narrowing } from './query.ts'
import type { Part } from './ranges.ts'
import { ReportPage, type TikTokIo } from './schema.ts'

/** More ids than a synchronous report has: only the newest are in it. */
export class TooManyIds extends Error {}

export interface PageResponse extends ReportPage {
  is_truncated: boolean
}

export interface PartQuery {
  query: ReportQuery
  part: Part
  narrowing: Narrowing | null
  reader: RowReader
}

const PAGE_ROWS = 1000

/**
 * One page of a synchronous report, of all entities whatever their status: by default TikTok leaves deleted
 * ones out.
 */
export async function pageOf(
  { query, part, narrowing, reader }: PartQuery,
  { page, page_size = PAGE_ROWS }: { page: number; page_size?: number },
  io: TikTokIo,
): Promise<PageResponse> {
  const { level } = query.spec
  const filtering = [
    ...(level === 'advertiser' ? [] : [inList(`${level}_status`, ['STATUS_ALL'])]),
    ...(narrowing ? [inList(narrowing.field, narrowing.ids)] : []),
  ]
  const params = {
    ...paramsOf(query, part),
    ...(filtering.length > 0 && { filtering }),
    page,
    page_size,
  }
  const call = { path: 'report/integrated/get/', params, account: query.account, rows: reader }
  const { data, is_truncated, shortfall } = await callApi(call, ReportPage, io)
  if (shortfall !== null) io.note({ code: 'partial_answer', detail: { account: query.account } })
  return { ...data, is_truncated }
}

/**
 * The rows of one call, each once. There are no cursors, and the list may move between two pages: when a
 * row comes twice, or not as many come as TikTok counts, the pages are read again from the first. Throws
 * TooManyIds before the first row.
 */
export async function* rowsOf(
  partQuery: PartQuery,
  first: Promise<PageResponse>,
  io: TikTokIo,
): AsyncGenerator<Page> {
  const { query, part, reader } = partQuery
  const tracker = createRowTracker(part.dates)
  let passes = 0
  yield* withRestarts(async function* () {
    passes += 1
    const isFirstPass = passes === 1
    const check = tracker.startPass()
    const pages = responsesFrom(isFirstPass ? first : pageOf(partQuery, { page: 1 }, io), partQuery, io)
    let rows = 0
    let total = 0
    for await (const { list, page_info, is_truncated } of pages) {
      if (is_truncated && isFirstPass && rows === 0) throw new TooManyIds()
      if (is_truncated) throw new PlatformFailure('platform_error', { platform_message: MOVED })
      const read = reader.rowsOf(list)
      const page = columnsOf(read, query.spec, { by_day: part.by_day, dates: tracker.starts })
      const fresh = check(page)
      rows += page.length
      total = page_info.total_number
      const newRows = activeRows(fresh.rows, [...page.metrics, ...deliveryOf(read)])
      if (newRows.length > 0) yield pickRows(page, newRows)
      if (fresh.repeats) throw new RecoverableFailure('restart_paging', { platform_message: MOVED })
    }
    if (rows !== total) throw new RecoverableFailure('restart_paging', { platform_message: MOVED })
  })
}

const MOVED = 'the list moved while it was read'

/** A page and those after it. */
function responsesFrom(
  first: Promise<PageResponse>,
  partQuery: PartQuery,
  io: TikTokIo,
): AsyncGenerator<PageResponse> {
  let page = 1
  return pagesFrom(first, ({ list, page_info, is_truncated }) => {
    const isLast = page >= page_info.total_page || list.length === 0
    if (isLast || is_truncated) return null
    page += 1
    return pageOf(partQuery, { page }, io)
  })
}

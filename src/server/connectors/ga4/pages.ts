import type { Page } from '#server/connectors/connector.ts'
import type { RowReader } from '#server/connectors/kit/byte-rows.ts'
import { RecoverableFailure, unreadable } from '#server/connectors/kit/failures.ts'
import { readAhead } from '#server/connectors/kit/read-ahead.ts'
import { createRowTracker, keepNewRows } from '#server/connectors/kit/row-tracker.ts'
import { callReport } from './client.ts'
import { columnsOf, readerOf, type ColumnSpec } from './columns.ts'
import type { FilterExpression } from './filters.ts'
import { noteLimits } from './notes.ts'
import type { Ga4Io, ReportResponse } from './schema.ts'

/** One request, whatever the page. */
export interface ReportQuery {
  property: string
  spec: ColumnSpec
  /** GA4's names of the metrics. */
  fields: string[]
  filter: FilterExpression | null
  /** Longer than a month: instead of an estimate, its months are requested. */
  is_long: boolean
}

/** Documented are 250,000 at most. A page of these takes 20 MB on average, and a run with it 340 in all. */
const PAGE_ROWS = 50_000
/** More rows than any table takes, even where Google gives shorter pages. */
const MOST_PAGES = 1000

/** Whether GA4 withholds rows with few people from this response: then one that is missing is not a zero. */
export type Sheet = Page & { is_thresholded: boolean }

/**
 * The rows of one query, page by page. GA4 computes the report anew for each page: when it has grown
 * meanwhile, pages overlap or leave rows out, so that it is read once more from the start. What is still
 * growing then is taken as it is.
 */
export async function* sheetsOf(query: ReportQuery, io: Ga4Io): AsyncGenerator<Sheet> {
  const tracker = createRowTracker(query.spec.times.dates)
  const rows = readerOf(query.spec, query.fields)
  let hasYielded = false
  for (const isLastPass of [false, true]) {
    const pass = { has_moved: false, has_grown: false, is_one_page: false }
    const check = tracker.startPass()
    for await (const response of responsesTo({ query, rows }, io, pass)) {
      if (query.is_long && !hasYielded && response.metadata.samplingMetadatas.length > 0)
        throw new RecoverableFailure('single_months', { platform_message: 'an estimate' })
      noteLimits(response.metadata, io)
      const page = columnsOf(response, query.spec)
      const { fresh, repeats } =
        pass.is_one_page && !isLastPass ? { fresh: page, repeats: false } : keepNewRows(page, check)
      if (repeats) pass.has_moved = true
      if (fresh.length > 0) yield { ...fresh, is_thresholded: response.metadata.subjectToThresholding }
      hasYielded = true
      if (pass.has_moved && !isLastPass) break
    }
    if (!pass.has_moved) return
    if (isLastPass && !pass.has_grown) throw unreadable('rows that do not make up their count')
  }
}

interface Pass {
  /** The pages are not of one report. */
  has_moved: boolean
  /** Their count says so itself. */
  has_grown: boolean
  is_one_page: boolean
}

function responsesTo(
  { query, rows: reader }: { query: ReportQuery; rows: RowReader },
  io: Ga4Io,
  pass: Pass,
): AsyncGenerator<ReportResponse> {
  let pages = 0
  let offset = 0
  let firstCount: number | null = null
  return readAhead(io, context => {
    const pageAt = (start: number) =>
      callReport({ property: query.property, body: bodyOf(query, start), rows: reader }, context)
    return {
      first: () => pageAt(0),
      next({ rows, rowCount }: ReportResponse) {
        pages += 1
        if (pages > MOST_PAGES) throw unreadable('pages without end')
        firstCount ??= rowCount
        offset += rows.length
        // A page may be shorter than the limit: Google caps it silently.
        const isLast = rows.length === 0 || offset >= rowCount
        pass.is_one_page = isLast && rows.length === offset && offset === firstCount
        if (rowCount !== firstCount) pass.has_grown = true
        if (pass.has_grown || (isLast && offset !== firstCount)) pass.has_moved = true
        return isLast ? null : pageAt(offset)
      },
    }
  })
}

/** Offsets mean something under a full ordering only: by every dimension, time first. */
function bodyOf({ spec, fields, filter }: ReportQuery, offset: number): object {
  const dimensions = [...spec.times.fields, ...spec.dimensions]
  const { start, end } = spec.times.range
  return {
    dateRanges: [{ startDate: start, endDate: end }],
    dimensions: dimensions.map(name => ({ name })),
    metrics: fields.map(name => ({ name })),
    ...(filter && { dimensionFilter: filter }),
    orderBys: dimensions.map(dimensionName => ({
      dimension: { dimensionName, orderType: 'ALPHANUMERIC' },
    })),
    offset: String(offset),
    limit: String(PAGE_ROWS),
    keepEmptyRows: false,
  }
}

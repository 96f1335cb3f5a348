import { filterFields, type Filter, type PlatformDimension } from '#shared/channels/catalogue.ts'
import { yg } from '#shared/channels/yg.ts'
import { PlatformFailure, type ReportRequest } from '#server/connectors/connector.ts'
import { actionsOf } from '#server/connectors/kit/actions.ts'
import { longestPart } from '#server/connectors/kit/plain-part.ts'
import { slicesOf, type Slice } from '#server/connectors/kit/slices.ts'
import { refuseActions, refuseBefore, todayAt } from '#server/connectors/kit/unsupported.ts'
import {
  CONVERSION_NAME,
  conversionsByName,
  fieldsAt,
  keywordSettings,
  lyDimensions,
  reachMetrics,
  type FetchedMetric,
} from '#server/connectors/yahoo/fields.ts'
import { intervalOf, partsOf, startReader, type Interval } from '#server/connectors/yahoo/ranges.ts'
import { productOf } from './accounts.ts'
import { reachWindows } from './reach.ts'
import type { Definition } from './jobs.ts'

/** A report to request, and how its rows are read. */
export interface Part extends Definition {
  /** Metrics in the order of their columns, which follow those of the dimensions. */
  metrics: readonly FetchedMetric[]
  is_dated: boolean
  /**
   * The first day of the slice that a row is about, from its cell of days; null when it is about none that
   * was requested.
   */
  startOf: (cell: string) => string | null
}

/**
 * What a request comes to at LY: reports whose rows are its rows, and reports that add numbers to these rows.
 */
export interface ReportQuery {
  main: Part[]
  /** By their metrics: people are counted in reports of their own, and so are the settings of keywords. */
  sides: { metrics: readonly FetchedMetric[]; parts: Part[] }[]
  /** Slices whose reach LY does not have. */
  without_reach: Slice[]
}

/**
 * Search reports go back eleven years. How far display reports do LY does not say, but it refuses what is
 * older.
 */
const SEARCH_MONTHS = yg.history_months
export const TIME_ZONE = 'Asia/Tokyo'
const DATED: Record<Interval, string | null> = { total: null, date: 'DAY', week: 'WEEK', month: 'MONTH' }

export function queryOf(request: ReportRequest, now: Date): ReportQuery {
  const provider = productOf(request.account)
  const today = todayAt({ timezone: TIME_ZONE }, now)
  refuseActions(request, yg)
  // Both, whichever is requested: a row is there if it has either.
  const fields = actionsOf(request) === null ? fieldsAt(provider, request) : conversionsByName
  refuseDimensions(request)
  if (provider === 'ly_search') refuseBefore(today.subtract({ months: SEARCH_MONTHS }), request.range)
  const ranges = partsOf(request, today)
  // For days to come nothing is requested at all.
  const people = ranges.length > 0 ? fields.filter(({ metric }) => reachMetrics.has(metric)) : []
  const settings = fields.filter(({ metric }) => keywordSettings.has(metric))
  const numbers = fields.filter(each => !people.includes(each) && !settings.includes(each))
  const interval = intervalOf(request.time)
  const inRange = (part: Slice, columns: Columns): Part => {
    const read = startReader(part, interval)
    return {
      ...columnsOf(request, columns, DATED[interval]),
      operand: operandOf(request, columns, { dated: DATED[interval], days: customDays(part) }),
      actions: actionsOf(request),
      startOf: interval === 'total' ? () => part.start : read,
    }
  }
  const reach = reachOf(request, people, today)
  return {
    main: ranges.map(part => inRange(part, numbers)),
    sides: [
      ...(people.length > 0 ? [{ metrics: metricsOf(people), parts: reach.parts }] : []),
      ...(settings.length > 0
        ? [{ metrics: metricsOf(settings), parts: ranges.map(part => inRange(part, settings)) }]
        : []),
    ],
    without_reach: reach.missing,
  }
}

type Columns = readonly { metric: FetchedMetric; field: string }[]

const metricsOf = (columns: Columns) => columns.map(({ metric }) => metric)

function refuseDimensions({ account, dimensions }: ReportRequest): void {
  for (const dimension of dimensions) columnsFor(dimension)
  const isForeign = dimensions.includes('keyword') && account.provider !== 'ly_search'
  if (isForeign || (dimensions.includes('keyword') && dimensions.includes('ad')))
    throw new PlatformFailure('combination_not_allowed', { platform_message: 'keyword' })
}

function columnsFor(dimension: PlatformDimension): readonly string[] {
  const known: Partial<Record<PlatformDimension, readonly string[]>> = lyDimensions
  const columns = known[dimension]
  if (!columns) throw new PlatformFailure('combination_not_allowed', { platform_message: dimension })
  return columns
}

/** The account comes first: its cell says whether a row is one, the row of totals, or no data. */
function columnsOf(request: ReportRequest, columns: Columns, dated: string | null) {
  const numbers = columns.length > 0 ? columns.map(({ field }) => field) : ['IMPS']
  const fields = [
    'ACCOUNT_ID',
    ...(dated === null ? [] : [dated]),
    ...request.dimensions.flatMap(columnsFor),
    ...(actionsOf(request) === null ? [] : [CONVERSION_NAME]),
    ...numbers,
  ]
  return { fields, metrics: metricsOf(columns), is_dated: dated !== null }
}

const OPTIONS = {
  reportName: 'sheetcast',
  // Labels and the header are Japanese otherwise, decimals rounded.
  reportLanguage: 'EN',
  reportDownloadFormat: 'CSV',
  reportDownloadEncode: 'UTF8',
  reportCompressType: 'NONE',
  reportIncludeDeleted: 'TRUE',
  reportSkipColumnHeader: 'FALSE',
  reportSkipReportSummary: 'FALSE',
  reportDecimalPartDisplayType: 'FULL_DISPLAY',
}

interface Days {
  reportDateRangeType: string
  dateRange?: { startDate: string; endDate: string }
}

const customDays = ({ start, end }: Slice): Days => ({
  reportDateRangeType: 'CUSTOM_DATE',
  dateRange: { startDate: start.replaceAll('-', ''), endDate: end.replaceAll('-', '') },
})

function operandOf(
  request: ReportRequest,
  columns: Columns,
  { dated, days, reach }: { dated: string | null; days: Days; reach?: { frequencyRange: string } },
): Record<string, unknown> {
  const { account, dimensions, filters } = request
  const reportType =
    account.provider === 'ly_search' ? searchType(dimensions) : reach === undefined ? 'AD' : 'REACH'
  const sent = filters.flatMap(filter => conditionOf(filter, dimensions) ?? []).slice(0, MOST_FILTERS)
  return {
    ...OPTIONS,
    ...(account.provider === 'ly_search'
      ? { reportType }
      : { reportTypeCondition: { reportType, ...(reach && { reachReportCondition: reach }) } }),
    ...days,
    fields: columnsOf(request, columns, dated).fields,
    ...(sent.length > 0 && { filters: sent }),
  }
}

/** The report of the finest dimension. */
function searchType(dimensions: readonly PlatformDimension[]): string {
  if (dimensions.includes('keyword')) return 'KEYWORDS'
  if (dimensions.includes('ad')) return 'AD'
  if (dimensions.includes('ad_group')) return 'ADGROUP'
  return dimensions.includes('campaign') ? 'CAMPAIGN' : 'ACCOUNT'
}

const MOST_FILTERS = 6

/** A filter as far as LY can apply it without losing a row that ours would keep. */
function conditionOf({ field, rule, values }: Filter, dimensions: readonly PlatformDimension[]) {
  const { of } = filterFields[field]
  const [value, ...others] = values
  // Devices are called otherwise here. Several values are ORed, which LY knows for equal texts only.
  if (of === 'account' || of === 'device_type' || !dimensions.includes(of)) return null
  if (rule === 'NOT_CONTAINS' || value === undefined || others.length > 0) return null
  const part = longestPart(value, PLAIN)
  return part === '' ? null : { field: columnsFor(of).at(-1), filterOperator: 'CONTAINS', values: [part] }
}

/**
 * How LY treats case, width, composed letters and wildcards is not documented, and ours ignores case alone;
 * Han, ASCII digits and hyphens have none of these.
 */
const PLAIN = /[\p{Script=Han}0-9\-]+/gv

function reachOf(request: ReportRequest, columns: Columns, today: Temporal.PlainDate) {
  if (columns.length === 0) return { parts: [], missing: [] }
  const { windows, missing } = reachWindows(slicesOf(request.range, request.time), today)
  if (windows.length === 0) {
    const platform_message =
      'reach is told for single days since the start of last month, last week and last month'
    throw new PlatformFailure('history_limit', { platform_message })
  }
  const parts = windows.map(({ named, slices, is_daily, frequencyRange }): Part => {
    const dated = is_daily ? 'DAY' : null
    const starts = new Set(slices.map(({ start }) => start))
    const days = { reportDateRangeType: named.name }
    const read = startReader(named, 'date')
    const dayOf = (cell: string) => (starts.has(read(cell)) ? read(cell) : null)
    return {
      ...columnsOf(request, columns, dated),
      actions: null,
      operand: operandOf(request, columns, { dated, days, reach: { frequencyRange } }),
      startOf: is_daily ? dayOf : () => named.start,
    }
  })
  return { parts, missing }
}

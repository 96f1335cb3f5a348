import { z } from 'zod'
import { dayOf, isoOf } from '#sandbox/dataset/calendar.ts'
import type { View } from '#sandbox/dataset/universal-analytics.ts'
import { invalid, neverTogether } from './errors.ts'
import { type Expression, readExpression } from './expression.ts'
import { DIMENSIONS, METRICS, type MetricType, windowOf } from './fields.ts'

// The body of reports:batchGet, and everything for which it is refused.

const Range = z.strictObject({ startDate: z.string(), endDate: z.string() })
const DimensionFilter = z.strictObject({
  dimensionName: z.string(),
  not: z.boolean().default(false),
  operator: z
    .enum([
      'OPERATOR_UNSPECIFIED',
      'REGEXP',
      'BEGINS_WITH',
      'ENDS_WITH',
      'PARTIAL',
      'EXACT',
      'NUMERIC_EQUAL',
      'NUMERIC_GREATER_THAN',
      'NUMERIC_LESS_THAN',
      'IN_LIST',
    ])
    .default('REGEXP'),
  expressions: z.array(z.string()),
  caseSensitive: z.boolean().default(false),
})
const MetricFilter = z.strictObject({
  metricName: z.string(),
  not: z.boolean().default(false),
  operator: z.enum(['EQUAL', 'LESS_THAN', 'GREATER_THAN', 'IS_MISSING']).default('EQUAL'),
  comparisonValue: z.string().default('0'),
})
const ReportRequest = z.strictObject({
  viewId: z.string(),
  dateRanges: z.array(Range).default([{ startDate: '7daysAgo', endDate: 'yesterday' }]),
  dimensions: z.array(z.strictObject({ name: z.string() })).default([]),
  metrics: z
    .array(
      z.strictObject({
        expression: z.string(),
        alias: z.string().optional(),
        formattingType: z.enum(['INTEGER', 'FLOAT', 'CURRENCY', 'PERCENT', 'TIME']).optional(),
      }),
    )
    .default([]),
  dimensionFilterClauses: z
    .array(
      z.strictObject({ operator: z.enum(['AND', 'OR']).default('OR'), filters: z.array(DimensionFilter) }),
    )
    .default([]),
  metricFilterClauses: z
    .array(z.strictObject({ operator: z.enum(['AND', 'OR']).default('OR'), filters: z.array(MetricFilter) }))
    .default([]),
  orderBys: z
    .array(
      z.strictObject({
        fieldName: z.string(),
        orderType: z.enum(['VALUE', 'DIMENSION_AS_INTEGER']).default('VALUE'),
        sortOrder: z.enum(['ASCENDING', 'DESCENDING']).default('ASCENDING'),
      }),
    )
    .default([]),
  samplingLevel: z.enum(['SAMPLING_UNSPECIFIED', 'DEFAULT', 'SMALL', 'LARGE']).default('DEFAULT'),
  includeEmptyRows: z.boolean().default(false),
  hideTotals: z.boolean().default(false),
  hideValueRanges: z.boolean().default(false),
  pageSize: z.int().min(1).default(1000),
  pageToken: z.string().optional(),
})
const Batch = z.strictObject({
  reportRequests: z.array(ReportRequest),
  useResourceQuotas: z.boolean().default(false),
})
type ReportBody = z.infer<typeof ReportRequest>

export interface Metric {
  name: string
  type: MetricType
  expression: Expression
}

export type DimensionFilter = z.infer<typeof DimensionFilter> & { test(value: string): boolean }

export interface Query {
  view: View
  ranges: { first: number; last: number }[]
  dimensions: string[]
  metrics: Metric[]
  /** All clauses must hold; within a clause all or any. */
  clauses: { all: boolean; filters: DimensionFilter[] }[]
  metric_clauses: { all: boolean; filters: { metric: string; test(value: number): boolean }[] }[]
  order: { field: string; as_integer: boolean; descending: boolean }[]
  sampling: 'DEFAULT' | 'SMALL' | 'LARGE'
  include_empty_rows: boolean
  hide_totals: boolean
  hide_ranges: boolean
  page: { from: number; size: number }
}

const MOST_REQUESTS = 5
const MOST_DIMENSIONS = 9
const MOST_METRICS = 10
const MOST_RANGES = 2
const MOST_ROWS = 100_000
const LONGEST_PATTERN = 128
const EARLIEST = '2005-01-01'

/**
 * The requests of a batch. `viewOf` refuses views that the caller may not read; `today` is that of the view.
 */
export function readBatch(
  body: unknown,
  { viewOf, today }: { viewOf: (id: string) => View; today: (view: View) => number },
): Query[] {
  const parsed = Batch.safeParse(body)
  if (!parsed.success) throw invalid(parsed.error.issues.map(payloadMessage).join('\n'))
  const { reportRequests: requests } = parsed.data
  if (requests.length === 0) throw invalid('There must be at least one request.')
  if (requests.length > MOST_REQUESTS)
    throw invalid(`There are too many requests in the batch request. The max allowed is ${MOST_REQUESTS}`)
  const shared = ({ viewId, dateRanges, samplingLevel }: ReportBody) =>
    JSON.stringify([viewId, dateRanges, samplingLevel])
  const [first] = requests
  if (first && requests.some(request => shared(request) !== shared(first)))
    throw invalid(
      'All requests in a batch must have the same viewId, dateRanges, samplingLevel and segments.',
    )
  return requests.map(request => readRequest(request, { viewOf, today }))
}

function payloadMessage({ code, path, message, ...issue }: z.core.$ZodIssue): string {
  const at = path
    .map(part =>
      typeof part === 'number'
        ? `[${part}]`
        : `.${String(part).replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)}`,
    )
    .join('')
    .replace(/^\./, '')
  if (code !== 'unrecognized_keys' || !('keys' in issue)) return `Invalid value at '${at}': ${message}`
  const where = at === '' ? '' : ` at '${at}'`
  return `Invalid JSON payload received. Unknown name "${String(issue.keys)}"${where}: Cannot find field.`
}

function readRequest(
  query: ReportBody,
  { viewOf, today }: { viewOf: (id: string) => View; today: (view: View) => number },
): Query {
  const view = viewOf(query.viewId)
  const dimensions = query.dimensions.map(({ name }) => name)
  refuseUnknownDimensions([
    ...dimensions,
    ...query.dimensionFilterClauses.flatMap(({ filters }) => filters.map(each => each.dimensionName)),
  ])
  const metrics = readMetrics(query)
  if (dimensions.length > MOST_DIMENSIONS)
    throw invalid(`Requests are limited to ${MOST_DIMENSIONS} dimensions.`)
  if (new Set(dimensions).size < dimensions.length) throw invalid('Duplicate dimensions are not allowed.')
  refuseTogether(query, dimensions, metrics)
  const from = query.pageToken === undefined ? 0 : Number(query.pageToken)
  if (!/^\d+$/.test(query.pageToken ?? '0')) throw invalid('Invalid pageToken.')
  if (query.pageSize > MOST_ROWS) throw invalid(`pageSize must be at most ${MOST_ROWS}.`)
  const fields = new Set([...dimensions, ...metrics.map(({ name }) => name)])
  const unlisted = query.orderBys.find(({ fieldName }) => !fields.has(fieldName))
  if (unlisted) throw invalid(`Invalid orderBy field: ${unlisted.fieldName}. It must be requested.`)
  return {
    view,
    ranges: readRanges(query, today(view)),
    dimensions,
    metrics,
    clauses: query.dimensionFilterClauses.map(({ operator, filters }) => ({
      all: operator === 'AND',
      filters: filters.map(filter => ({ ...filter, test: testOf(filter) })),
    })),
    metric_clauses: readMetricClauses(query, metrics),
    order: query.orderBys.map(({ fieldName, orderType, sortOrder }) => ({
      field: fieldName,
      as_integer: orderType === 'DIMENSION_AS_INTEGER',
      descending: sortOrder === 'DESCENDING',
    })),
    sampling: query.samplingLevel === 'SAMPLING_UNSPECIFIED' ? 'DEFAULT' : query.samplingLevel,
    include_empty_rows: query.includeEmptyRows,
    hide_totals: query.hideTotals,
    hide_ranges: query.hideValueRanges,
    page: { from, size: query.pageSize },
  }
}

const SEE = 'For details see https://developers.google.com/analytics/devguides/reporting/core/dimsmets.'

function refuseUnknownDimensions(names: string[]): void {
  const unknown = names.filter(name => !Object.hasOwn(DIMENSIONS, name))
  if (unknown.length > 0) throw invalid(`Unknown dimension(s): ${unknown.join(', ')}\n${SEE}`)
}

function readMetrics(query: ReportBody): Metric[] {
  if (query.metrics.length === 0) throw invalid('At least one metric is required.')
  if (query.metrics.length > MOST_METRICS) throw invalid(`Requests are limited to ${MOST_METRICS} metrics.`)
  const metrics = query.metrics.map(({ expression: text, alias, formattingType }) => {
    const expression = readExpression(text)
    const unknown = expression.metrics.filter(name => !Object.hasOwn(METRICS, name))
    if (unknown.length > 0) throw invalid(`Unknown metric(s): ${unknown.join(', ')}\n${SEE}`)
    const [only = ''] = expression.metrics
    const usual = expression.is_plain ? METRICS[only]?.type : undefined
    return { name: alias ?? text, type: formattingType ?? usual ?? 'FLOAT', expression }
  })
  const names = metrics.map(({ name }) => name)
  if (new Set(names).size < names.length) throw invalid('Duplicate metrics are not allowed.')
  return metrics
}

function refuseTogether(query: ReportBody, dimensions: string[], metrics: Metric[]): void {
  const used = metrics.flatMap(({ expression }) => expression.metrics)
  const kinds = new Set(used.map(name => METRICS[name]?.kind))
  const filtered = query.dimensionFilterClauses.flatMap(({ filters }) =>
    filters.map(({ dimensionName }) => dimensionName),
  )
  const touched = new Set([...dimensions, ...filtered].map(name => DIMENSIONS[name]?.kind))
  const windows = new Set(used.filter(name => windowOf(name) !== null))
  const wrong =
    (kinds.has('item') && (kinds.has('ads') || kinds.has('event'))) ||
    (touched.has('event') && (kinds.has('ads') || kinds.has('item') || touched.has('ads'))) ||
    windows.size > 1 ||
    (windows.size === 1 &&
      (!dimensions.includes('ga:date') ||
        used.some(name => windowOf(name) === null && METRICS[name]?.kind === 'users')))
  if (wrong) throw neverTogether()
}

function readRanges({ dateRanges }: ReportBody, today: number): Query['ranges'] {
  if (dateRanges.length === 0 || dateRanges.length > MOST_RANGES)
    throw invalid(`There must be 1 to ${MOST_RANGES} date ranges.`)
  return dateRanges.map(({ startDate, endDate }) => {
    const [first, last] = [readDay(startDate, today), readDay(endDate, today)]
    if (isoOf(first) < EARLIEST)
      throw invalid(`Invalid startDate: ${startDate}. The earliest date is ${EARLIEST}.`)
    if (first > last) throw invalid('The start date cannot be after the end date.')
    return { first, last }
  })
}

function readDay(text: string, today: number): number {
  if (text === 'today') return today
  if (text === 'yesterday') return today - 1
  const ago = /^(\d+)daysAgo$/.exec(text)?.[1]
  const day = ago === undefined ? dayOf(text) : today - Number(ago)
  if (day === null)
    throw invalid(`Invalid date: ${text}. Dates must be YYYY-MM-DD, NdaysAgo, yesterday or today.`)
  return day
}

function testOf({ operator, expressions, caseSensitive, not }: z.infer<typeof DimensionFilter>) {
  const [only = ''] = expressions
  if (expressions.length === 0) throw invalid('A dimension filter needs at least one expression.')
  if (operator !== 'IN_LIST' && expressions.length > 1)
    throw invalid(`Only one expression is allowed for the operator ${operator}.`)
  if (expressions.some(each => each.length > LONGEST_PATTERN))
    throw invalid(`A filter expression may have at most ${LONGEST_PATTERN} characters.`)
  const fold = (text: string) => (caseSensitive ? text : text.toLowerCase())
  const expected = fold(only)
  const holds = (value: string): boolean => {
    const text = fold(value)
    switch (operator) {
      case 'EXACT':
        return text === expected
      case 'BEGINS_WITH':
        return text.startsWith(expected)
      case 'ENDS_WITH':
        return text.endsWith(expected)
      case 'PARTIAL':
        return text.includes(expected)
      case 'IN_LIST':
        return expressions.some(each => fold(each) === text)
      case 'NUMERIC_EQUAL':
        return Number(value) === Number(only)
      case 'NUMERIC_GREATER_THAN':
        return Number(value) > Number(only)
      case 'NUMERIC_LESS_THAN':
        return Number(value) < Number(only)
      default:
        return pattern.test(value)
    }
  }
  const pattern =
    operator.includes('REGEXP') || operator === 'OPERATOR_UNSPECIFIED' ? patternOf(only, caseSensitive) : /$/
  return (value: string) => holds(value) !== not
}

function patternOf(text: string, mindsCase: boolean): RegExp {
  try {
    return new RegExp(text, mindsCase ? '' : 'i')
  } catch {
    throw invalid(`Invalid regular expression: ${text}`)
  }
}

function readMetricClauses(query: ReportBody, metrics: Metric[]): Query['metric_clauses'] {
  return query.metricFilterClauses.map(({ operator: how, filters }) => ({
    all: how === 'AND',
    filters: filters.map(({ metricName, operator, comparisonValue, not }) => {
      if (!metrics.some(({ name }) => name === metricName))
        throw invalid(`Invalid metric filter: ${metricName} must be requested.`)
      const limit = Number(comparisonValue)
      if (Number.isNaN(limit)) throw invalid(`Invalid comparisonValue: ${comparisonValue}`)
      const test = (value: number) => {
        if (operator === 'LESS_THAN') return value < limit !== not
        if (operator === 'GREATER_THAN') return value > limit !== not
        return (operator === 'IS_MISSING' ? value === 0 : value === limit) !== not
      }
      return { metric: metricName, test }
    }),
  }))
}

import { hashOf, mix } from '#sandbox/dataset/hash.ts'
import { invalid } from '#sandbox/ga4/errors.ts'
import type { OrderBy } from '#sandbox/ga4/request.ts'

export interface ReportRow {
  dimensions: string[]
  metrics: string[]
}

/**
 * Rows in the requested order. What that order leaves open is decided anew for every offset: so that only a
 * full ordering pages without losing rows, which is all that the platform promises.
 */
export function ordered(
  rows: ReportRow[],
  {
    orders,
    dimensions,
    metrics,
    offset,
  }: { orders: OrderBy[]; dimensions: string[]; metrics: string[]; offset: number },
): ReportRow[] {
  const comparisons = orders.map(order => comparisonOf(order, dimensions, metrics))
  const keyed = rows.map(row => ({ row, tie: mix(hashOf(row.dimensions.join('\u0000')), offset) }))
  keyed.sort((left, right) => {
    for (const compare of comparisons) {
      const difference = compare(left.row, right.row)
      if (difference !== 0) return difference
    }
    return left.tie - right.tie
  })
  return keyed.map(({ row }) => row)
}

type Comparison = (left: ReportRow, right: ReportRow) => number

function comparisonOf(
  { desc, dimension, metric }: OrderBy,
  dimensions: string[],
  metrics: string[],
): Comparison {
  const sign = desc ? -1 : 1
  if ((dimension === undefined) === (metric === undefined)) {
    throw invalid('An OrderBy must have exactly one of dimension and metric.')
  }
  if (metric) {
    const at = indexIn(metrics, metric.metricName)
    return (left, right) => sign * (Number(left.metrics[at]) - Number(right.metrics[at]))
  }
  const at = indexIn(dimensions, dimension?.dimensionName ?? '')
  const order = dimension?.orderType
  return (left, right) => {
    const [one, other] = [left.dimensions[at] ?? '', right.dimensions[at] ?? '']
    if (order === 'NUMERIC') return sign * ((Number(one) || 0) - (Number(other) || 0))
    const fold = (text: string) => (order === 'CASE_INSENSITIVE_ALPHANUMERIC' ? text.toLowerCase() : text)
    return sign * (fold(one) < fold(other) ? -1 : fold(one) > fold(other) ? 1 : 0)
  }
}

function indexIn(names: string[], name: string): number {
  const index = names.indexOf(name)
  if (index < 0)
    throw invalid(`The orderBy field ${name} is not in the request. Ordering is only by requested fields.`)
  return index
}

import type { Property } from '#sandbox/dataset/ga4.ts'
import { checkCompatible } from '#sandbox/ga4/compatibility.ts'
import { type Dimension, findDimension } from '#sandbox/ga4/dimensions.ts'
import { invalid } from '#sandbox/ga4/errors.ts'
import { type Test, testOf } from '#sandbox/ga4/filter.ts'
import { findMetric, type Metric } from '#sandbox/ga4/metrics.ts'
import type { FilterExpression } from '#sandbox/ga4/request.ts'

export interface Plan {
  dimensions: Dimension[]
  metrics: Metric[]
  filtered: Dimension[]
  test: Test | null
  metric_test: Test | null
}

export interface Combination {
  dimensions: readonly { name: string }[]
  metrics: readonly { name: string; expression?: string | undefined }[]
  dimensionFilter?: FilterExpression | null | undefined
  metricFilter?: FilterExpression | null | undefined
}

const SCHEMA = 'https://developers.google.com/analytics/devguides/reporting/data/v1/api-schema'

/** The fields of a request, known, few enough and compatible. */
export function planOf(request: Combination, property: Property | null): Plan {
  const { dimensions: requested, metrics: measured } = request
  const tooMany = (most: number, kind: string, count: number) =>
    invalid(`Requests are limited to ${most} ${kind}. This request had ${count} ${kind}.`)
  if (requested.length > 9) throw tooMany(9, 'dimensions', requested.length)
  if (measured.length > 10) throw tooMany(10, 'metrics', measured.length)
  const dimensions = requested.map(({ name }) => dimensionNamed(name, property))
  const metrics = measured.map(metricNamed)
  const filter = testOf(request.dimensionFilter)
  const filtered = (filter?.fields ?? []).map(name => dimensionNamed(name, property))
  const metric_filter = testOf(request.metricFilter)
  for (const name of metric_filter?.fields ?? []) {
    if (!metrics.some(metric => metric.name === name)) {
      throw invalid(`Field ${name} in the metricFilter must be one of the request's metrics.`)
    }
  }
  checkCompatible([...dimensions, ...filtered], metrics)
  return {
    dimensions,
    metrics,
    filtered,
    test: filter?.test ?? null,
    metric_test: metric_filter?.test ?? null,
  }
}

function dimensionNamed(name: string, property: Property | null): Dimension {
  const found = findDimension(name, property)
  if (found) return found
  throw invalid(
    `Field ${name} is not a valid dimension. For a list of valid dimensions and metrics, see ${SCHEMA} `,
  )
}

function metricNamed({ name, expression }: Combination['metrics'][number]): Metric {
  if (expression !== undefined) throw invalid(`The metric expression ${expression} is not supported.`)
  const found = findMetric(name)
  if (found) return found
  throw invalid(
    `Field ${name} is not a valid metric. For a list of valid dimensions and metrics, see ${SCHEMA} `,
  )
}

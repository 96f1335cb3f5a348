import type { Dimension } from './dimensions.ts'
import { invalid } from './errors.ts'
import type { Metric } from './metrics.ts'

/** Whether a dimension and a metric may be combined in one request, filters included. */
export function goTogether({ name, scope }: Dimension, metric: Metric): boolean {
  switch (metric.scope) {
    case 'plain':
      return scope !== 'item'
    case 'item':
      return true
    case 'ads':
      return scope === 'time' || scope === 'source'
    case 'rolling':
      return scope === 'time' || ROLLING.has(name)
    case 'organic':
      return scope === 'time' || ORGANIC.has(name)
  }
}

const ROLLING = new Set(['country', 'city', 'deviceCategory', 'newVsReturning'])
const ORGANIC = new Set(['landingPage', 'landingPagePlusQueryString', 'country', 'deviceCategory'])

/** Refuses a combination, naming what should be removed from it. */
export function checkCompatible(dimensions: readonly Dimension[], metrics: readonly Metric[]): void {
  const wrong = dimensions.find(dimension => metrics.some(metric => !goTogether(dimension, metric)))
  const odd = metrics.find(
    metric =>
      ['organic', 'rolling'].includes(metric.scope) &&
      metrics.some(({ scope }) => scope === 'ads' || scope === 'item'),
  )
  const name = wrong?.name ?? odd?.name
  if (name === undefined) return
  throw invalid(
    `Please remove ${name} to make the request compatible. The request's dimensions & metrics are incompatible. To learn more, see https://ga-dev-tools.web.app/ga4/dimensions-metrics-explorer/`,
  )
}

import type { Property } from '#sandbox/dataset/ga4.ts'
import { goTogether } from './compatibility.ts'
import { type Dimension, dimensionsOf } from './dimensions.ts'
import { listedMetrics, type Metric } from './metrics.ts'
import { planOf } from './report/plan.ts'
import type { readCheckCompatibility } from './request.ts'

/** GET /v1beta/properties/{id}/metadata; without a property the fields that all have. */
export function metadata(property: Property | null, restricted: boolean): object {
  return {
    name: `properties/${property?.property_id ?? 0}/metadata`,
    dimensions: dimensionsOf(property).map(dimensionMetadata),
    metrics: listedMetrics().map(metric => ({
      ...metricMetadata(metric),
      ...(restricted &&
        metric.restricted && {
          blockedReasons: [metric.restricted === 'COST_DATA' ? 'NO_COST_METRICS' : 'NO_REVENUE_METRICS'],
        }),
    })),
  }
}

const dimensionMetadata = ({ name, title, scope, is_custom }: Dimension) => ({
  apiName: name,
  uiName: title,
  description: `${title}.`,
  ...(is_custom && { customDefinition: true }),
  category: is_custom ? 'Custom' : (CATEGORIES[scope] ?? 'Other'),
})

const metricMetadata = ({ name, title, type, scope }: Metric) => ({
  apiName: name,
  uiName: title,
  description: `${title}.`,
  ...(name === 'keyEvents' && { deprecatedApiNames: ['conversions'] }),
  type,
  category: scope === 'ads' ? 'Advertising' : 'Other',
})

const CATEGORIES: Partial<Record<Dimension['scope'], string>> = {
  time: 'Time',
  source: 'Traffic source',
  user: 'User',
  event: 'Event',
  item: 'Ecommerce',
}

/** POST …:checkCompatibility: what may be added to a request, which must be compatible itself. */
export function compatibilityOf(
  request: ReturnType<typeof readCheckCompatibility>,
  property: Property,
): object {
  const { dimensions, metrics, filtered } = planOf(request, property)
  const word = (compatible: boolean) => (compatible ? 'COMPATIBLE' : 'INCOMPATIBLE')
  const isRequested = (compatible: boolean) =>
    request.compatibilityFilter === 'COMPATIBILITY_UNSPECIFIED' ||
    request.compatibilityFilter === word(compatible)
  const ofDimensions = dimensionsOf(property).map(dimension => ({
    dimensionMetadata: dimensionMetadata(dimension),
    is_compatible: metrics.every(metric => goTogether(dimension, metric)),
  }))
  const ofMetrics = listedMetrics().map(metric => ({
    metricMetadata: metricMetadata(metric),
    is_compatible: [...dimensions, ...filtered].every(dimension => goTogether(dimension, metric)),
  }))
  const withCompatibility = <T extends { is_compatible: boolean }>(list: T[]) =>
    list
      .filter(({ is_compatible }) => isRequested(is_compatible))
      .map(({ is_compatible, ...about }) => ({ ...about, compatibility: word(is_compatible) }))
  return {
    dimensionCompatibilities: withCompatibility(ofDimensions),
    metricCompatibilities: withCompatibility(ofMetrics),
  }
}

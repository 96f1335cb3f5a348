import { describe, expect, it } from 'vitest'
import { dimensionFields, isFetched, metricFields, type MetricField } from '#server/connectors/ga4/fields.ts'
import { dimensions, type Metric } from './catalogue.ts'
import { ga4 } from './ga4.ts'

const metrics: [string, Metric][] = Object.entries(ga4.metrics)
const metricNamed = (id: string) => metrics.find(([known]) => known === id)?.[1]

describe('the catalogue of GA4', () => {
  it('derives ratios from metrics that it sums', () => {
    const unknown = metrics
      .flatMap(([, metric]) =>
        metric.kind === 'derived' ? [metric.formula.numerator, metric.formula.denominator] : [],
      )
      .filter(part => metricNamed(part)?.kind !== 'additive')
    expect(unknown).toEqual([])
  })

  it('can be queried as a whole: every metric is fetched or derived', () => {
    const fetched = metrics.filter(([, metric]) => metric.kind !== 'derived').map(([id]) => id)
    expect(fetched.filter(id => !isFetched(id))).toEqual([])
    expect(Object.keys(metricFields).toSorted()).toEqual(fetched.toSorted())
  })

  it("says the platform's own field of each fetched metric", () => {
    const fields: [string, MetricField][] = Object.entries(metricFields)
    for (const [id, { field, less }] of fields) {
      const fieldName = less === undefined ? field : `${field} - ${less}`
      expect([id, metricNamed(id)?.platform_field]).toEqual([id, fieldName])
    }
  })

  it('can be queried by each of its dimensions', () => {
    const platform = ga4.dimensions.filter(each => ['entity', 'breakdown'].includes(dimensions[each].kind))
    expect(platform.toSorted()).toEqual(Object.keys(dimensionFields).toSorted())
  })

  it('never sums people, averages and shares', () => {
    const single = metrics.filter(([, metric]) => metric.kind === 'non_additive').map(([id]) => id)
    expect(single.toSorted()).toEqual(
      [
        'users',
        'active_users',
        'returning_users',
        'scrolled_users',
        'purchasers',
        'first_time_purchasers',
        'unique_events',
        'dau',
        'wau',
        'mau',
        'sessions_per_user',
        'event_count_per_user',
        'session_key_event_rate',
        'arpu',
        'avg_session_duration',
      ].toSorted(),
    )
  })

  it('has what the other channels have too', () => {
    const common = [
      'impressions',
      'clicks',
      'cost',
      'ctr',
      'cpc',
      'cpm',
      'cpa',
      'cvr',
      'roas',
      'conversions',
      'conversion_value',
      'sessions',
      'users',
      'new_users',
      'transactions',
      'revenue',
      'total_events',
      'unique_events',
      'event_value',
    ]
    expect(common.filter(id => metricNamed(id) === undefined)).toEqual([])
  })

  it('offers the usual metrics that it has', () => {
    expect(ga4.usual_metrics.filter(id => metricNamed(id) === undefined)).toEqual([])
  })
})

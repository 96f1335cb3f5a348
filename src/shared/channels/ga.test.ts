import { describe, expect, it } from 'vitest'
import { dimensionFields, isFetched } from '#server/connectors/universal-analytics/fields.ts'
import { dimensions } from './catalogue.ts'
import { ga } from './ga.ts'
import { ga_event } from './ga_event.ts'

describe.each([
  ['ga', ga],
  ['ga_event', ga_event],
])('the catalogue of %s', (channel, catalogue) => {
  const metrics = Object.entries(catalogue.metrics)

  it('derives ratios from metrics that it has', () => {
    const parts = metrics.flatMap(([, metric]) =>
      metric.kind === 'derived' ? [metric.formula.numerator, metric.formula.denominator] : [],
    )
    expect(parts.length).toBeGreaterThan(0)
    expect(parts.filter(part => !Object.hasOwn(catalogue.metrics, part) || !isFetched(part))).toEqual([])
  })

  it('can be queried as a whole: every metric is fetched or derived, under a name of its own', () => {
    const fetched = metrics.filter(([, { kind }]) => kind !== 'derived')
    expect(fetched.filter(([id]) => !isFetched(id))).toEqual([])
    expect(metrics.filter(([, { platform_field }]) => !/^ga:\w+$/.test(platform_field))).toEqual([])
    expect(new Set(metrics.map(([, { platform_field }]) => platform_field)).size).toBe(metrics.length)
  })

  it('can be queried by each of its dimensions', () => {
    const own = catalogue.dimensions.filter(each => ['entity', 'breakdown'].includes(dimensions[each].kind))
    const known = Object.keys(dimensionFields).filter(
      id => channel === 'ga_event' || !id.startsWith('event_'),
    )
    expect(own.toSorted()).toEqual(known.toSorted())
  })

  it('never sums people and what is counted once a session', () => {
    const single = metrics.filter(([, { kind }]) => kind === 'non_additive').map(([id]) => id)
    expect(single.toSorted()).toEqual(
      [
        'sessions_with_event',
        'unique_events',
        'users',
        ...(channel === 'ga' ? ['unique_pageviews'] : []),
      ].toSorted(),
    )
  })

  it('offers the usual metrics that it has', () => {
    expect(catalogue.usual_metrics.filter(id => !Object.hasOwn(catalogue.metrics, id))).toEqual([])
  })
})

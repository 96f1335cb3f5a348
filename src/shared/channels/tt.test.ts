import { describe, expect, it } from 'vitest'
import { dimensionFields, isFetched, metricFields, peopleMetrics } from '#server/connectors/tiktok/fields.ts'
import { dimensions } from './catalogue.ts'
import { metricIn } from '#shared/metrics.ts'
import { tt } from './tt.ts'

const metrics = Object.entries(tt.metrics)
const fetched = metrics.filter(([, metric]) => metric.kind !== 'derived').map(([id]) => id)

describe('the catalogue of TikTok ads', () => {
  it('can be queried as a whole: every metric is fetched or derived', () => {
    expect(fetched.filter(id => !isFetched(id))).toEqual([])
    expect(Object.keys(metricFields).toSorted()).toEqual(fetched.toSorted())
  })

  it("says the platform's own fields of each fetched metric", () => {
    for (const [id, fields] of Object.entries(metricFields)) {
      expect([id, metricIn(tt, id)?.platform_field]).toEqual([id, fields.join(' + ')])
    }
  })

  it('can be queried by each of its dimensions', () => {
    const platform = tt.dimensions.filter(each => ['entity', 'breakdown'].includes(dimensions[each].kind))
    expect(platform.toSorted()).toEqual(Object.keys(dimensionFields).toSorted())
  })

  it('never sums people, averages and what counts people at times', () => {
    const single = metrics.filter(([, metric]) => metric.kind === 'non_additive').map(([id]) => id)
    expect(single.toSorted()).toEqual([
      'avg_play_time',
      'avg_play_time_per_user',
      'cost_per_1000_reached',
      'frequency',
      'reach',
      'results',
      'unique_app_registrations',
    ])
    expect([...peopleMetrics].filter(id => !single.includes(id))).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { dimensionFields, isFetched, metricFields, rankings } from '#server/connectors/meta/fields.ts'
import { dimensions, type ChannelCatalogue } from './catalogue.ts'
import { fb as catalogue } from './fb.ts'

const fb: ChannelCatalogue = catalogue
const metrics = Object.entries(fb.metrics)

describe('the catalogue of Meta ads', () => {
  it('derives ratios from metrics that it has', () => {
    const unknown = metrics
      .flatMap(([, metric]) =>
        metric.kind === 'derived' ? [metric.formula.numerator, metric.formula.denominator] : [],
      )
      .filter(part => fb.metrics[part]?.kind !== 'additive')
    expect(unknown).toEqual([])
  })

  it('can be queried as a whole: every metric is fetched or derived', () => {
    const fetched = metrics.filter(([, metric]) => metric.kind !== 'derived').map(([id]) => id)
    expect(fetched.filter(id => !isFetched(id))).toEqual([])
    expect(Object.keys(metricFields).toSorted()).toEqual(fetched.toSorted())
  })

  it("says the platform's own field of each fetched metric", () => {
    for (const [id, source] of Object.entries(metricFields)) {
      const name = source.read === 'list' ? `${source.field}:${source.action_type}` : source.field
      expect([id, fb.metrics[id]?.platform_field]).toEqual([id, name])
    }
  })

  it('can be queried by each of its dimensions', () => {
    const platform = fb.dimensions.filter(each => ['entity', 'breakdown'].includes(dimensions[each].kind))
    expect(platform.toSorted()).toEqual(Object.keys(dimensionFields).toSorted())
  })

  it('never sums people, averages and rankings', () => {
    const single = metrics.filter(([, metric]) => metric.kind === 'non_additive').map(([id]) => id)
    expect(single.toSorted()).toEqual(
      [
        'conversion_rate_ranking',
        'cpp',
        'engagement_rate_ranking',
        'frequency',
        'quality_ranking',
        'reach',
        'results',
        'unique_clicks',
        'unique_link_clicks',
        'video_avg_time',
      ].toSorted(),
    )
  })

  it('has a text for each rank, and texts for nothing else', () => {
    for (const [, metric] of metrics) {
      expect(metric.texts?.length ?? 0).toBe(metric.unit === 'text' ? rankings.length : 0)
    }
  })

  it('offers the usual metrics that it has', () => {
    expect(fb.usual_metrics.filter(id => !Object.hasOwn(fb.metrics, id))).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import {
  dspDimensions,
  lyDimensions,
  metricFields,
  type MetricFields,
} from '#server/connectors/yahoo/fields.ts'
import { dimensions, type ChannelCatalogue } from './catalogue.ts'
import { yg as catalogue } from './yg.ts'

const yg: ChannelCatalogue = catalogue
const metrics = Object.entries(yg.metrics)
const fields = Object.entries<MetricFields>(metricFields)

describe('the catalogue of Yahoo ads', () => {
  it('derives ratios from metrics that it has, and that the same products have', () => {
    for (const [id, metric] of metrics) {
      if (metric.kind !== 'derived') continue
      const parts = [yg.metrics[metric.formula.numerator], yg.metrics[metric.formula.denominator]]
      expect([id, parts.map(part => part?.kind)]).toEqual([id, ['additive', 'additive']])
      const own = metric.providers ?? ['ly_search', 'ly_display', 'yahoo_dsp']
      const common = own.filter(each => parts.every(part => part?.providers?.includes(each) ?? true))
      expect([id, common]).toEqual([id, own])
    }
  })

  it('can be queried as a whole: every metric is fetched or derived', () => {
    const fetched = metrics.filter(([, metric]) => metric.kind !== 'derived').map(([id]) => id)
    expect(fields.map(([id]) => id).toSorted()).toEqual(fetched.toSorted())
  })

  it('says which products have each metric, and the field of LY Ads by its name', () => {
    for (const [id, known] of fields) {
      const metric = yg.metrics[id]
      const all = ['ly_search', 'ly_display', 'yahoo_dsp']
      expect([id, (metric?.providers ?? all).toSorted()]).toEqual([id, Object.keys(known).toSorted()])
      const names = [...new Set([known.ly_search, known.ly_display].filter(name => name !== undefined))]
      const fieldNames = metric?.platform_field.split(' / ') ?? []
      expect([id, fieldNames.slice(0, names.length)]).toEqual([id, names])
      expect([id, fieldNames.length > names.length]).toEqual([id, known.yahoo_dsp !== undefined])
    }
  })

  it('can be queried by each of its dimensions', () => {
    const platform = yg.dimensions.filter(each => ['entity', 'breakdown'].includes(dimensions[each].kind))
    expect(platform.toSorted()).toEqual(Object.keys(lyDimensions).toSorted())
    const ofDsp = platform.filter(each => !yg.dimension_providers?.[each])
    expect(ofDsp.toSorted()).toEqual(Object.keys(dspDimensions).toSorted())
  })

  it('says of each dimension that only some products have why it is limited', () => {
    expect(Object.keys(yg.limited ?? {})).toEqual(Object.keys(yg.dimension_providers ?? {}))
  })

  it('never sums people, averages, shares and settings', () => {
    const single = metrics.filter(([, metric]) => metric.kind === 'non_additive').map(([id]) => id)
    expect(
      single.filter(id => !/reach|frequency|avg|_is|top|share|quality|bid|rank|budget/.test(id)),
    ).toEqual([])
    const summed = metrics.filter(([, metric]) => metric.kind === 'additive')
    expect(summed.filter(([, { unit }]) => unit !== 'count' && unit !== 'money')).toEqual([])
  })

  it('offers the usual metrics that it has', () => {
    expect(yg.usual_metrics.filter(id => !Object.hasOwn(yg.metrics, id))).toEqual([])
  })
})

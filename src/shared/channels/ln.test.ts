import { describe, expect, it } from 'vitest'
import { dimensionFields, isFetched, metricFields, otherLabels } from '#server/connectors/line/fields.ts'
import { plainLabel } from '#server/connectors/line/header.ts'
import { dimensions, type Metric } from './catalogue.ts'
import { lnMetrics } from './ln-metrics.ts'
import { ln } from './ln.ts'

const metrics: [string, Metric][] = Object.entries(lnMetrics)
const { device_type: _, ...entityFields } = dimensionFields
const entities = Object.values(entityFields)

describe('the catalogue of LINE ads', () => {
  it('can be queried as a whole: every metric is fetched or derived', () => {
    const fetched = metrics.filter(([, metric]) => metric.kind !== 'derived').map(([id]) => id)
    expect(fetched.filter(id => !isFetched(id))).toEqual([])
    expect(Object.keys(metricFields).toSorted()).toEqual(fetched.toSorted())
  })

  it("says LINE's own name of each fetched metric", () => {
    const label = (id: 'conversions' | 'cost' | 'reach' | 'impressions') => metricFields[id].labels[0]
    const names = Object.values(metricFields).map(field => {
      switch (field.read) {
        case 'file':
          return field.labels[0]
        case 'frequency':
          return `${label('impressions')} / ${label('reach')}`
        case 'friends':
          return `${label(field.of)}, of campaigns with the objective GAIN_FRIENDS`
        default:
          return field.field
      }
    })
    expect(
      Object.keys(metricFields).map(id => lnMetrics[id as keyof typeof metricFields].platform_field),
    ).toEqual(names)
  })

  it('can be queried by each of its dimensions', () => {
    const platform = ln.dimensions.filter(each => ['entity', 'breakdown'].includes(dimensions[each].kind))
    expect(platform.toSorted()).toEqual(Object.keys(dimensionFields).toSorted())
  })

  it('never takes one column for another, in any language', () => {
    const columns: (readonly string[])[] = [
      ...Object.values(metricFields).map(field => (field.read === 'file' ? field.labels : [])),
      ...entities.flatMap(({ id, name }) => [id, name]),
      dimensionFields.device_type.value,
      ...Object.values(otherLabels),
    ]
    const plain = columns.flatMap(labels => [...new Set(labels.map(plainLabel))])
    expect(plain.filter((label, at) => plain.indexOf(label) !== at)).toEqual([])
    expect(plain.filter(label => label === '')).toEqual([])
  })

  it('never sums people and shares, and gives neither by device', () => {
    const single = metrics.filter(([, metric]) => metric.kind === 'non_additive')
    expect(single.map(([id]) => id).toSorted()).toEqual(['frequency', 'impression_share', 'reach'])
    expect(single.filter(([, metric]) => !metric.not_with?.includes('device_type'))).toEqual([])
  })

  it('cannot split single ads by system', () => {
    expect(ln.apart).toEqual([['ad', 'device_type']])
  })
})

import { describe, expect, it } from 'vitest'
import { dimensionFields, isFetched, metricFields } from '#server/connectors/google-ads/fields.ts'
import { aw } from './aw.ts'
import { aw_keyword } from './aw_keyword.ts'
import { dimensions, type ChannelCatalogue, type PlatformDimension } from './catalogue.ts'

const channels: [string, ChannelCatalogue][] = [
  ['Google Ads', aw],
  ['Google Ads keywords', aw_keyword],
]

describe.each(channels)('the catalogue of %s', (_, catalogue) => {
  const metrics = Object.entries(catalogue.metrics)

  it('can be queried as a whole: every metric is fetched or derived', () => {
    const fetched = metrics.filter(([, metric]) => metric.kind !== 'derived').map(([id]) => id)
    expect(fetched.filter(id => !isFetched(id))).toEqual([])
  })

  it("says the platform's own field of each fetched metric", () => {
    const other = Object.entries(metricFields).filter(([id, { field }]) => {
      const metric = catalogue.metrics[id]
      return metric && metric.platform_field !== field
    })
    expect(other).toEqual([])
  })

  it('can be queried by each of its dimensions', () => {
    const platform = catalogue.dimensions.filter(each =>
      ['entity', 'breakdown'].includes(dimensions[each].kind),
    ) as PlatformDimension[]
    expect(platform.filter(each => !Object.hasOwn(dimensionFields, each))).toEqual([])
  })

  it('counts money in currency units: only money fields are read as money', () => {
    const money = metrics.filter(([, { unit, kind }]) => unit === 'money' && kind !== 'derived')
    const fields = money.map(([id]) => (isFetched(id) ? metricFields[id] : { read: 'none', field: id }))
    const unknown = fields.filter(({ read, field }) =>
      read === 'whole' ? !field.endsWith('_micros') : read !== 'money',
    )
    expect(unknown).toEqual([])
  })
})

it('sums neither people nor shares nor scores', () => {
  const single = (metrics: ChannelCatalogue['metrics']) =>
    Object.entries(metrics)
      .filter(([, { kind }]) => kind === 'non_additive')
      .map(([id]) => id)
  const shares = ['search_impression_share', 'search_lost_is_rank', 'search_top_is', 'search_abs_top_is']
  const parts = ['top_impr_pct', 'abs_top_impr_pct']
  const people = ['reach', 'frequency', 2, 3, 4, 5, 10].map(id =>
    typeof id === 'number' ? `reach_${id}plus` : id,
  )
  expect(single(aw.metrics).toSorted()).toEqual(
    [...people, ...shares, ...parts, 'search_lost_is_budget', 'content_impression_share'].toSorted(),
  )
  expect(single(aw_keyword.metrics).toSorted()).toEqual(
    [...shares, ...parts, 'quality_score', 'historical_quality_score'].toSorted(),
  )
})

it('queries every field of one of the two', () => {
  const offered = { ...aw.metrics, ...aw_keyword.metrics }
  expect(Object.keys(metricFields).filter(id => !Object.hasOwn(offered, id))).toEqual([])
})

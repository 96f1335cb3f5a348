import { describe, expect, it } from 'vitest'
import { catalogueOf } from '#shared/channels/all.ts'
import type { DraftBlock } from './draft.ts'
import { metricRefusal } from './metric-choice.ts'

const accounts = [
  { id: 1, provider: 'ly_display' as const },
  { id: 2, provider: 'ly_search' as const },
]
const refusal = (id: string, more: Partial<DraftBlock>, dimensions: ('date' | 'device_type')[] = ['date']) =>
  metricRefusal(id, {
    catalogue: catalogueOf('yg'),
    block: { channel: 'yg', accounts: [1], metrics: [], filters: [], ...more },
    dimensions,
    accounts,
  })?.detail

describe('a metric to choose', () => {
  it('is available when nothing excludes it', () => {
    expect(refusal('clicks', { metrics: ['impressions', 'viewable_reach'] })).toBeUndefined()
    expect(refusal('viewable_reach', { metrics: ['impressions'] })).toBeUndefined()
  })

  it('is refused beside one that excludes it, whichever of the two says so', () => {
    expect(refusal('viewable_reach', { metrics: ['reach'] })).toMatchObject({
      reason: 'metric_beside_metric',
    })
    expect(refusal('reach', { metrics: ['viewable_reach'] })).toMatchObject({
      reason: 'metric_beside_metric',
    })
  })

  it('is refused when one of the chosen accounts is of a product without it', () => {
    const detail = { reason: 'metric_not_of_provider', channel: 'yg', metric: 'viewable_reach' }
    expect(refusal('viewable_reach', { accounts: [2] })).toMatchObject(detail)
  })

  it('is refused beside a dimension of the report that it cannot be split by', () => {
    expect(refusal('viewable_reach', {}, ['date', 'device_type'])).toMatchObject({
      reason: 'metric_beside_dimension',
      dimension: 'device_type',
    })
  })
})

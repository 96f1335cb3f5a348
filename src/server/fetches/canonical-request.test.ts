import { describe, expect, it } from 'vitest'
import type { ReportRequest } from '#server/connectors/connector.ts'
import { canonical, textOf } from './canonical-request.ts'

const request: ReportRequest = {
  channel: 'fb',
  account: { provider: 'meta', external_id: '1', currency: 'TWD', timezone: 'Asia/Taipei', via: null },
  range: { start: '2026-10-01', end: '2026-10-31' },
  time: 'date',
  dimensions: ['campaign'],
  metrics: ['cost', 'conversions'],
  filters: [],
}
const keyOf = (changes: Partial<ReportRequest>) => textOf(canonical({ ...request, ...changes }))

describe('the key of a request', () => {
  it('is the same in whichever order metrics and actions are, and however often', () => {
    expect(keyOf({ metrics: ['conversions', 'cost'], actions: ['b', 'a', 'b'] })).toBe(
      keyOf({ actions: ['a', 'b'] }),
    )
  })

  it('is another one for other actions, and for none', () => {
    const keys = [{}, { actions: ['a'] }, { actions: ['b'] }, { actions: ['a', 'b'] }, { actions: ['a","b'] }]
    expect(new Set(keys.map(keyOf)).size).toBe(keys.length)
  })

  it('is that of a request without actions where no metric is counted by them', () => {
    const metrics = ['cost', 'purchases']
    expect(keyOf({ metrics, actions: ['a'] })).toBe(keyOf({ metrics }))
    expect(canonical({ ...request, metrics, actions: ['a'] })).not.toHaveProperty('actions')
  })
})

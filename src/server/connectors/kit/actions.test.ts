import { describe, expect, it } from 'vitest'
import { pageFrom } from '#server/connectors/testing/pages.ts'
import { actionsIn, actionsOf, listedDays, mostFirst } from './actions.ts'

describe('the actions of a request', () => {
  it('are each of them once, in one order', () => {
    const one = actionsOf({ metrics: ['cost', 'conversions'], actions: ['b', 'a', 'b'] })
    expect(one).toEqual(['a', 'b'])
    expect(actionsOf({ metrics: ['conversion_value'], actions: ['a', 'b'] })).toEqual(one)
  })

  it('are none where nothing is counted by them', () => {
    expect(actionsOf({ metrics: ['cost', 'cpa'], actions: ['a'] })).toBeNull()
    expect(actionsOf({ metrics: ['conversions'] })).toBeNull()
  })
})

describe('a list of actions', () => {
  it('is of ninety days, today among them', () => {
    const { start, end } = listedDays(Temporal.PlainDate.from('2026-11-21'))
    expect([start, end]).toEqual(['2026-08-24', '2026-11-21'])
    expect(Temporal.PlainDate.from(start).until(end).days + 1).toBe(90)
  })

  it('has what is converted most first, and each name once', () => {
    const action = (name: string, conversions: number, value: number | null) => ({ name, conversions, value })
    expect(
      mostFirst([action('b', 1, null), action('c', 2, 5), action('a', 1, 3), action('c', 0.5, null)]),
    ).toEqual([action('c', 2.5, 5), action('a', 1, 3), action('b', 1, null)])
  })

  it('says nothing of a value that the platform does not know', () => {
    const page = pageFrom({
      length: 2,
      dates: ['', ''],
      dimensions: [{ keys: ['a', 'b'] }],
      metrics: [Float64Array.of(1, Number.NaN), Float64Array.of(Number.NaN, 2)],
    })
    expect([...actionsIn(page)]).toEqual([
      { name: 'a', conversions: 1, value: null },
      { name: 'b', conversions: 0, value: 2 },
    ])
  })
})

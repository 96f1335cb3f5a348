import { describe, expect, it } from 'vitest'
import type { ChartData } from './chart-data.ts'
import { distinctTicks, pointAt, scaleOf } from './scale.ts'

const room = { width: 640, height: 240 }
const names = { tick: String, point: String }
const days = Array.from({ length: 30 }, (_, index) => `2026-11-${String(index + 1).padStart(2, '0')}`)
const chart = (data: Partial<ChartData>): ChartData => ({
  kind: 'bars',
  points: ['a', 'b', 'c'],
  series: [{ key: 'one', name: 'One', values: [1, 2, 3] }],
  ...data,
})

describe('the upright axis', () => {
  it.each([
    [0, 9, 4, [0, 5, 10]],
    [0, 0.3, 3, [0, 0.1, 0.2, 0.3]],
    [-40, 120, 4, [-50, 0, 50, 100, 150]],
    [0, 12_345_678, 5, [0, 5_000_000, 10_000_000, 15_000_000]],
    [0, 0, 4, [0, 1]],
  ])('from %d to %d is cut at round values', (least, greatest, most, ticks) => {
    expect(distinctTicks([least, greatest], most, String)).toEqual(ticks)
  })

  it.each([
    ['whole numbers', (value: number) => value.toFixed(0), 1, [0, 1]],
    ['whole numbers', (value: number) => value.toFixed(0), 2, [0, 1, 2]],
    ['whole numbers', (value: number) => value.toFixed(0), 0.004, [0, 1]],
    ['whole thousands', (value: number) => `${Math.round(value / 1000)}K`, 1100, [0, 1000, 2000]],
    ['minutes', (value: number) => `${Math.round(value / 60)} min`, 75, [0, 100]],
    ['the same for all', () => 'nothing', 3, [0, 1, 2, 3]],
  ])('never has two labels that read the same, in %s', (_, label, greatest, ticks) => {
    const drawn = distinctTicks([0, greatest], 5, label)
    expect(drawn.at(-1)).toBeGreaterThanOrEqual(greatest)
    expect(drawn).toEqual(ticks)
  })

  it('always has 0, since a bar that begins elsewhere lies', () => {
    const { ticks } = scaleOf(
      chart({ series: [{ key: 'one', name: 'One', values: [990, 1000, 995] }] }),
      room,
      names,
    )
    expect(ticks[0]).toBe(0)
  })

  it('may leave 0 out for lines, whose small changes matter', () => {
    const series = [{ key: 'one', name: 'One', values: [31.2, null, 31.9] }]
    const { ticks } = scaleOf(chart({ kind: 'line', closeUp: true, series }), room, names)
    expect(ticks[0]).toBeGreaterThanOrEqual(31)
    expect(ticks.at(-1)).toBeLessThanOrEqual(32)
  })

  it('has 0 where there is nothing to come close to', () => {
    const series = [{ key: 'one', name: 'One', values: [null, null, null] }]
    expect(scaleOf(chart({ kind: 'line', closeUp: true, series }), room, names).ticks).toEqual([0, 1])
  })

  it('has room for the whole stack, upwards and downwards', () => {
    const stack = chart({
      kind: 'stacked',
      series: [
        { key: 'one', name: 'One', values: [60, 1, -30] },
        { key: 'two', name: 'Two', values: [60, null, -30] },
      ],
    })
    const scale = scaleOf(stack, room, names)
    expect(scale.y(120)).toBeGreaterThanOrEqual(scale.top)
    expect(scale.y(-60)).toBeLessThanOrEqual(scale.bottom)
  })

  it('has room for what it is compared with', () => {
    const reference = { key: 'before', name: 'Before', values: [900, null, 5] }
    const scale = scaleOf(chart({ reference }), room, names)
    expect(scale.y(900)).toBeGreaterThanOrEqual(scale.top)
  })

  it('makes room for the widest value, twice as much for Chinese ones', () => {
    const latin = scaleOf(chart({}), room, { tick: () => 'abcd', point: String })
    const chinese = scaleOf(chart({}), room, { tick: () => '一二三四', point: String })
    expect(chinese.left).toBeGreaterThan(latin.left * 1.4)
  })
})

describe('the points', () => {
  it('lie side by side from one end to the other', () => {
    const scale = scaleOf(chart({ points: days }), room, names)
    expect(pointAt(scale, scale.x(0), 30)).toBe(0)
    expect(pointAt(scale, scale.x(29), 30)).toBe(29)
    expect(pointAt(scale, scale.left - 1, 30)).toBeNull()
    expect(pointAt(scale, scale.right + 1, 30)).toBeNull()
  })

  it.each([320, 640, 2560])('are named as often as the names have room at %d pixels', width => {
    const { named_every, band } = scaleOf(chart({ points: days }), { width, height: 240 }, names)
    expect(named_every * band).toBeGreaterThan(10 * 12 * 0.6)
    expect((named_every - 1) * band).toBeLessThan(10 * 12)
  })
})

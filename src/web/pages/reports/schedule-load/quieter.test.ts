import { describe, expect, it } from 'vitest'
import { quarterOf, quieterThan, timeOf } from './quieter.ts'

const NINE = quarterOf('09:00:00')
const day = (busy: Record<number, { reports: number | null; level: number }>) =>
  Array.from({ length: 96 }, (_, quarter) => busy[quarter] ?? { reports: 0, level: 0 })

describe('a quieter time', () => {
  it('is the nearest one, rather earlier than later', () => {
    const load = day({ [NINE]: { reports: 1240, level: 3 } })
    expect(timeOf(quieterThan(load, NINE) ?? 0)).toBe('08:45:00')
    const before = load.with(NINE - 1, { reports: 900, level: 3 })
    expect(timeOf(quieterThan(before, NINE) ?? 0)).toBe('09:15:00')
  })

  it('is not offered where it is quiet already, nor when none is near', () => {
    expect(quieterThan(day({ [NINE]: { reports: 100, level: 2 } }), NINE)).toBeNull()
    expect(
      quieterThan(
        Array.from({ length: 96 }, () => ({ reports: 500, level: 3 })),
        NINE,
      ),
    ).toBeNull()
  })

  it('has less than half of the runs of the busy one, as far as the numbers are known', () => {
    const load = (there: number | null) =>
      Array.from({ length: 96 }, (_, quarter) =>
        quarter === NINE ? { reports: there === null ? null : 1000, level: 3 } : { reports: there, level: 2 },
      )
    expect(quieterThan(load(600), NINE)).toBeNull()
    expect(quieterThan(load(500), NINE)).toBe(NINE - 1)
    expect(quieterThan(day({ [NINE]: { reports: null, level: 3 } }), NINE)).toBe(NINE - 1)
  })

  it('stays within the day', () => {
    expect(quieterThan(day({ 0: { reports: 1000, level: 3 } }), 0)).toBe(1)
  })
})

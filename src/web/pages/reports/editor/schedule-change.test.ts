import { describe, expect, it } from 'vitest'
import { changeFrequency, chooseCycle, cycleLength } from './schedule-change.ts'

describe('editing a schedule', () => {
  it('clears both days for daily', () => {
    expect(changeFrequency(2)).toEqual({
      update_frequency: 2,
      update_day_of_week: null,
      update_day_of_month: null,
    })
  })

  it('begins weekly on Monday and clears the day of the month', () => {
    expect(changeFrequency(3)).toEqual({
      update_frequency: 3,
      update_day_of_week: 1,
      update_day_of_month: null,
    })
  })

  it('begins monthly on the 1st and clears the day of the week', () => {
    expect(changeFrequency(4)).toEqual({
      update_frequency: 4,
      update_day_of_week: null,
      update_day_of_month: 1,
    })
  })

  it('offers 7 and 31 days, and none for daily', () => {
    expect([2, 3, 4].map(cycleLength)).toEqual([0, 7, 31])
  })

  it('takes an option as its index plus 1', () => {
    expect(chooseCycle(3, 6)).toEqual({ update_day_of_week: 7 })
    expect(chooseCycle(4, 30)).toEqual({ update_day_of_month: 31 })
  })
})

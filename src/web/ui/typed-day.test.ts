import { expect, it } from 'vitest'
import { dayOf } from './typed-day.ts'

it('is a day of the calendar with its zeros, or none', () => {
  expect(dayOf({ year: '2026', month: '2', day: '9' })).toBe('2026-02-09')
  expect(dayOf({ year: '2024', month: '02', day: '29' })).toBe('2024-02-29')
  const none = [
    { year: '2026', month: '02', day: '29' },
    { year: '2026', month: '13', day: '1' },
    { year: '2026', month: '0', day: '0' },
  ]
  for (const typed of none) expect(dayOf(typed)).toBe(null)
})

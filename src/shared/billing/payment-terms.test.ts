import { expect, it } from 'vitest'
import { dueOn } from './payment-terms.ts'

it('A document is due days after its issue, or after the end of its month (A9)', () => {
  expect(dueOn({ kind: 'month_end', days: 30 }, '2026-11-05')).toBe('2026-12-30')
  expect(dueOn({ kind: 'month_end', days: 30 }, '2026-01-31')).toBe('2026-03-02')
  expect(dueOn({ kind: 'days', days: 30 }, '2026-11-05')).toBe('2026-12-05')
  expect(dueOn({ kind: 'month_end', days: 0 }, '2028-02-01')).toBe('2028-02-29')
  expect(dueOn({ kind: 'days', days: 0 }, '2026-12-31')).toBe('2026-12-31')
})

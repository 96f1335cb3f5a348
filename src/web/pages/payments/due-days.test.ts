import { describe, expect, it } from 'vitest'
import { daysOver, weekOf } from './due-days.ts'

const NO_DAYS = { due_from: undefined, due_to: undefined }

describe('the week of a day', () => {
  it('ends on Sunday', () => {
    expect(weekOf('2026-11-26', NO_DAYS)).toEqual({ due_from: '2026-11-26', due_to: '2026-11-29' })
    expect(weekOf('2026-11-23', NO_DAYS)).toEqual({ due_from: '2026-11-23', due_to: '2026-11-29' })
    expect(weekOf('2026-11-29', NO_DAYS)).toEqual({ due_from: '2026-11-29', due_to: '2026-11-29' })
  })

  it('is narrowed by the days that are chosen, never widened', () => {
    expect(weekOf('2026-11-26', { due_from: '2026-11-27', due_to: '2026-11-28' })).toEqual({
      due_from: '2026-11-27',
      due_to: '2026-11-28',
    })
    expect(weekOf('2026-11-26', { due_from: '2026-01-01', due_to: '2026-12-31' })).toEqual({
      due_from: '2026-11-26',
      due_to: '2026-11-29',
    })
  })
})

it('counts the days since a payment was due', () => {
  expect(daysOver('2026-10-31', '2026-11-26')).toBe(26)
  expect(daysOver('2026-11-30', '2026-11-26')).toBe(-4)
})

describe('the days since a payment was due', () => {
  it.each([
    ['2026-11-26', 0],
    ['2026-11-25', 1],
    ['2026-08-28', 90],
    ['2025-11-26', 365],
    ['2026-11-27', -1],
  ])('%s are %i', (due, days) => {
    expect(daysOver(due, '2026-11-26')).toBe(days)
  })

  it('count the one that leap years have more', () => {
    expect(daysOver('2028-02-28', '2028-03-01')).toBe(2)
    expect(daysOver('2027-02-28', '2027-03-01')).toBe(1)
  })

  it('end at the turn of the year as on any other day', () => {
    expect(daysOver('2026-12-31', '2027-01-01')).toBe(1)
    expect(weekOf('2026-12-31', NO_DAYS)).toEqual({ due_from: '2026-12-31', due_to: '2027-01-03' })
  })
})

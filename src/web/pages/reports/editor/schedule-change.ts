import { frequency } from '#shared/schedule.ts'
import type { Draft } from './draft.ts'

type ScheduleFields = Pick<Draft, 'update_frequency' | 'update_day_of_week' | 'update_day_of_month'>

/** Daily clears both days; weekly begins on Monday, monthly on the 1st, and each clears the other's day. */
export function changeFrequency(chosen: number): ScheduleFields {
  return {
    update_frequency: chosen,
    update_day_of_week: chosen === frequency.weekly ? 1 : null,
    update_day_of_month: chosen === frequency.monthly ? 1 : null,
  }
}

/** How many options the cycle dropdown has: 7 days of a week, 31 of a month, none for the rest. */
export function cycleLength(chosen: number): number {
  if (chosen === frequency.weekly) return 7
  return chosen === frequency.monthly ? 31 : 0
}

/** Choosing an option sets the day to its index plus 1. */
export function chooseCycle(chosen: number, index: number): Partial<ScheduleFields> {
  const day = index + 1
  return chosen === frequency.weekly ? { update_day_of_week: day } : { update_day_of_month: day }
}

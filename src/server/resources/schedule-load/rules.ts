import { inZone } from '#shared/time-zone.ts'
import { frequency } from '#shared/schedule.ts'

/** How many reports begin at one instant. */
export interface Due {
  next_run_at: Date
  update_frequency: number
  reports: number
}

/** The kind of day for which a time is chosen, in a time zone. */
export interface Occasion {
  timezone: string
  update_frequency: number
  update_day_of_week: number | null
  update_day_of_month: number | null
}

export const QUARTERS = 96
const DAYS_A_MONTH = 30.4

/**
 * How many reports begin in each quarter hour of such a day. Daily ones always do; a weekly or monthly one
 * counts in full where it falls on the chosen day, and by its probability elsewhere.
 */
export function loadOf(dues: readonly Due[], occasion: Occasion): number[] {
  const load = Array.from({ length: QUARTERS }, () => 0)
  for (const due of dues) {
    const at = inZone(Temporal.Instant.fromEpochMilliseconds(due.next_run_at.getTime()), occasion.timezone)
    const quarter = at.hour * 4 + Math.floor(at.minute / 15)
    load[quarter] = (load[quarter] ?? 0) + due.reports * chance(due.update_frequency, at, occasion)
  }
  return load.map(Math.round)
}

/** The probability that one of this frequency that next runs then runs on the chosen day as well. */
function chance(update_frequency: number, at: Temporal.ZonedDateTime, occasion: Occasion): number {
  switch (update_frequency) {
    case frequency.daily:
      return 1
    case frequency.weekly:
      if (occasion.update_frequency !== frequency.weekly) return 1 / 7
      return at.dayOfWeek === (occasion.update_day_of_week ?? 1) ? 1 : 0
    case frequency.monthly: {
      if (occasion.update_frequency !== frequency.monthly) return 1 / DAYS_A_MONTH
      // The 31st is the last day of a shorter month.
      const dayOfMonth = Math.min(occasion.update_day_of_month ?? 1, at.daysInMonth)
      return at.day === dayOfMonth ? 1 : 0
    }
    default:
      return 0
  }
}

/** Below this number no run waits for another: about what one system user writes in a minute. */
const ALWAYS_QUIET = 60

/**
 * 0 empty, 1 quiet, 2 some, 3 busy: where it is over twice what the day has on average, and enough for people
 * to wait.
 */
export function levelsOf(load: readonly number[]): number[] {
  const mean = load.reduce((sum, reports) => sum + reports, 0) / QUARTERS
  return load.map(reports => {
    if (reports === 0) return 0
    if (reports <= ALWAYS_QUIET) return 1
    return reports > 2 * mean ? 3 : 2
  })
}

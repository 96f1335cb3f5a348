import { inZone } from './time-zone.ts'

/** When a report is to run, as its columns have it. */
export interface Schedule {
  /** 0 none, 1 one-time, 2 daily, 3 weekly, 4 monthly */
  update_frequency: number
  /** HH:mm:ss of the wall clock in `timezone` */
  update_time: string
  /** 1 Monday … 7 Sunday */
  update_day_of_week: number | null
  /** 1 … 31; a month without that day uses its last one */
  update_day_of_month: number | null
  /** IANA name */
  timezone: string
}

export const frequency = { none: 0, once: 1, daily: 2, weekly: 3, monthly: 4, ended: 5 } as const

/**
 * The first occurrence after an instant; null when nothing is scheduled. A wall-clock time that a clock
 * change skips is moved forward by the length of the gap, one that occurs twice counts the first time
 * (Temporal's "compatible", RFC 5545). A one-time report wants the next `update_time`.
 */
export function nextOccurrence(schedule: Schedule, after: Date): Date | null {
  const afterMs = after.getTime()
  // A day early, since a moved occurrence of yesterday can lie in today.
  const local = inZone(Temporal.Instant.fromEpochMilliseconds(afterMs), schedule.timezone)
  const firstDay = local.toPlainDate().subtract({ days: 1 })
  for (const day of daysFrom(schedule, firstDay)) {
    const occurrence = day.toZonedDateTime({
      timeZone: local.timeZoneId,
      plainTime: Temporal.PlainTime.from(schedule.update_time),
    }).epochMilliseconds
    if (occurrence > afterMs) return new Date(occurrence)
  }
  return null
}

/** The next few occurrences, for people to read. */
export function nextOccurrences(schedule: Schedule, after: Date, count: number): Date[] {
  const found: Date[] = []
  for (let from = after; found.length < count;) {
    const next = nextOccurrence(schedule, from)
    if (!next) break
    found.push(next)
    if (schedule.update_frequency === frequency.once) break
    from = next
  }
  return found
}

/** The schedule's days from a day on; without end, save for a report that is not scheduled. */
function* daysFrom(schedule: Schedule, first: Temporal.PlainDate): Generator<Temporal.PlainDate> {
  switch (schedule.update_frequency) {
    case frequency.once:
    case frequency.daily:
      for (let day = first; ; day = day.add({ days: 1 })) yield day
    case frequency.weekly: {
      const weekday = schedule.update_day_of_week ?? 1
      const ahead = (weekday - first.dayOfWeek + 7) % 7
      for (let day = first.add({ days: ahead }); ; day = day.add({ weeks: 1 })) yield day
    }
    case frequency.monthly: {
      const dayOfMonth = schedule.update_day_of_month ?? 1
      for (let month = first.toPlainYearMonth(); ; month = month.add({ months: 1 })) {
        const day = month.toPlainDate({ day: Math.min(dayOfMonth, month.daysInMonth) })
        if (Temporal.PlainDate.compare(day, first) >= 0) yield day
      }
    }
  }
}

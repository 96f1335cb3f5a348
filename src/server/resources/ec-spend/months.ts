import { todayIn } from '#shared/date-range.ts'
import { firstDayOf, monthOf, plusMonths } from '#shared/month.ts'
import { inZone } from '#shared/time-zone.ts'
import { MONTHS_BACK } from '#server/resources/spend/rules.ts'

/** From the first to the last. */
export function monthsBetween(from: string, to: string): string[] {
  const months: string[] = []
  for (let month = from; month <= to; month = plusMonths(month, 1)) months.push(month)
  return months
}

/** A time zone of ad accounts, with the first day of the month that runs in it. */
export interface RunningMonth {
  timezone: string
  running: string
}

export const runningMonths = (zones: readonly string[], now: Date): RunningMonth[] =>
  zones.map(timezone => ({ timezone, running: firstDayOf(monthOf(todayIn(timezone, now))) }))

/** The first month that is fetched of platforms: of earlier ones only what is there counts. */
export const firstMonthFetched = (now: Date): string =>
  plusMonths(now.toISOString().slice(0, 7), -MONTHS_BACK)
/** When a month has ended in every zone; null: it has. */
export function monthEnd(month: string, zones: readonly string[], now: Date): Date | null {
  const next = Temporal.PlainDate.from(firstDayOf(plusMonths(month, 1)))
  const ends = zones.map(timezone => {
    const zone = inZone(Temporal.Instant.fromEpochMilliseconds(now.getTime()), timezone).timeZoneId
    return next.toZonedDateTime(zone).epochMilliseconds
  })
  const end = Math.max(...ends)
  return end > now.getTime() ? new Date(end) : null
}

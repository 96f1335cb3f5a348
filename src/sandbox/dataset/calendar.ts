// A day is a whole number, days since 1970-01-01, in the account's own time zone.

const DAY_MS = 86_400_000

/** 2026-10-01 → 20727; null when the text is no date of the calendar. */
export function dayOf(iso: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(iso)) return null
  const ms = Date.parse(`${iso}T00:00:00Z`)
  if (Number.isNaN(ms) || isoOf(ms / DAY_MS) !== iso) return null
  return ms / DAY_MS
}

/** For dates written in this program. */
export function knownDay(iso: string): number {
  const day = dayOf(iso)
  if (day === null) throw new Error(`${iso} is no date`)
  return day
}

/** 20727 → 2026-10-01. Each row of each report needs a few hundred days repeatedly. */
export function isoOf(day: number): string {
  let iso = isos.get(day)
  if (iso === undefined) {
    iso = new Date(day * DAY_MS).toISOString().slice(0, 10)
    if (isos.size > 20_000) isos.clear()
    isos.set(day, iso)
  }
  return iso
}

const isos = new Map<number, string>()

/** 0 Monday … 6 Sunday. */
export const weekdayOf = (day: number) => (day + 3) % 7

/** 0 … 1 through the year, the same for every year. */
export function seasonOf(day: number): number {
  const date = new Date(day * DAY_MS)
  return (date.getUTCMonth() * 30.5 + date.getUTCDate()) / 366
}

export const monthStart = (day: number) => knownDay(`${isoOf(day).slice(0, 7)}-01`)

/** The same day of the month, some months earlier, or the last day of that month. */
export function monthsBefore(day: number, months: number): number {
  const date = Temporal.PlainDate.from(isoOf(day)).subtract({ months })
  return knownDay(date.toString())
}

/** What day it is in a zone, how much of it has passed in steps of 15 minutes, and the offset in hours. */
export function localTime(now: number, timeZone: string) {
  const local = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone)
  const minutes = local.hour * 60 + local.minute
  return {
    today: knownDay(local.toPlainDate().toString()),
    day_passed: Math.floor(minutes / 15) / 96,
    offset_hours: local.offsetNanoseconds / 3.6e12,
  }
}

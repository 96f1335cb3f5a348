import type { Language } from '#shared/language.ts'
import { inZone } from '#shared/time-zone.ts'
import { perLanguage } from '#web/i18n/per-language.ts'

// How days and times are written: days yyyy-MM-dd, times "aa hh:mm", both "yyyy-MM-dd aa hh:mm".

/** `21:05:00` → `PM 09:05` */
export function timeText(time: string, language: Language): string {
  const hour = Number(time.slice(0, 2))
  return `${halfText(hour, language)} ${String(hour % 12 || 12).padStart(2, '0')}:${time.slice(3, 5)}`
}

/**
 * The half of the day that an hour (0 … 23) is in. In Chinese the hour after midnight is 凌晨: 上午 12:00 reads
 * as noon.
 */
export function halfText(hour: number, language: Language): string {
  if (language === 'zh-TW') return hour === 0 ? '凌晨' : hour < 12 ? '上午' : '下午'
  return hour < 12 ? 'AM' : 'PM'
}

/** An instant (ISO 8601) as a day in a time zone; in the reader's own unless another is named. */
export const dayText = (instant: string, timezone = ownZone()): string =>
  local(instant, timezone).toPlainDate().toString()

/** An instant as day and time in a time zone; in the reader's own unless another is named. */
export function instantText(instant: string, language: Language, timezone = ownZone()): string {
  const at = local(instant, timezone)
  return `${at.toPlainDate()} ${timeText(at.toPlainTime().toString(), language)}`
}

/** The time of day of an instant in the reader's own zone. */
export const clockText = (instant: string, language: Language): string =>
  timeText(local(instant, ownZone()).toPlainTime().toString(), language)

/**
 * An instant to the second, for things that follow one another closely: day and time in the reader's own
 * zone.
 */
export function secondText(instant: string, language: Language): string {
  const at = local(instant, ownZone())
  return `${instantText(instant, language)}:${String(at.second).padStart(2, '0')}`
}

/** "3 minutes ago", "in 2 days"; within the last or next 45 seconds `now`. */
export function relativeText(instant: string, now: Date, language: Language): string {
  const seconds = (Date.parse(instant) - now.getTime()) / 1000
  const format = relativeFormat(language)
  const [size, unit] = units.find(([least]) => Math.abs(seconds) >= least * 0.95) ?? [1, 'second']
  return unit === 'second' ? format.format(0, 'second') : format.format(Math.round(seconds / size), unit)
}

const relativeFormat = perLanguage(language => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }))

const DAY = 86_400
const units = [
  [365 * DAY, 'year'],
  [30 * DAY, 'month'],
  [7 * DAY, 'week'],
  [DAY, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
] as const satisfies [number, Intl.RelativeTimeFormatUnit][]

const local = (instant: string, timezone: string) => inZone(Temporal.Instant.from(instant), timezone)
const ownZone = () => Temporal.Now.timeZoneId()

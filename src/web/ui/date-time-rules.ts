import type { Language } from '#shared/language.ts'
import { inZone } from '#shared/time-zone.ts'
import { halfText } from './times.ts'
import { dayOf } from './typed-day.ts'

/** A moment as the picker has it: the wall clock in some time zone, to the minute. */
export interface DateTimeParts {
  /** yyyy-MM-dd */
  day: string
  half: 'am' | 'pm'
  /** 1 … 12 */
  hour: number
  minute: number
}

/** What the picker begins with: now, to the minute. */
export const thisMinute = (now: Date): string =>
  new Date(Math.floor(now.getTime() / 60_000) * 60_000).toISOString()

/** An instant (ISO 8601) on the wall clock. */
export function partsOf(instant: string, timezone: string): DateTimeParts {
  const at = inZone(Temporal.Instant.from(instant), timezone)
  return {
    day: at.toPlainDate().toString(),
    half: at.hour < 12 ? 'am' : 'pm',
    hour: at.hour % 12 || 12,
    minute: at.minute,
  }
}

/** Back to an instant. */
export function instantOf({ day, half, hour, minute }: DateTimeParts, timezone: string): string {
  const plainTime = new Temporal.PlainTime(hourOf({ half, hour }), minute)
  const at = Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: timezone, plainTime })
  return new Date(at.epochMilliseconds).toISOString()
}

/** 0 … 23 */
const hourOf = ({ half, hour }: Pick<DateTimeParts, 'half' | 'hour'>) =>
  (hour % 12) + (half === 'pm' ? 12 : 0)

/** MM/dd/yyyy aa h:mm */
export function dateTimeText({ day, half, hour, minute }: DateTimeParts, language: Language): string {
  const [year, month, date] = day.split('-')
  return `${month}/${date}/${year} ${halfText(hourOf({ half, hour }), language)} ${hour}:${String(minute).padStart(2, '0')}`
}

export type DateTimeProblem = 'incomplete' | 'no_such_time' | 'future'

interface Facts {
  now: Date
  timezone: string
}

/** What was typed, in either language, as an instant; or what is wrong with it. */
export function typedDateTime(
  text: string,
  { now, timezone }: Facts,
): { instant: string } | { problem: DateTimeProblem } {
  const match = /^\s*(\d{1,2})\/(\d{1,2})\/(\d{4})\s+(am|pm|上午|下午|凌晨)\s*(\d{1,2}):(\d{2})\s*$/i.exec(
    text,
  )
  if (!match) return { problem: 'incomplete' }
  const [, month = '', date = '', year = '', word = '', hours, minutes] = match
  const day = dayOf({ year, month, day: date })
  const half: DateTimeParts['half'] = ['pm', '下午'].includes(word.toLowerCase()) ? 'pm' : 'am'
  const time = { half, hour: Number(hours), minute: Number(minutes) }
  if (day === null || !isTime(time)) return { problem: 'no_such_time' }
  const instant = instantOf({ day, ...time }, timezone)
  return isFuture(instant, now) ? { problem: 'future' } : { instant }
}

export const isFuture = (instant: string, now: Date) => Date.parse(instant) > now.getTime()

const isTime = ({ hour, minute }: Pick<DateTimeParts, 'hour' | 'minute'>) =>
  hour >= 1 && hour <= 12 && minute <= 59

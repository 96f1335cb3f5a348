import { dayOf } from './typed-day.ts'

/** Days as yyyy-MM-dd. dynamic_range: 0 none, 1 this month … 5 this year. */
export interface DateRangeValue {
  start: string | null
  end: string | null
  dynamic_range: number
}

/** Index is the value of `dynamic_range`. */
export const dynamicRanges = [0, 1, 2, 3, 4, 5] as const

const dayAfter = (day: string) => Temporal.PlainDate.from(day).add({ days: 1 }).toString()

/**
 * What a click on a day of the calendar makes of the range: the first click begins a new range, the second
 * one completes it, in whichever order. A complete range turns dynamic mode off, and closes the picker.
 */
export function pickDay(value: DateRangeValue, day: string): { value: DateRangeValue; complete: boolean } {
  if (value.start === null || value.end !== null)
    return { value: { ...value, start: day, end: null }, complete: false }
  const [start, end] = day < value.start ? [day, value.start] : [value.start, day]
  return { value: { start, end, dynamic_range: 0 }, complete: true }
}

/**
 * What closing the picker makes of a range without an end: with a dynamic range nothing, since the dates are
 * not what counts; else the end is the day after the start, and the start is today unless one was chosen.
 */
export function completedOnClose(value: DateRangeValue, today: string): DateRangeValue {
  if (value.end !== null || value.dynamic_range !== 0) return value
  const start = value.start ?? today
  return { ...value, start, end: dayAfter(start) }
}

/**
 * A click outside completes an incomplete range differently: its end is the day after today (or after a start
 * that is still to come). Under a dynamic range that is so only when a start was picked: else nothing was
 * begun.
 */
export function completedOnOutsideClick(value: DateRangeValue, today: string): DateRangeValue {
  if (value.end !== null || (value.start === null && value.dynamic_range !== 0)) return value
  const start = value.start ?? today
  return { ...value, start, end: start > today ? dayAfter(start) : dayAfter(today) }
}

/** Dynamic mode goes on with the dates as they are, so that turning it off brings them back. */
export const chooseDynamic = (value: DateRangeValue, dynamic_range: number): DateRangeValue => ({
  ...value,
  dynamic_range,
})

interface Span {
  /** Earlier days cannot be chosen. */
  minimum: string | null
  /** The latest end that a range with this start may have; null: any. */
  latestEnd: (start: string) => string | null
}

/** Whether a click on a day would begin or complete a range that may not be. */
export function isOutOfReach(
  { start, end }: DateRangeValue,
  day: string,
  { minimum, latestEnd }: Span,
): boolean {
  if (minimum !== null && day < minimum) return true
  if (start === null || end !== null) return false
  const [first, last] = day < start ? [day, start] : [start, day]
  const latest = latestEnd(first)
  return latest !== null && last > latest
}

export type TypedProblem = 'incomplete' | 'no_such_day' | 'too_early' | 'too_late' | 'end_first'
export type Typed = { day: string } | { problem: TypedProblem; day?: string }

/** A day as people type it: yyyy-MM-dd, also with slashes, dots or no zeros. */
export function typedDay(text: string): Typed {
  const match = /^\s*(\d{4})([-/.]?)(\d{1,2})\2(\d{1,2})\s*$/.exec(text)
  const [, year = '', separator, month = '', day = ''] = match ?? []
  // Without separators only eight digits are a day.
  if (!match || (separator === '' && month.length + day.length < 4)) return { problem: 'incomplete' }
  const found = dayOf({ year, month, day })
  return found === null ? { problem: 'no_such_day' } : { day: found }
}

/** Two typed days as a range, or what is wrong with which of them. */
export function typedRange(
  { start, end }: { start: string; end: string },
  { minimum, latestEnd }: Span,
): { range: { start: string; end: string } } | { start?: Typed; end?: Typed } {
  const first = typedDay(start)
  const last = typedDay(end)
  if ('problem' in first || 'problem' in last)
    return { ...('problem' in first && { start: first }), ...('problem' in last && { end: last }) }
  if (minimum !== null && first.day < minimum) return { start: { problem: 'too_early', day: minimum } }
  if (last.day < first.day) return { end: { problem: 'end_first' } }
  const latest = latestEnd(first.day)
  if (latest !== null && last.day > latest) return { end: { problem: 'too_late', day: latest } }
  return { range: { start: first.day, end: last.day } }
}

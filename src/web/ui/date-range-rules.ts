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
 * What a click on a day of the calendar makes of the range: the first click begins a new range, the second one completes it, in whichever
 * order. A complete range turns dynamic mode off, and closes the picker.
 */
export function pickDay(value: DateRangeValue, day: string): { value: DateRangeValue; complete: boolean } {
  if (value.start === null || value.end !== null)
    return { value: { ...value, start: day, end: null }, complete: false }
  const [start, end] = day < value.start ? [day, value.start] : [value.start, day]
  return { value: { start, end, dynamic_range: 0 }, complete: true }
}

/**
 * What closing the picker makes of a range without an end: with a dynamic range nothing, since the dates are not what counts; else the end
 * is the day after the start, and the start is today unless one was chosen.
 */
export function completedOnClose(value: DateRangeValue, today: string): DateRangeValue {
  if (value.end !== null || value.dynamic_range !== 0) return value
  const start = value.start ?? today
  return { ...value, start, end: dayAfter(start) }
}

/** A click outside completes an incomplete range differently: its end is the day after today (or after a start that is still to come). */
export function completedOnOutsideClick(value: DateRangeValue, today: string): DateRangeValue {
  if (value.end !== null || value.dynamic_range !== 0) return value
  const start = value.start ?? today
  return { ...value, start, end: start > today ? dayAfter(start) : dayAfter(today) }
}

/** Dynamic mode goes on with the dates as they are, so that turning it off brings them back. */
export const chooseDynamic = (value: DateRangeValue, dynamic_range: number): DateRangeValue => ({
  ...value,
  dynamic_range,
})

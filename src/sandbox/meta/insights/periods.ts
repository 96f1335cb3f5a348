import { dayOf, isoOf, knownDay, monthsBefore, monthStart, weekdayOf } from '#sandbox/dataset/calendar.ts'
import { GraphError, invalid } from '#sandbox/meta/errors.ts'
import { isRecord } from '#sandbox/record.ts'
import type { Parameters } from '#sandbox/meta/parameters.ts'

/** The days of a row, both included. */
export interface Slice {
  first: number
  last: number
}

/** The requested slices, in order; every range is cut by itself. */
export function slicesOf(parameters: Parameters, today: number): Slice[] {
  const ranges = parameters.json('time_ranges')
  const range = parameters.json('time_range')
  const preset = parameters.text('date_preset') ?? 'last_30d'
  const increment = incrementOf(parameters.text('time_increment'))
  if (ranges !== null) {
    if (!Array.isArray(ranges) || ranges.length === 0 || ranges.length > MOST_RANGES) {
      throw invalid(`Param time_ranges must be an array of 1 to ${MOST_RANGES} ranges`)
    }
    return ranges.map((each, index) => readRange(each, `time_ranges[${index}]`, today))
  }
  if (range !== null) return cut(readRange(range, 'time_range', today), increment, today)
  return cut(presetRange(preset, today), increment, today)
}

/** The real limit is not known. */
const MOST_RANGES = 400

type Increment = 'all_days' | 'monthly' | number

function incrementOf(text: string | null): Increment {
  if (text === null || text === 'all_days') return 'all_days'
  if (text === 'monthly') return 'monthly'
  if (/^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= 90) return Number(text)
  throw invalid('Param time_increment must be an integer between 1 and 90, or one of all_days, monthly')
}

function readRange(value: unknown, name: string, today: number): Slice {
  if (!isRecord(value)) throw invalid(`Param ${name} must be an object with since and until`)
  const unknown = Object.keys(value).find(key => key !== 'since' && key !== 'until')
  if (unknown !== undefined) throw invalid(`Param ${name} has an unexpected key "${unknown}"`)
  const [first, last] = ['since', 'until'].map(key => {
    const text = value[key]
    const day = typeof text === 'string' ? dayOf(text) : null
    if (day === null) throw invalid(`Param ${name}[${key}] must be a date of the form YYYY-MM-DD`)
    return day
  })
  if (first === undefined || last === undefined || first > last) {
    throw invalid(`Param ${name}: the start date must not be after the end date`)
  }
  if (first < monthsBefore(today, 37)) {
    throw new GraphError(
      400,
      3018,
      '(#3018) The start date of the time range cannot be beyond 37 months from the current date',
    )
  }
  return { first, last }
}

/**
 * Cuts a range from its first day on; the ends are clipped to the range. There are no slices of the future.
 */
function cut({ first, last }: Slice, increment: Increment, today: number): Slice[] {
  if (increment === 'all_days') return [{ first, last }]
  const slices: Slice[] = []
  for (let from = first; from <= Math.min(last, today);) {
    const next = increment === 'monthly' ? monthStart(monthStart(from) + 31) : from + increment
    slices.push({ first: from, last: Math.min(next - 1, last) })
    from = next
  }
  return slices
}

const quarterStart = (day: number) => {
  const [year, month] = isoOf(day).split('-')
  const first = Math.floor((Number(month) - 1) / 3) * 3 + 1
  return knownDay(`${year}-${String(first).padStart(2, '0')}-01`)
}
const yearStart = (day: number) => knownDay(`${isoOf(day).slice(0, 4)}-01-01`)
const lastDays = (count: number) => (today: number) => ({ first: today - count, last: today - 1 })
const monday = (day: number) => day - weekdayOf(day)
const sunday = (day: number) => day - ((weekdayOf(day) + 1) % 7)
const everything = (today: number) => ({ first: monthsBefore(today, 37), last: today })

const PRESETS: Record<string, (today: number) => Slice> = {
  today: today => ({ first: today, last: today }),
  yesterday: lastDays(1),
  this_month: today => ({ first: monthStart(today), last: today }),
  last_month: today => ({ first: monthStart(monthStart(today) - 1), last: monthStart(today) - 1 }),
  this_quarter: today => ({ first: quarterStart(today), last: today }),
  last_quarter: today => ({ first: quarterStart(quarterStart(today) - 1), last: quarterStart(today) - 1 }),
  this_year: today => ({ first: yearStart(today), last: today }),
  last_year: today => ({ first: yearStart(yearStart(today) - 1), last: yearStart(today) - 1 }),
  last_3d: lastDays(3),
  last_7d: lastDays(7),
  last_14d: lastDays(14),
  last_28d: lastDays(28),
  last_30d: lastDays(30),
  last_90d: lastDays(90),
  this_week_mon_today: today => ({ first: monday(today), last: today }),
  this_week_sun_today: today => ({ first: sunday(today), last: today }),
  last_week_mon_sun: today => ({ first: monday(today) - 7, last: monday(today) - 1 }),
  last_week_sun_sat: today => ({ first: sunday(today) - 7, last: sunday(today) - 1 }),
  maximum: everything,
  data_maximum: everything,
}

function presetRange(name: string, today: number): Slice {
  const range = Object.hasOwn(PRESETS, name) ? PRESETS[name]?.(today) : undefined
  if (!range)
    throw invalid(`date_preset must be one of the following values: ${Object.keys(PRESETS).join(', ')}`)
  return range
}

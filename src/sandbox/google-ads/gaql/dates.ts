import { dayOf, isoOf, knownDay, monthsBefore, monthStart, weekdayOf } from '#sandbox/dataset/calendar.ts'
import { AdsError, queryError } from '#sandbox/google-ads/errors.ts'
import { dateValue } from '#sandbox/google-ads/fields/segments.ts'
import { meets } from './conditions.ts'
import type { Condition, Literal } from './parse.ts'

export interface Days {
  first: number
  last: number
}

/**
 * The days that the conditions on core date segments leave: their bounds (infinite where open) and a test of
 * each.
 */
export interface DayFilter extends Days {
  keeps(day: number): boolean
}

export function dayFilterOf(conditions: readonly Condition[], today: number): DayFilter {
  const spans = conditions.map(condition => spanOf(condition, today))
  return {
    first: Math.max(-Infinity, ...spans.map(span => span.first)),
    last: Math.min(Infinity, ...spans.map(span => span.last)),
    keeps: day => spans.every(span => span.keeps(day)),
  }
}

function spanOf(condition: Condition, today: number): DayFilter {
  const { field, operator, values } = condition
  if (operator === 'DURING') {
    const days = DURING[values[0]?.text ?? '']?.(today)
    if (!days || values[0]?.kind !== 'word') {
      throw queryError(
        'INVALID_VALUE_WITH_DURING_OPERATOR',
        `Invalid value for DURING: '${values[0]?.text}'.`,
      )
    }
    return { ...days, keeps: day => day >= days.first && day <= days.last }
  }
  const starts = values.map(value => periodStart(field, value))
  const [low = -Infinity, high = low] = starts
  if (operator === 'BETWEEN' && low > high) {
    throw queryError(
      'INVALID_VALUE_WITH_BETWEEN_OPERATOR',
      `The start date ${isoOf(low)} is after the end date ${isoOf(high)}.`,
    )
  }
  const test = testOfDays(condition, { low, high, starts })
  return { ...boundsOf(condition, { low, high, starts }), keeps: day => test(startOf(field, day)) }
}

type Starts = { low: number; high: number; starts: number[] }

function testOfDays({ operator }: Condition, { low, high, starts }: Starts): (start: number) => boolean {
  switch (operator) {
    case '=':
      return start => start === low
    case '!=':
      return start => start !== low
    case 'IN':
      return start => starts.includes(start)
    case 'NOT IN':
      return start => !starts.includes(start)
    case 'BETWEEN':
      return start => start >= low && start <= high
    case 'IS NULL':
      return () => false
    case 'IS NOT NULL':
      return () => true
    default:
      return start => meets(start - low, operator)
  }
}

function boundsOf({ field, operator }: Condition, { low, high, starts }: Starts): Days {
  const end = (start: number) => periodEnd(field, start)
  switch (operator) {
    case '=':
      return { first: low, last: end(low) }
    case 'BETWEEN':
      return { first: low, last: end(high) }
    case 'IN':
      return { first: Math.min(...starts), last: end(Math.max(...starts)) }
    case '>':
      return { first: end(low) + 1, last: Infinity }
    case '>=':
      return { first: low, last: Infinity }
    case '<':
      return { first: -Infinity, last: low - 1 }
    case '<=':
      return { first: -Infinity, last: end(low) }
    default:
      return { first: -Infinity, last: Infinity }
  }
}

/** The first day of the period that a literal names. */
function periodStart(field: string, { text }: Literal): number {
  const iso =
    field === 'segments.year' ? `${text}-01-01` : text.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')
  const day = dayOf(iso)
  if (day === null) throw queryError('INVALID_DATE_FORMAT', `Invalid date: '${text}'. Use yyyy-MM-dd.`)
  if (startOf(field, day) !== day) {
    throw queryError(
      'MISALIGNED_DATE_FOR_FILTER',
      `The date '${text}' is not the first day of a ${field.slice(9)}.`,
    )
  }
  return day
}

const startOf = (field: string, day: number) =>
  field === 'segments.year'
    ? knownDay(`${dateValue(field, day)}-01-01`)
    : knownDay(String(dateValue(field, day)))

function periodEnd(field: string, start: number): number {
  const months = { 'segments.month': 1, 'segments.quarter': 3, 'segments.year': 12 }[field]
  if (months !== undefined) return monthsBefore(start, -months) - 1
  return field === 'segments.week' ? start + 6 : start
}

const days = (from: number, to: number): Days => ({ first: from, last: to })
const sundayOf = (day: number) => day - ((weekdayOf(day) + 1) % 7)
const mondayOf = (day: number) => day - weekdayOf(day)

const DURING: Record<string, (today: number) => Days> = {
  TODAY: today => days(today, today),
  YESTERDAY: today => days(today - 1, today - 1),
  LAST_7_DAYS: today => days(today - 7, today - 1),
  LAST_14_DAYS: today => days(today - 14, today - 1),
  LAST_30_DAYS: today => days(today - 30, today - 1),
  THIS_MONTH: today => days(monthStart(today), monthsBefore(monthStart(today), -1) - 1),
  LAST_MONTH: today => days(monthsBefore(monthStart(today), 1), monthStart(today) - 1),
  LAST_BUSINESS_WEEK: today => days(mondayOf(today) - 7, mondayOf(today) - 3),
  THIS_WEEK_SUN_TODAY: today => days(sundayOf(today), today),
  THIS_WEEK_MON_TODAY: today => days(mondayOf(today), today),
  LAST_WEEK_SUN_SAT: today => days(sundayOf(today) - 7, sundayOf(today) - 1),
  LAST_WEEK_MON_SUN: today => days(mondayOf(today) - 7, mondayOf(today) - 1),
}

const FINE = new Set(['segments.date', 'segments.week', 'segments.day_of_week', 'segments.hour'])

/** Days, weeks and hours are kept for 37 months; whole months, quarters and years for eleven years. */
export function checkHistory(
  range: Days,
  { segments, today, version }: { segments: Set<string>; today: number; version: string },
) {
  if (!Number.isFinite(range.first)) return
  const limit = monthsBefore(today, 37)
  const fine = [...segments].some(segment => FINE.has(segment))
  const whole = monthStart(range.first) === range.first && monthStart(range.last + 1) === range.last + 1
  const old = range.first < limit
  if (!(old && (fine || !(whole || range.last >= today))) && range.first >= monthsBefore(today, 132)) return
  if (version === 'v23')
    throw new AdsError('dateRangeError', 'INVALID_DATE', 'Invalid date.', { field: 'query' })
  throw new AdsError(
    'dateRangeError',
    'REQUESTED_DATE_GRANULARITY_NOT_SUPPORTED',
    'The requested date range and granularity are not supported: daily, weekly and hourly data is kept for 37 months.',
    { field: 'query' },
  )
}

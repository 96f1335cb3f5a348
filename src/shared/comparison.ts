import type { Comparison, Report } from './api/reports.ts'
import type { CombinationReason, Violation } from './block-rules.ts'
import type { DayRange } from './date-range.ts'

/** How far the compared period lies before the range; months keep the day of the month. */
type Shift = { days: number } | { months: number }

/** What a table shows of it beside each column, always in this order. */
export const comparedParts = ['value', 'change', 'percent'] as const

/** The period that a range is compared with. */
export function comparedRange(range: DayRange, comparison: Pick<Comparison, 'to' | 'align'>): DayRange {
  const shift = shiftOf(range, comparison)
  const [start, end] = [range.start, range.end].map(day => Temporal.PlainDate.from(day))
  if (!start || !end) return range
  const [from, to] = [start.subtract(shift), end.subtract(shift)]
  // A month's last day stays one; elsewhere a day that the month lacks is cut.
  const isWholeMonth = 'months' in shift && end.day === end.daysInMonth
  const last = isWholeMonth ? to.with({ day: to.daysInMonth }) : to
  return { start: from.toString(), end: last.toString() }
}

/** The day of the range that a day of the compared period is set beside; null: it has none. */
export function matchedDay(
  day: string,
  { range, comparison }: { range: DayRange; comparison: Pick<Comparison, 'to' | 'align'> },
): string | null {
  const then = Temporal.PlainDate.from(day)
  const now = then.add(shiftOf(range, comparison))
  if ('months' in shiftOf(range, comparison) && now.day !== then.day) return null
  const text = now.toString()
  return text >= range.start && text <= range.end ? text : null
}

function shiftOf({ start, end }: DayRange, { to, align }: Pick<Comparison, 'to' | 'align'>): Shift {
  const first = Temporal.PlainDate.from(start)
  const last = Temporal.PlainDate.from(end)
  const days = first.until(last, { largestUnit: 'day' }).days + 1
  if (align === 'weekday') return { days: to === 'last_year' ? 364 : Math.ceil(days / 7) * 7 }
  if (to === 'last_year') return { months: 12 }
  if (first.day !== 1) return { days }
  return { months: (last.year - first.year) * 12 + last.month - first.month + 1 }
}

/** Months between the months of a range and those of the compared period, which begin at a first. */
export function comparedMonths(range: DayRange, comparison: Pick<Comparison, 'to' | 'align'>): number {
  const shift = shiftOf(range, comparison)
  return 'months' in shift ? shift.months : 0
}

/** Why the rows of a table cannot be set beside those of the compared period. */
export function whyNotComparison(
  { dimensions, comparison }: Pick<Report, 'dimensions'> & { comparison: Comparison | null },
  range: DayRange | null,
): Violation[] {
  if (comparison === null) return []
  const { to, align } = comparison
  const fromFirst = range === null || range.start.endsWith('-01')
  if (dimensions.includes('week') && align !== 'weekday') return [refusal('week_needs_weekday')]
  if (!dimensions.includes('month')) return []
  if (align !== 'date') return [refusal('month_needs_date')]
  return to === 'previous_period' && !fromFirst ? [refusal('month_needs_first')] : []
}

const refusal = (reason: CombinationReason): Violation => ({
  code: 'comparison_not_allowed',
  path: 'comparison',
  detail: { reason },
})

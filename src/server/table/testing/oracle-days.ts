import type { Dimension } from '#shared/channels/catalogue.ts'

/* Which days are compared with which, and what slice of time a day is in, from calendars alone. */

export interface ComparedWith {
  to: 'previous_period' | 'last_year'
  align: 'date' | 'weekday'
}

/** What the days of a range are compared with. */
export interface ComparedDays {
  start: string
  end: string
  /** Of a day of the range; null: it has none. */
  dayBefore: (day: string) => string | null
  /** The first of a month of the compared period → of the range. */
  monthOf: (month: string) => string
}

const daysIn = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate()
const parts = (day: string) => day.split('-').map(Number) as [number, number, number]
const dayOf = (year: number, month: number, day: number) =>
  [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-')

const DAY_MS = 86_400_000
export const shiftedBy = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
export const lengthOf = (start: string, end: string) => (Date.parse(end) - Date.parse(start)) / DAY_MS + 1

export function comparedDays(start: string, end: string, { to, align }: ComparedWith): ComparedDays {
  const days = lengthOf(start, end)
  const [startYear, startMonth, startDay] = parts(start)
  const [endYear, endMonth, endDay] = parts(end)
  if (align === 'weekday') return byDays(to === 'last_year' ? 364 : Math.ceil(days / 7) * 7)
  if (to === 'last_year') return byMonths(12)
  return startDay === 1 ? byMonths((endYear - startYear) * 12 + endMonth - startMonth + 1) : byDays(days)

  function byDays(back: number): ComparedDays {
    return {
      start: shiftedBy(start, -back),
      end: shiftedBy(end, -back),
      dayBefore: day => shiftedBy(day, -back),
      monthOf: month => month,
    }
  }

  function byMonths(back: number): ComparedDays {
    const placeOf = (year: number, month: number, day: number) => {
      const at = year * 12 + month - 1 - back
      const [yearBefore, monthBefore] = [Math.floor(at / 12), (at % 12) + 1]
      const has = daysIn(yearBefore, monthBefore)
      return { exact: day <= has, first: [yearBefore, monthBefore] as const, has, day: Math.min(day, has) }
    }
    const from = placeOf(startYear, startMonth, startDay)
    const last = placeOf(endYear, endMonth, endDay)
    const isLast = endDay === daysIn(endYear, endMonth)
    return {
      start: dayOf(...from.first, from.day),
      end: dayOf(...last.first, isLast ? last.has : last.day),
      dayBefore: day => {
        const found = placeOf(...parts(day))
        return found.exact ? dayOf(...found.first, found.day) : null
      },
      monthOf: month => {
        const [year, number] = parts(month)
        const at = year * 12 + number - 1 + back
        return dayOf(Math.floor(at / 12), (at % 12) + 1, 1)
      },
    }
  }
}

export const mondayOf = (day: string) => shiftedBy(day, -((new Date(day).getUTCDay() + 6) % 7))
export const monthOf = (day: string) => `${day.slice(0, 8)}01`

/** Money has a rate by month: the coarsest slices that do not cross one, and tell the table's rows apart. */
export function moneySlice(day: string, dimensions: readonly Dimension[]): string {
  if (dimensions.includes('date')) return day
  const month = monthOf(day)
  if (!dimensions.includes('week')) return month
  const monday = mondayOf(day)
  return monday > month ? monday : month
}

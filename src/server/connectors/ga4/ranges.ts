import { chunked } from '#shared/chunked.ts'
import type { TimeGrain } from '#server/connectors/connector.ts'
import type { Slice } from '#server/connectors/kit/slices.ts'
import { timeFields } from './fields.ts'

/** How the rows of one request are assigned to slices. */
export interface Times {
  range: Slice
  /** What is requested beside the dimensions. */
  fields: readonly string[]
  /** The first days of its slices. */
  dates: readonly string[]
  /** First day of the slice that a row's values mean; undefined for none of the range. */
  startOf: (values: string) => string | undefined
}

/**
 * The requests for slices, so many slices in each. A single one needs no dimension of time: it is all
 * of its range.
 */
export function timesOf(slices: Slice[], time: TimeGrain, atOnce: number): Times[] {
  return chunked(slices, atOnce).flatMap(group => {
    const [first] = group
    const last = group.at(-1)
    if (first === undefined || last === undefined) return []
    const range = { start: first.start, end: last.end }
    const dates = group.map(({ start }) => start)
    if (group.length === 1) return { range, fields: [], dates, startOf: () => first.start }
    const fields = timeFields[time]
    const starts = new Map(dates.map(date => [fields.map(field => valueOn(date, field)).join(BETWEEN), date]))
    return { range, fields, dates, startOf: (values: string) => starts.get(values) }
  })
}

/** Between the values of a row where several are one key. */
export const BETWEEN = '\u0000'

/** As GA4 writes it: 20261001, 202610, or year and week of ISO 8601. */
function valueOn(day: string, field: string): string {
  const date = Temporal.PlainDate.from(day)
  if (field === 'isoYearIsoWeek') return `${date.yearOfWeek}${String(date.weekOfYear).padStart(2, '0')}`
  return day.replaceAll('-', '').slice(0, field === 'yearMonth' ? 6 : 8)
}

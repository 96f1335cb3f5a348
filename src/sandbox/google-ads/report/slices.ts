import { knownDay } from '#sandbox/dataset/calendar.ts'
import { dateValue } from '#sandbox/google-ads/fields/segments.ts'
import type { DayFilter } from '#sandbox/google-ads/gaql/dates.ts'

/** The days that share the values of all selected segments of time. */
export interface Slice {
  values: Record<string, string | number>
}

const BEGINNING = knownDay('2022-01-01')

/**
 * The slices of a query, and which of them each day from `first` on belongs to; -1 for days that are filtered
 * out.
 */
export function slicesOf(
  days: DayFilter,
  { segments, today }: { segments: string[]; today: number },
): { slices: Slice[]; first: number; slice_of: Int32Array } {
  const first = Math.max(days.first, BEGINNING)
  const last = Math.min(days.last, today)
  const slices: Slice[] = []
  const known = new Map<string, number>()
  const slice_of = new Int32Array(Math.max(0, last - first + 1)).fill(-1)
  for (let day = first; day <= last; day++) {
    if (!days.keeps(day)) continue
    const values = segments.map((segment): [string, string | number] => [segment, dateValue(segment, day)])
    const key = values.join()
    let slice = known.get(key)
    if (slice === undefined) {
      slice = slices.push({ values: Object.fromEntries(values) }) - 1
      known.set(key, slice)
    }
    slice_of[day - first] = slice
  }
  return { slices, first, slice_of }
}

import { chunked } from '#shared/chunked.ts'
import type { TimeGrain } from '#server/connectors/connector.ts'
import { slicesOf, type Slice } from '#server/connectors/kit/slices.ts'

/** The days of one request. */
export interface Part extends Slice {
  by_day: boolean
  /** What its rows can be dated: each day, or the first day of the only slice. */
  dates: string[]
}

/** Requests whose rows make up whole slices. */
export interface Group {
  parts: Part[]
  /**
   * The first day of the slice that a row belongs to, by what the row is dated; null when rows are slices
   * already.
   */
  slice_starts: ReadonlyMap<string, string> | null
}

/** TikTok's limits for one request, both ends counted. */
const DAYS_BY_DAY = 30
const DAYS = 365

/**
 * The fewest requests for a range. TikTok knows days and nothing else: any other slice is one request of
 * its own. Short slices whose metrics can be added up go several at a time, by day (`rolls_up`).
 */
export function groupsOf(range: Slice, { time, rolls_up }: { time: TimeGrain; rolls_up: boolean }): Group[] {
  const slices = slicesOf(range, time)
  if (time === 'date') {
    return chunked(slices, DAYS_BY_DAY).map(days => ({ parts: [byDay(days)], slice_starts: null }))
  }
  if (rolls_up && (time === 'week' || time === 'month_week')) return runsOf(slices).map(rolledUp)
  return slices.map(oneByOne)
}

/** Neighbouring slices that together have no more days than one request by day takes. */
function runsOf(slices: Slice[]): Slice[][] {
  const runs: Slice[][] = []
  let days = DAYS_BY_DAY
  for (const slice of slices) {
    const length = slicesOf(slice, 'date').length
    if (days + length > DAYS_BY_DAY) {
      runs.push([])
      days = 0
    }
    runs.at(-1)?.push(slice)
    days += length
  }
  return runs
}

function rolledUp(slices: Slice[]): Group {
  const [only, ...others] = slices
  if (only && others.length === 0) return oneByOne(only)
  const slice_starts = new Map(
    slices.flatMap(slice => slicesOf(slice, 'date').map(day => [day.start, slice.start] as const)),
  )
  return { parts: [byDay(slices)], slice_starts }
}

function oneByOne(slice: Slice): Group {
  const parts = chunked(slicesOf(slice, 'date'), DAYS).map(days => ({
    ...spanOf(days),
    by_day: false,
    dates: [slice.start],
  }))
  return { parts, slice_starts: parts.length > 1 ? new Map([[slice.start, slice.start]]) : null }
}

const byDay = (slices: Slice[]): Part => {
  const span = spanOf(slices)
  return { ...span, by_day: true, dates: slicesOf(span, 'date').map(({ start }) => start) }
}

const spanOf = (slices: Slice[]): Slice => ({
  start: slices[0]?.start ?? '',
  end: slices.at(-1)?.end ?? '',
})

import type { ReportRequest, TimeGrain } from '#server/connectors/connector.ts'
import { slicesOf, type Slice } from '#server/connectors/kit/slices.ts'
import { unreadable } from '#server/connectors/kit/failures.ts'

/**
 * How days are put together inside one report of the platform. Weeks cut at the ends of months are requested
 * month by month.
 */
export type Interval = 'total' | 'date' | 'week' | 'month'

export const intervalOf = (time: TimeGrain): Interval => (time === 'month_week' ? 'week' : time)

/** A report of a year of single ads may be larger than the platform makes. */
const DAYS_OF_MANY_ROWS = 92

/**
 * The range in as many pieces as there are reports to request, up to `today`: later days are refused. Each is
 * made of whole slices.
 */
export function partsOf(
  { range, time, dimensions }: Pick<ReportRequest, 'range' | 'time' | 'dimensions'>,
  today: Temporal.PlainDate,
): Slice[] {
  const end = range.end < today.toString() ? range.end : today.toString()
  if (range.start > end) return []
  const known = { start: range.start, end }
  if (time === 'month_week') return slicesOf(known, 'month')
  const hasManyRows = dimensions.some(dimension => dimension === 'ad' || dimension === 'keyword')
  return time === 'date' && hasManyRows ? inPieces(known) : [known]
}

function inPieces({ start, end }: Slice): Slice[] {
  const last = Temporal.PlainDate.from(end)
  const pieces: Slice[] = []
  let from = Temporal.PlainDate.from(start)
  while (Temporal.PlainDate.compare(from, last) <= 0) {
    const next = from.add({ days: DAYS_OF_MANY_ROWS })
    const until = next.subtract({ days: 1 })
    pieces.push({
      start: from.toString(),
      end: (Temporal.PlainDate.compare(until, last) < 0 ? until : last).toString(),
    })
    from = next
  }
  return pieces
}

/**
 * Reads the cell that says the days of a row: the first day of its slice. How the platforms write days is not
 * documented: whatever begins with the first day in digits, year first, is understood, and a month by itself
 * for months; and nothing that is not a slice of the part.
 */
export function startReader(part: Slice, interval: Interval): (cell: string) => string {
  const starts = new Set(slicesOf(part, interval).map(({ start }) => start))
  const known = new Map<string, string>()
  return cell => {
    const before = known.get(cell)
    if (before !== undefined) return before
    const first = dayIn(cell) ?? (interval === 'month' ? monthIn(cell) : null)
    const start = first !== null && first < part.start ? part.start : first
    if (start === null || !starts.has(start)) throw unreadable(`a day that was not asked for: ${cell}`)
    known.set(cell, start)
    return start
  }
}

function dayIn(cell: string): string | null {
  const [, year, month = '', day = ''] =
    /^(\d{4})[/-](\d{1,2})[/-](\d{1,2})(?!\d)/.exec(cell) ?? /^(\d{4})(\d{2})(\d{2})(?!\d)/.exec(cell) ?? []
  return year === undefined ? null : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

function monthIn(cell: string): string | null {
  const [, year, month = ''] = /^(\d{4})[/-]?(\d{1,2})$/.exec(cell) ?? []
  return year === undefined ? null : `${year}-${month.padStart(2, '0')}-01`
}

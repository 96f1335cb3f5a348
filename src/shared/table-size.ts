import type { Report } from './api/reports.ts'
import { dimensions as allDimensions } from './channels/catalogue.ts'
import type { DayRange } from './date-range.ts'
import { columnSorts } from './table-sort.ts'

/** How large a table will be; rows are null where only the data determines it. */
export interface TableSize {
  columns: number
  /** Without the header. */
  rows: number | null
}

/**
 * Columns are certain; rows are, too, while only time and accounts split them (then at most so many), or as
 * many as the report's limit lets through.
 */
export function tableSize(report: Described, range: DayRange | null): TableSize {
  const { limit = null } = report
  const rows = rowsOf(report, range)
  return { columns: columnSorts(report).length, rows: limit === null ? rows : Math.min(rows ?? limit, limit) }
}

type Described = Pick<Report, 'dimensions' | 'channels' | 'arrangement'> &
  Partial<Pick<Report, 'limit' | 'comparison' | 'blends'>>

function rowsOf({ dimensions, channels, arrangement }: Described, range: DayRange | null): number | null {
  const kinds = dimensions.map(dimension => allDimensions[dimension].kind)
  if (range === null || kinds.some(kind => kind === 'entity' || kind === 'breakdown')) return null
  const splits = kinds.includes('account')
  const groups = channels.map(block => (splits ? block.accounts.length : 1))
  const count =
    arrangement === 'stacked'
      ? groups.reduce((sum, group) => sum + group, 0)
      : splits
        ? new Set(channels.flatMap(block => block.accounts)).size
        : 1
  return bucketsOf(dimensions, range) * count
}

/** Months, weeks (from Monday) or days that the range touches; the finest of them counts. */
function bucketsOf(dimensions: Report['dimensions'], { start, end }: DayRange): number {
  const first = Temporal.PlainDate.from(start)
  const last = Temporal.PlainDate.from(end)
  const days = first.until(last, { largestUnit: 'day' }).days + 1
  if (dimensions.includes('date')) return days
  const mondays = (day: Temporal.PlainDate) => day.subtract({ days: day.dayOfWeek - 1 })
  const weeks = mondays(first).until(mondays(last), { largestUnit: 'day' }).days / 7 + 1
  const months = (last.year - first.year) * 12 + last.month - first.month + 1
  const splits = [dimensions.includes('week') ? weeks : 1, dimensions.includes('month') ? months : 1]
  // A week that lies in two months is two rows when both split.
  return splits[0] === 1 || splits[1] === 1 ? Math.max(...splits) : weeks + months - 1
}

import { parseStartCell, type Rect } from '#shared/cell.ts'
import { dateRangeOf, rangeOfRun, todayIn } from '#shared/date-range.ts'
import { tableSize } from '#shared/table-size.ts'
import type { TargetContent } from '#server/http/effects.ts'
import type { ReportInFile } from './queries.ts'

interface Written {
  report_id: number
  sheet_id: number
  rect: Rect
}

export interface TableInFile {
  report: number
  sheet_id: number
  rect: Rect
  kind: 'written' | 'planned'
}

/** The places of the tables of these reports, and of those that have not been written yet or are to move. */
export function tablesOf(
  reports: readonly ReportInFile[],
  { written, tabs, now }: { written: readonly Written[]; tabs: TargetContent['tabs']; now: Date },
): TableInFile[] {
  return reports.flatMap((report): TableInFile[] => {
    const last = written.find(each => each.report_id === report.id)
    const planned = plannedTable(report, { tabs, now })
    const is_there =
      last && planned && last.sheet_id === planned.sheet_id && isSameCorner(last.rect, planned.rect)
    return [
      ...(last
        ? [{ report: report.id, sheet_id: last.sheet_id, rect: last.rect, kind: 'written' as const }]
        : []),
      ...(planned && !is_there ? [planned] : []),
    ]
  })
}

const isSameCorner = ([r0, c0]: Rect, [other_r0, other_c0]: Rect) => r0 === other_r0 && c0 === other_c0

/** Of a table whose number of rows depends on the data, the header and one row are certain. */
function plannedTable(
  report: ReportInFile,
  { tabs, now }: { tabs: TargetContent['tabs']; now: Date },
): TableInFile | null {
  const tab = tabs.find(({ title }) => title === report.sheet_name)
  const cell = parseStartCell(report.start_cell)
  if (!tab || typeof cell === 'string') return null
  const { rows, columns } = tableSize(report, rangeOfRun(dateRangeOf(report), todayIn(report.timezone, now)))
  if (columns === 0) return null
  const rect: Rect = [cell.row, cell.column, cell.row + (rows ?? 1) + 1, cell.column + columns]
  return { report: report.id, sheet_id: tab.sheet_id, rect, kind: 'planned' }
}

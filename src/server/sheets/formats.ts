import type { Rect } from '#shared/cell.ts'
import { isEmpty } from '#shared/rect.ts'
import type { ColumnFormat } from '#server/table/stored-table.ts'
import { boldCells, formatCells, freezeRows, setWidth, type RequestJson } from './body.ts'
import { growthFor } from './plan.ts'
import { rectOf } from './schema.ts'
import type { OldTable, Target } from './target.ts'
import type { Work } from './work.ts'

// A table looks like its preview when it is first written: header bold and frozen, columns as wide as their
// content, numbers with their formats. What people change afterwards is theirs: later runs format only rows
// that are new and columns that are new or of another kind. What was formatted is in the last run's entry.

/** A rectangle of one number format. */
export interface FormatRun {
  rect: Rect
  format: NumberFormat
}
export interface NumberFormat {
  type: 'DATE' | 'NUMBER' | 'PERCENT'
  pattern: string
}

type Formatted = Pick<Work, 'columns' | 'rect' | 'format_table'>

/** All formats that a run sets, for the same change as its cells. */
export async function formatRequests(work: Work, target: Target): Promise<RequestJson[]> {
  const last = lastFormatted(target)
  const numbers = formatRuns(work, last).map(run => formatCells(target.sheet_id, run))
  const fresh = work.format_table ? freshColumns(work, last) : []
  if (fresh.length === 0) return numbers
  const [r0, c0] = work.rect
  return [
    ...numbers,
    ...spansOf(fresh).map(([from, to]) => boldCells(target.sheet_id, [r0, c0 + from, r0 + 1, c0 + to])),
    ...(isLocked(target) ? [] : await layoutRequests(work, target, { fresh, last })),
  ]
}

/** Widths and frozen rows belong to the tab, which other reports may have in common. */
async function layoutRequests(
  work: Work,
  target: Target,
  { fresh, last }: { fresh: number[]; last: OldTable | null },
): Promise<RequestJson[]> {
  const [, c0] = work.rect
  const others = work.other_tables.filter(table => table.sheet_id === target.sheet_id)
  const isShared = (column: number) => others.some(({ rect }) => rect[1] <= column && column < rect[3])
  const widths = await work.table.columnWidths()
  const isFirst = lastCodes(last, work.rect).length === 0
  return [
    ...fresh.flatMap(index => {
      const width = widths[index]
      return width === undefined || isShared(c0 + index) ? [] : [setWidth(target.sheet_id, c0 + index, width)]
    }),
    ...(isFirst && mayFreeze(work, target) ? [freezeRows(target.sheet_id, work.rect[0] + 1)] : []),
  ]
}

/** Frozen rows take their part of the screen for good. */
const MOST_FROZEN = 5

/**
 * Whether the rows down to the header may be frozen: nobody has frozen any, no table of another report begins
 * above, and the service would not refuse it, as it does when all rows are frozen or a merged cell is cut.
 */
function mayFreeze({ rect, other_tables }: Work, target: Target): boolean {
  const below = rect[0] + 1
  const rows = target.rows + growthFor(target, rect).rows
  const isCut = target.sheet.merges
    .map(range => rectOf(range, target.rows, target.columns))
    .some(merge => merge[0] < below && merge[2] > below)
  const hasTableAbove = other_tables.some(
    table => table.sheet_id === target.sheet_id && table.rect[0] < rect[0],
  )
  const { frozenRowCount } = target.sheet.properties.gridProperties
  return below <= MOST_FROZEN && rows > below && frozenRowCount === 0 && !isCut && !hasTableAbove
}

/** With a protection somewhere in the tab, changes of its layout may be refused, and the table with them. */
const isLocked = ({ sheet }: Target) =>
  sheet.protectedRanges.some(each => !each.warningOnly && !each.requestingUserCanEdit)

/** The table by which the formats are decided: with a change under way it is the one before that. */
export const lastFormatted = ({ old }: Pick<Target, 'old'>): OldTable | null => old.at(-1) ?? null

/**
 * The cells that get a number format: all of a column that is new or has another type than last time, else
 * only rows that are new. The rest keeps the formats that its user may have set.
 */
export function formatRuns(work: Formatted, last: OldTable | null): FormatRun[] {
  const { columns, rect } = work
  const [r0, c0, r1] = rect
  const fresh = new Set(freshColumns(work, last))
  const runs: FormatRun[] = []
  for (const [index, column] of columns.entries()) {
    const format = work.format_table || needsFormat(column.format) ? numberFormat(column.format) : null
    const from = fresh.has(index) || !last ? r0 + 1 : Math.max(last.rect[2], r0 + 1)
    const run: Rect = [from, c0 + index, r1, c0 + index + 1]
    if (format === null || isEmpty(run)) continue
    const before = runs.at(-1)
    if (
      before &&
      before.rect[0] === from &&
      before.rect[3] === run[1] &&
      before.format.pattern === format.pattern
    )
      before.rect[3]++
    else runs.push({ rect: run, format })
  }
  return runs
}

/** The columns that this run formats from the header down. */
function freshColumns({ columns, rect, format_table }: Formatted, last: OldTable | null): number[] {
  const codes = lastCodes(last, rect)
  return columns.flatMap(({ format }, index) => {
    const code = codes[index] ?? ''
    const isSame = code === formatCode(format) || (!format_table && code === plainCode(format))
    return isSame ? [] : [index]
  })
}

/** How the columns of the last table were formatted; empty when it was elsewhere, or nothing is known. */
function lastCodes(last: OldTable | null, [r0, c0]: Rect): string[] {
  const isHere = last !== null && last.fmt !== null && last.rect[0] === r0 && last.rect[1] === c0
  return isHere && last.fmt ? last.fmt.split(',') : []
}

/**
 * How all columns are formatted after this run, short enough to be kept in the tab. A column that was
 * formatted once stays so when the report does not format its table any more.
 */
export function formatCodes({ columns, rect, format_table }: Formatted, last: OldTable | null): string {
  const codes = lastCodes(last, rect)
  return columns
    .map(({ format }, index) =>
      format_table || codes[index] === formatCode(format) ? formatCode(format) : plainCode(format),
    )
    .join(',')
}

const formatCode = (format: ColumnFormat) =>
  format.kind === 'number' || format.kind === 'percent'
    ? `${format.kind[0]}${format.digits}`
    : `${format.kind[0]}`

/** Of a column without more formats than it needs. */
const plainCode = (format: ColumnFormat) => `${formatCode(format)}-`

/** Without their format, dates and percentages would be bare numbers that mean something else. */
const needsFormat = ({ kind }: ColumnFormat) => kind === 'day' || kind === 'month' || kind === 'percent'

/** Text needs no format: it is sent as text and stays so. */
function numberFormat(format: ColumnFormat): NumberFormat | null {
  switch (format.kind) {
    case 'text':
      return null
    case 'day':
      return { type: 'DATE', pattern: 'yyyy-mm-dd' }
    case 'month':
      return { type: 'DATE', pattern: 'yyyy-mm' }
    case 'number':
      return { type: 'NUMBER', pattern: `#,##0${decimals(format.digits)}` }
    case 'percent':
      return { type: 'PERCENT', pattern: `0${decimals(format.digits)}%` }
  }
}

const decimals = (digits: number) => (digits > 0 ? `.${'0'.repeat(digits)}` : '')

/** Neighbours together: [1, 2, 3, 7] → [1, 4), [7, 8). */
function spansOf(indexes: number[]): [from: number, to: number][] {
  const spans: [number, number][] = []
  for (const index of indexes) {
    const last = spans.at(-1)
    if (last?.[1] === index) last[1]++
    else spans.push([index, index + 1])
  }
  return spans
}

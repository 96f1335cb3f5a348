import type { CreateReport, Gap } from '#shared/api/reports.ts'
import { parseStartCell } from '#shared/cell.ts'
import { dateRangeOf, todayIn, type DateRangeColumns } from '#shared/date-range.ts'
import { hasEnded } from '#shared/schedule-end.ts'
import { frequency, nextOccurrence, type Schedule } from '#shared/schedule.ts'
import { isSameZone } from '#shared/zone-names.ts'

/** The fields that determine the setup of a report. */
export interface Setup {
  start_cell: string
  sheet_name: string
  spreadsheet_id: string | null
  /** Outcome of the last permission check; null before the first. */
  target_state: string | null
  channels: readonly { accounts: readonly unknown[]; metrics: readonly unknown[] }[]
}

/** What keeps a report from running; with any of these it is neither scheduled nor run. */
export function gapsOf({ start_cell, sheet_name, spreadsheet_id, target_state, channels }: Setup): Gap[] {
  const is_unset =
    channels.length === 0 || channels.some(block => !block.accounts.length || !block.metrics.length)
  return [
    ...(start_cell === '' ? ['start_cell_not_set' as const] : []),
    ...(sheet_name === '' ? ['page_not_set' as const] : []),
    ...(spreadsheet_id === null || target_state !== 'ok' ? ['permission_not_set' as const] : []),
    ...(is_unset ? ['channels_not_set' as const] : []),
  ]
}

/** What determines when a report runs next. */
export interface Scheduled extends Schedule, Setup, DateRangeColumns {
  next_run_at: Date | null
}

/** Its fixed range is over by more than 14 days, or it was to run once and has. */
export function isOver(report: Scheduled, now: Date): boolean {
  if (hasEnded(dateRangeOf(report), todayIn(report.timezone, now))) return true
  const had_its_run = report.update_frequency === frequency.once && report.next_run_at === null
  return had_its_run && gapsOf(report).length === 0
}

/** 0 inactive, 1 active, 2 pending, 3 ended */
export function statusOf(report: Scheduled, { task, now }: { task: string | null; now: Date }): number {
  if (task !== null) return 2
  if (isOver(report, now)) return 3
  return report.next_run_at === null ? 0 : 1
}

/**
 * When a report that has just been changed runs next; `before` is the previous version, null for a new one.
 */
export function nextRunOf(
  report: Scheduled,
  { before, now }: { before: Scheduled | null; now: Date },
): Date | null {
  if (!wantsToRun(report, now)) return null
  const is_as_before = before !== null && wantsToRun(before, now) && sameSchedule(report, before)
  return is_as_before ? before.next_run_at : nextOccurrence(report, now)
}

const wantsToRun = (report: Scheduled, now: Date) =>
  gapsOf(report).length === 0 && !hasEnded(dateRangeOf(report), todayIn(report.timezone, now))

/** A report that runs once is not restarted by a new name. */
function sameSchedule(a: Schedule, b: Schedule): boolean {
  return (
    a.update_frequency === b.update_frequency &&
    a.update_time === b.update_time &&
    a.update_day_of_week === b.update_day_of_week &&
    a.update_day_of_month === b.update_day_of_month &&
    isSameZone(a.timezone, b.timezone)
  )
}

/**
 * The days as the frequency needs them: weekly has a weekday (Monday unless chosen), monthly a day (the 1st),
 * the others neither.
 */
export function daysOf({
  update_frequency,
  update_day_of_week,
  update_day_of_month,
}: Pick<CreateReport, 'update_frequency' | 'update_day_of_week' | 'update_day_of_month'>) {
  return {
    update_day_of_week: update_frequency === frequency.weekly ? (update_day_of_week ?? 1) : null,
    update_day_of_month: update_frequency === frequency.monthly ? (update_day_of_month ?? 1) : null,
  }
}

/** `c4` is C4; what is no cell is left for the rules to refuse. */
export const tidyCell = (text: string): string =>
  typeof parseStartCell(text) === 'string' ? text.trim() : text.trim().toUpperCase()

const LONGEST_NAME = 120
const COPY = ' (copy)'
export const copyName = (name: string) =>
  Array.from(name)
    .slice(0, LONGEST_NAME - COPY.length)
    .join('') + COPY

/** The default name of a report, in the owner's language. */
export const unnamed = { en: 'Unnamed report', 'zh-TW': '未命名報表' } as const

import { reportAccess, type Person } from '#shared/access.ts'
import type { BlockOutcome } from '#shared/api/executions.ts'
import type { LastRun, Report } from '#shared/api/reports.ts'
import { frequency } from '#shared/schedule.ts'
import { dateRangeOf } from '#shared/date-range.ts'
import type { SignedInUser } from '#server/http/session.ts'
import type { ReportRow } from './queries.ts'
import { gapsOf, isOver, statusOf } from './rules.ts'

/** How the asking person sees the report; null when they do not see it. */
export const accessOf = (person: Person, report: Pick<ReportRow, 'owner' | 'share_access'>) =>
  reportAccess(person, report, report.share_access === null ? null : { access: report.share_access })

/** A report as the API returns it to one person. */
export function presentReport(row: ReportRow, { user, now }: { user: SignedInUser; now: Date }): Report {
  const access = accessOf(user, row) ?? 'viewer'
  const status = statusOf(row, { task: row.task, now })
  const isOverNow = isOver(row, now)
  return {
    id: row.id,
    version: row.version,
    name: row.name,
    folder: row.viewer_folder,
    spreadsheet_url: row.spreadsheet_url,
    sheet_name: row.sheet_name,
    start_cell: row.start_cell,
    timezone: row.timezone,
    header_language: row.header_language,
    arrangement: row.arrangement,
    fill_zero: row.fill_zero,
    format_table: row.format_table,
    sort: row.sort,
    limit: row.limit,
    currency: row.currency,
    comparison: row.comparison,
    note: row.note,
    blends: row.blends,
    dimensions: row.dimensions,
    channels: row.channels,
    date_range: dateRangeOf(row),
    update_frequency: isOverNow ? frequency.ended : row.update_frequency,
    chosen_frequency: row.update_frequency,
    update_time: row.update_time,
    update_day_of_week: row.update_day_of_week,
    update_day_of_month: row.update_day_of_month,
    status,
    task: row.task,
    gaps: gapsOf(row),
    target_state: row.target_state,
    sheet_id: row.sheet_id,
    history_extended: row.history_extended,
    owner: row.owner,
    owner_name: row.owner_name,
    access,
    shared_by: access === 'owner' ? null : row.sharer_name,
    favourite: row.favourite,
    copied_by: row.copied_by,
    copied_by_username: row.copied_by_username,
    next_run_at: isOverNow ? null : (row.next_run_at?.toISOString() ?? null),
    last_run: lastRunOf(row),
    created_at: row.created_at.toISOString(),
    last_modified_at: row.last_modified_at.toISOString(),
  }
}

function lastRunOf({ last_runs: [run] }: ReportRow): LastRun | null {
  if (!run) return null
  // Through JSON a time is text in the database's own spelling.
  const finished_at = run.finished_at === null ? null : new Date(run.finished_at).toISOString()
  const { id, status, rows, columns, code, partial, blocks } = run
  return { id, status, finished_at, rows, columns, code, partial, proof: proofOf(blocks) }
}

/** Of all blocks together. Runs from before reconciliation have none. */
function proofOf(blocks: readonly Pick<BlockOutcome, 'proof'>[]): LastRun['proof'] {
  const proofs = blocks.map(({ proof }) => proof ?? null)
  if (proofs.some(proof => proof?.matches === false)) return 'differs'
  return proofs.length > 0 && proofs.every(proof => proof !== null) ? 'matches' : null
}

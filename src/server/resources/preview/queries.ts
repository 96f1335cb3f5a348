import { isDeepStrictEqual } from 'node:util'
import { PREVIEW_ROWS, type Preview } from '#shared/api/preview.ts'
import type { Db } from '#server/db/connect.ts'
import type { ReportTable } from '#server/resources/reports/queries.ts'
import { draftOf, type Draft } from '#server/resources/reports/draft.ts'
import { readFirstRows } from '#server/resources/runs/table-store.ts'

/** The report's last run, if it used this description; null otherwise. */
export async function lastRunOf(db: Db, report: ReportTable, draft: Draft) {
  if (!isDeepStrictEqual(tableOf(draftOf(report)), tableOf(draft))) return null
  const run = await db
    .selectFrom('run')
    .select(['id', 'rows', 'finished_at'])
    .where('report', '=', report.id)
    .where('status', '=', 'completed')
    .where('report_version', '=', report.version)
    .orderBy('finished_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return run ?? null
}
export type LastRun = NonNullable<Awaited<ReturnType<typeof lastRunOf>>>

const tableOf = ({ dimensions, channels, arrangement, date_range, ...draft }: Draft) => ({
  dimensions,
  channels,
  arrangement,
  fill_zero: draft.fill_zero,
  sort: draft.sort,
  limit: draft.limit,
  date_range,
  header_language: draft.header_language,
})

/**
 * The preview with the first rows of the table that a run has stored; unchanged when that table was deleted.
 */
export async function withRowsOf(db: Db, run: LastRun, preview: Preview): Promise<Preview> {
  const table = await readFirstRows(db, run.id, PREVIEW_ROWS)
  if (!table || run.finished_at === null) return preview
  return {
    ...preview,
    columns: table.columns,
    rows: table.rows,
    totals: null,
    has_more: table.row_count > PREVIEW_ROWS,
    rows_before_limit: null,
    code: null,
    estimate: { rows: table.row_count, kind: 'about', from: 'last_run' },
    cells: (table.row_count + 1) * table.columns.length,
    as_of: run.finished_at.toISOString(),
    from_run: true,
  }
}

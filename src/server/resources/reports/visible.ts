import type { Person } from '#shared/access.ts'
import type { Db } from '#server/db/connect.ts'
import { refuse } from '#server/http/refusal.ts'
import { accessOf } from './present.ts'
import { readReports, type ReportRow } from './queries.ts'

/** Those of some reports that the person sees; in no particular order. */
export async function visibleReports(db: Db, person: Person, ids: readonly number[]): Promise<ReportRow[]> {
  const rows = await readReports(db, person, ids)
  return rows.filter(row => row.deleted_at === null && accessOf(person, row) !== null)
}

/** The report; refused when the person does not see it. */
export async function visibleReport(db: Db, person: Person, id: number): Promise<ReportRow> {
  const [report] = await visibleReports(db, person, [id])
  if (!report) throw refuse('not_found')
  return report
}

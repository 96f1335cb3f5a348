import { z } from 'zod'
import { IdText } from '#shared/api/list.ts'
import type { Db } from '#server/db/connect.ts'
import { refuse } from '#server/http/refusal.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { accessOf } from '#server/resources/reports/present.ts'
import { readReports } from '#server/resources/reports/queries.ts'

export const ReportPath = z.object({ id: IdText })
export const RunPath = z.object({ id: IdText, run_id: z.uuid() })

/** The report, if the person sees it. */
export async function seenReport(db: Db, user: SignedInUser, id: number) {
  const [report] = await readReports(db, user, [id])
  if (!report || report.deleted_at !== null || accessOf(user, report) === null) throw refuse('not_found')
  return report
}

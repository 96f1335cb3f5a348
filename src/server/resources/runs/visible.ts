import { z } from 'zod'
import { IdPath } from '#shared/api/list.ts'
import type { Person } from '#shared/access.ts'
import type { Db } from '#server/db/connect.ts'
import { refuse } from '#server/http/refusal.ts'
import { findRun } from './history-queries.ts'

/** A run of a report. */
export const RunPath = IdPath.extend({ run_id: z.uuid() })

/** The run of that report; refused when the report has none of this id, or the person does not see it. */
export async function visibleRun(db: Db, viewer: Person, id: { report: number; run: string }) {
  const run = await findRun(db, viewer, id)
  if (!run) throw refuse('not_found')
  return run
}

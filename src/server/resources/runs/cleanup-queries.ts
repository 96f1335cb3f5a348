import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import { idAt } from '#server/db/id-at.ts'
import { inBatches } from '#server/db/in-batches.ts'

/**
 * A run is part of its report's history for so long; the last one that wrote a table stays, since it says
 * where that table is.
 */
export const RUN_RETENTION_DAYS = 400
const DAY_MS = 24 * 3600_000

export async function deleteOldRuns(db: Db, now: Date): Promise<number> {
  return await inBatches(
    limit => sql`
      delete from run where id in (
        select id from run old
        where id < ${idAt(new Date(now.getTime() - RUN_RETENTION_DAYS * DAY_MS))}::uuid
          and finished_at is not null
          and (written is null or exists (
            select from run newer
            where newer.report = old.report and newer.finished_at > old.finished_at and newer.written is not null
          ))
          -- Its table may have been restored.
          and not exists (select from run undo where undo.restores = old.id)
        limit ${limit}
      )`,
    db,
  )
}

/** Chunks of failed attempts, and of runs that have ended without a table. */
export async function deleteStrayChunks(db: Db): Promise<number> {
  return await inBatches(
    limit => sql`
      delete from run_chunk where (run, attempt, seq) in (
        select run, run_chunk.attempt, seq from run_chunk join run on run.id = run_chunk.run
        where run.status in ('error', 'cancelled')
          or run.status = 'completed' and run_chunk.attempt is distinct from run.table_attempt
        limit ${limit}
      )`,
    db,
  )
}

/** Requests that can no longer be applied, and leases of deleted runs. */
export async function deleteOldWrites(db: Db): Promise<void> {
  await sql`delete from spreadsheet_write where started_at < now() - interval '1 day'`.execute(db)
  await sql`delete from spreadsheet_lease where until < now() - interval '1 day'`.execute(db)
}

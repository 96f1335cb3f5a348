import type { RunChanges } from '#shared/api/run-changes.ts'
import type { Db } from '#server/db/connect.ts'

/** The fields of a run whose table is compared. */
export async function findCompared(db: Db, { report, run }: { report: number; run: string }) {
  const found = await tables(db, report).where('run.id', '=', run).executeTakeFirst()
  return found ?? null
}

/** The run that wrote the report's table before this one. */
export async function runBefore(db: Db, { report, finished_at }: { report: number; finished_at: Date }) {
  const found = await tables(db, report)
    .where('run.status', '=', 'completed')
    .where('run.written', 'is not', null)
    .where('run.finished_at', '<', finished_at)
    .orderBy('run.finished_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found ?? null
}

/** The plan and the age of a table are those of the run that fetched it. */
const tables = (db: Db, report: number) =>
  db
    .selectFrom('run')
    .innerJoin('run as origin', join =>
      join.on('origin.id', '=', eb => eb.fn.coalesce('run.restores', 'run.id')),
    )
    .where('run.report', '=', report)
    .select([
      'run.id',
      'run.report',
      'run.status',
      'run.finished_at',
      'run.written',
      'run.plan',
      'run.changes',
      'origin.finished_at as fetched_at',
    ])
    .select(eb =>
      eb
        .exists(
          eb.selectFrom('run_chunk').select('run_chunk.run').whereRef('run_chunk.run', '=', 'origin.id'),
        )
        .as('has_table'),
    )

export async function saveChanges(db: Db, run: string, changes: RunChanges): Promise<void> {
  await db
    .updateTable('run')
    .set({ changes: JSON.stringify(changes) })
    .where('id', '=', run)
    .execute()
}

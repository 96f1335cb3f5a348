import { randomUUIDv7 } from 'node:crypto'
import { sql, type Selectable, type Transaction } from 'kysely'
import { hasEnded, todayIn } from '#shared/date-range.ts'
import { frequency, nextOccurrence } from '#shared/schedule.ts'
import type { Db } from '#server/db/connect.ts'
import type { Database } from '#server/db/schema.ts'
import { inTransaction } from '#server/db/transaction.ts'

/**
 * Turns occurrences into runs, each exactly once: the report's `next_run_at` is moved on in the transaction that inserts the run, rows are
 * claimed with skip locked, and an index allows one run a report and occurrence. So any number of processes may dispatch. A report that was not
 * dispatched for a while (downtime) gets one run for all that it missed, since `next_run_at` moves on to what lies ahead of now.
 */
export interface DispatchEffects {
  db: Db
  /** Tells the queue, in the same transaction. */
  enqueue: (trx: Transaction<Database>, run_ids: string[]) => Promise<void>
  /** Whether the report is set up so that it can run. */
  isReady: (report: Selectable<Database['report']>) => boolean
  now: () => Date
}

/** How many reports one transaction claims: small enough to hold no lock for long, large enough for a herd. */
const BATCH = 200

/** Dispatches everything that is due. Returns how many runs began. */
export async function dispatchDue(effects: DispatchEffects): Promise<number> {
  let begun = 0
  for (;;) {
    const batch = await inTransaction(effects.db, trx => dispatchBatch(trx, effects))
    begun += batch.begun
    if (batch.claimed < BATCH) return begun
  }
}

async function dispatchBatch(trx: Transaction<Database>, effects: DispatchEffects) {
  const now = effects.now()
  const reports = await claimDue(trx, now)
  const run_ids: string[] = []
  for (const report of reports) {
    const due_at = report.next_run_at
    const ended = hasEnded(rangeOf(report), todayIn(report.timezone, now))
    await moveOn(trx, report.id, ended ? null : following(report, now))
    if (ended || !due_at || !effects.isReady(report)) continue
    const run_id = await insertRun(trx, report, due_at)
    if (run_id) run_ids.push(run_id)
  }
  await effects.enqueue(trx, run_ids)
  return { claimed: reports.length, begun: run_ids.length }
}

/** Reports that are due and not running; one whose run is still under way stays due until that has ended. */
async function claimDue(trx: Transaction<Database>, now: Date) {
  return trx
    .selectFrom('report')
    .selectAll()
    .where('next_run_at', '<=', now)
    .where('deleted_at', 'is', null)
    .where(eb =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('run')
            .select('run.id')
            .whereRef('run.report', '=', 'report.id')
            .where('run.status', 'in', ['queued', 'fetching', 'writing']),
        ),
      ),
    )
    .orderBy('next_run_at')
    .limit(BATCH)
    .forUpdate()
    .skipLocked()
    .execute()
}

const rangeOf = (report: Selectable<Database['report']>) => ({
  start: report.date_start,
  end: report.date_end,
  dynamic_range: report.dynamic_range,
})

const following = (report: Selectable<Database['report']>, now: Date) =>
  report.update_frequency === frequency.once ? null : nextOccurrence(report, now)

async function moveOn(trx: Transaction<Database>, id: number, next_run_at: Date | null) {
  await trx.updateTable('report').set({ next_run_at }).where('id', '=', id).execute()
}

async function insertRun(trx: Transaction<Database>, report: Selectable<Database['report']>, due_at: Date) {
  const run = await trx
    .insertInto('run')
    .values({
      id: randomUUIDv7(),
      report: report.id,
      owner: report.owner,
      trigger: 'schedule',
      status: 'queued',
      due_at,
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return run?.id ?? null
}

/** When the next report is due; null when none is. */
export async function nextDue(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(next_run_at) as at from report where next_run_at is not null and deleted_at is null`.execute(
    db,
  )
  return rows[0]?.at ?? null
}

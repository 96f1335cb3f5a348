import { randomUUIDv7 } from 'node:crypto'
import { sql, type Selectable } from 'kysely'
import { dateRangeOf, todayIn } from '#shared/date-range.ts'
import { hasEnded } from '#shared/schedule-end.ts'
import { frequency, nextOccurrence } from '#shared/schedule.ts'
import type { Db } from '#server/db/connect.ts'
import type { Database } from '#server/db/schema.ts'
import { inTransaction, type Trx } from '#server/db/transaction.ts'

/**
 * Turns occurrences into runs, each exactly once: the report's `next_run_at` is advanced in the transaction
 * that inserts the run, rows are claimed with skip locked, and an index allows one run a report and
 * occurrence. So any number of processes may dispatch. A report that was not dispatched for a while
 * (downtime) gets one run for all that it missed, since `next_run_at` advances to the first occurrence after
 * now.
 */
export interface DispatchEffects {
  db: Db
  /** Enqueues the runs that begin, in the same transaction. */
  enqueue: (trx: Trx, run_ids: string[]) => Promise<void>
  /** Whether the report is set up so that it can run. */
  isReady: (report: DueReport) => boolean
  /** By the database's clock: a scheduler whose own clock is wrong has no effect. */
  now: () => Date
  /** Notifies the owners of reports whose schedule has ended by itself, in the same transaction. */
  notifyEnded: (trx: Trx, reports: readonly DueReport[]) => Promise<void>
  /** A report whose next occurrence cannot be computed; it is retried in an hour and delays no other. */
  onUnexpected: (error: unknown, report_id: number) => void
}

export type DueReport = Selectable<Database['report']>

/**
 * How many reports one transaction claims: small enough to hold no lock for long, large enough for a burst.
 */
const BATCH = 1000

/** Dispatches everything that is due. Returns how many runs began. */
export async function dispatchDue(effects: DispatchEffects): Promise<number> {
  let started = 0
  for (;;) {
    const batch = await inTransaction(effects.db, trx => dispatchBatch(trx, effects))
    started += batch.started
    if (batch.claimed < BATCH) return started
  }
}

async function dispatchBatch(trx: Trx, effects: DispatchEffects) {
  const reports = await claimDue(trx, effects.now())
  const decisions = reports.map(report => decide(report, effects))
  await moveOn(trx, decisions)
  const run_ids = await insertRuns(
    trx,
    decisions.filter(decision => decision.begins).map(decision => decision.report),
  )
  await effects.enqueue(trx, run_ids)
  await effects.notifyEnded(
    trx,
    decisions.filter(decision => decision.ended).map(decision => decision.report),
  )
  return { claimed: reports.length, started: run_ids.length }
}

interface Decision {
  report: DueReport
  begins: boolean
  /** Its range lies more than 14 days back. */
  ended: boolean
  next_run_at: Date | null
}

function decide(report: DueReport, { now: clock, isReady, onUnexpected }: DispatchEffects): Decision {
  const now = clock()
  try {
    if (hasEnded(dateRangeOf(report), todayIn(report.timezone, now)))
      return { report, begins: false, ended: true, next_run_at: null }
    return { report, begins: isReady(report), ended: false, next_run_at: following(report, now) }
  } catch (error) {
    onUnexpected(error, report.id)
    return { report, begins: false, ended: false, next_run_at: new Date(now.getTime() + 3600_000) }
  }
}

/**
 * Reports that are due and not running; one whose run is still in progress stays due until that has ended.
 */
async function claimDue(trx: Trx, now: Date) {
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

const following = (report: DueReport, now: Date) =>
  report.update_frequency === frequency.once ? null : nextOccurrence(report, now)

async function moveOn(trx: Trx, decisions: Decision[]) {
  if (decisions.length === 0) return
  await sql`
    update report set next_run_at = each.next_run_at
    from unnest(
      ${decisions.map(decision => decision.report.id)}::bigint[],
      ${decisions.map(decision => decision.next_run_at?.toISOString() ?? null)}::timestamptz[]
    ) as each (id, next_run_at)
    where report.id = each.id`.execute(trx)
}

/** Returns the runs that are new. */
async function insertRuns(trx: Trx, reports: DueReport[]): Promise<string[]> {
  if (reports.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    insert into run (id, report, owner, trigger, status, due_at)
    select id, report, owner, 'schedule', 'queued', due_at
    from unnest(
      ${reports.map(() => randomUUIDv7())}::uuid[],
      ${reports.map(report => report.id)}::bigint[],
      ${reports.map(report => report.owner)}::bigint[],
      ${reports.map(report => report.next_run_at?.toISOString() ?? null)}::timestamptz[]
    ) as each (id, report, owner, due_at)
    on conflict do nothing
    returning id`.execute(trx)
  return rows.map(row => row.id)
}

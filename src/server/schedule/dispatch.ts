import { randomUUIDv7 } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import { dateRangeOf, todayIn, type DateRangeColumns } from '#shared/date-range.ts'
import { hasEnded } from '#shared/schedule-end.ts'
import { frequency, nextOccurrence, type Schedule } from '#shared/schedule.ts'
import type { Db } from '#server/db/connect.ts'
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
  /** Whether the row of `report` is set up so that it can run. In SQL: its channels are most of the row. */
  isReady: RawBuilder<boolean>
  /** By the database's clock: a scheduler whose own clock is wrong has no effect. */
  now: () => Date
  /** Notifies the owners of reports whose schedule has ended by itself, in the same transaction. */
  notifyEnded: (trx: Trx, reports: readonly DueReport[]) => Promise<void>
  /** A report whose next occurrence cannot be computed; it is retried in an hour and delays no other. */
  onUnexpected: (error: unknown, report_id: number) => void
}

/** What a decision needs of a report, and no more: ten thousand are read at nine. */
export interface DueReport extends Schedule, DateRangeColumns {
  id: number
  owner: number
  next_run_at: Date
  ready: boolean
}

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
  const now = effects.now()
  const reports = await claimDue(trx, effects.isReady, now)
  const schedules = new Map<string, Date | null>()
  const decisions = reports.map(report =>
    decide(report, { schedules, now, onUnexpected: effects.onUnexpected }),
  )
  const run_ids = await moveOnAndBegin(trx, decisions)
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

interface Deciding extends Pick<DispatchEffects, 'onUnexpected'> {
  /** Next occurrences that are computed already: thousands of reports have a few schedules. */
  schedules: Map<string, Date | null>
  now: Date
}

function decide(report: DueReport, deciding: Deciding): Decision {
  const { now, onUnexpected } = deciding
  try {
    const range = dateRangeOf(report)
    if (range.dynamic_range === 0 && hasEnded(range, todayIn(report.timezone, now)))
      return { report, begins: false, ended: true, next_run_at: null }
    return { report, begins: report.ready, ended: false, next_run_at: following(report, deciding) }
  } catch (error) {
    onUnexpected(error, report.id)
    return { report, begins: false, ended: false, next_run_at: new Date(now.getTime() + 3600_000) }
  }
}

function following(report: DueReport, { schedules, now }: Deciding): Date | null {
  if (report.update_frequency === frequency.once) return null
  const key = [
    report.timezone,
    report.update_frequency,
    report.update_time,
    report.update_day_of_week,
    report.update_day_of_month,
  ].join()
  const known = schedules.get(key)
  if (known !== undefined) return known
  const next = nextOccurrence(report, now)
  schedules.set(key, next)
  return next
}

/**
 * Reports that are due and not running; one whose run is still in progress stays due until that has ended.
 * `offset 0` makes Postgres look each report up among the runs in progress, whatever it believes to be their
 * number: as a join it compared every report with all runs that the previous batches had begun.
 */
async function claimDue(trx: Trx, isReady: RawBuilder<boolean>, now: Date): Promise<DueReport[]> {
  const { rows } = await sql<DueReport>`
    select id, owner, next_run_at, timezone, update_frequency, update_time, update_day_of_week, update_day_of_month,
      date_start, date_end, dynamic_range, ${isReady} as ready
    from report
    where next_run_at <= ${now} and deleted_at is null and not exists (
      select from run where run.report = report.id and run.status in ('queued', 'fetching', 'writing') offset 0)
    order by next_run_at limit ${BATCH} for update skip locked`.execute(trx)
  return rows
}

/** Returns the runs that are new. */
async function moveOnAndBegin(trx: Trx, decisions: Decision[]): Promise<string[]> {
  if (decisions.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    with decided as (
      select * from unnest(
        ${decisions.map(({ report }) => report.id)}::bigint[],
        ${decisions.map(({ report }) => report.owner)}::bigint[],
        ${decisions.map(({ report }) => report.next_run_at.toISOString())}::timestamptz[],
        ${decisions.map(({ next_run_at }) => next_run_at?.toISOString() ?? null)}::timestamptz[],
        ${decisions.map(({ begins }) => (begins ? randomUUIDv7() : null))}::uuid[]
      ) as each (report, owner, due_at, next_run_at, run)
    ), moved as (
      update report set next_run_at = decided.next_run_at from decided where report.id = decided.report
    )
    insert into run (id, report, owner, trigger, status, due_at)
    select run, report, owner, 'schedule', 'queued', due_at from decided where run is not null
    on conflict do nothing
    returning id`.execute(trx)
  return rows.map(row => row.id)
}

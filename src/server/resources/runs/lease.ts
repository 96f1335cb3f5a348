import { sql, type RawBuilder, type Selectable, type Transaction } from 'kysely'
import type { WorkerPool } from '#server/admission/pool.ts'
import type { Db } from '#server/db/connect.ts'
import type { Database } from '#server/db/schema.ts'
import { isLeaseOver, nextRun } from '#server/queue/queue.ts'
import { openJournal, type Journal } from './journal.ts'
import { runCancelled, leaseLost } from './failure.ts'

/**
 * Who may work on a run. A claim counts `attempt` up and holds the row for `lease_s`; heartbeats prolong it. Whoever holds an older attempt,
 * because the process was killed, paused or cut off, may change nothing any more: each recording statement asks for its attempt. The
 * database's clock is the only one that counts, so a worker whose clock is wrong does no harm.
 */
export const LEASE_S = 10
/** Heartbeats in the time of a lease. */
const BEATS = 3.3
/** A run whose process dies three times in a row (out of memory, say) is quarantined. */
const MAX_WORKER_DEATHS = 3
/** The same where nobody has seen what became of the process: machines come and go, and none of that is the run's fault. */
const MAX_LOST_LEASES = 20

export const isQuarantined = ({ worker_deaths, lost_leases }: ClaimedRun) =>
  worker_deaths >= MAX_WORKER_DEATHS || lost_leases >= MAX_LOST_LEASES

/** A process has died with these runs in hand, as the one that had started it has seen. */
export async function noteWorkerDeath(db: Db, run_ids: readonly string[]): Promise<void> {
  await sql`
    update run set worker_deaths = worker_deaths + 1
    where id = any(${run_ids}::uuid[]) and status in ('fetching', 'writing')`.execute(db)
}

export type ClaimedRun = Selectable<Database['run']> & {
  /** By the database's clock. */
  claimed_at: Date
  lease_s: number
  journal: Journal
}

/** Who claims: a name for people, and how long a dead worker's run stays its own. */
export interface Claimant {
  worker: string
  lease_s?: number
}

/** The run that goes next in this pool; null: nothing may be claimed. */
export const claimNextRun = (db: Db, pool: WorkerPool, claimant: Claimant): Promise<ClaimedRun | null> =>
  claim(db, nextRun(pool), claimant)

/** This run, if nobody else has it and it may go on; null otherwise. */
export const claimRun = (db: Db, runId: string, claimant: Claimant): Promise<ClaimedRun | null> =>
  claim(
    db,
    sql`
      select id from run
      where id = ${runId} and status in ('queued', 'fetching', 'writing')
        and (lease_until is null or ${isLeaseOver}) and (resumes_at is null or resumes_at <= now())
      for update skip locked`,
    claimant,
  )

async function claim(
  db: Db,
  run: RawBuilder<string>,
  { worker, lease_s = LEASE_S }: Claimant,
): Promise<ClaimedRun | null> {
  const { rows } = await sql<Selectable<Database['run']> & { claimed_at: Date }>`
    update run set
      attempt = attempt + 1,
      timeline = timeline || jsonb_build_object(
        'phase', case when table_rows is null then 'fetching' else 'writing' end,
        'at', now(), 'attempt', attempt + 1, 'taken_over', status <> 'queued'),
      lost_leases = lost_leases + case when status in ('fetching', 'writing') then 1 else 0 end,
      status = case when table_rows is null then 'fetching' else 'writing' end,
      worker = ${worker},
      lease_until = now() + ${lease_s} * interval '1 s',
      started_at = coalesce(started_at, now()),
      resumes_at = null
    where id = (${run})
    returning *, now() as claimed_at`.execute(db)
  return rows[0] ? { ...rows[0], lease_s, journal: openJournal(rows[0]) } : null
}

export interface Lease {
  /** Aborted with an AttemptError: the lease is lost, or the run cancelled. */
  signal: AbortSignal
  stop(): void
}

/** Prolongs the lease until stopped, and aborts its signal when it is lost or the run is cancelled. */
export function keepLease(db: Db, run: ClaimedRun): Lease {
  const controller = new AbortController()
  let beat_at: number | null = null
  let last_beat = performance.now()
  const beat = async () => {
    const began = performance.now()
    beat_at = began
    try {
      const row = await prolong(db, run)
      if (!row) controller.abort(leaseLost())
      else if (row.cancel_requested_at) controller.abort(runCancelled())
      last_beat = began
    } catch {
      abortWhenLate()
    } finally {
      beat_at = null
    }
  }
  // The database is away, or cut off without a word; the lease runs out by itself, so stop before it does.
  const abortWhenLate = () => {
    if (performance.now() - last_beat > run.lease_s * 800) controller.abort(leaseLost())
  }
  const timer = setInterval(
    () => {
      if (beat_at === null) void beat()
      else abortWhenLate()
    },
    (run.lease_s * 1000) / BEATS,
  )
  return { signal: controller.signal, stop: () => clearInterval(timer) }
}

/** Prolongs the run's lease, and with it the spreadsheet's turn: putting a large table together there takes longer than one lease. */
async function prolong(db: Db, run: ClaimedRun) {
  const until = sql`now() + ${run.lease_s} * interval '1 s'`
  const { rows } = await sql<{ cancel_requested_at: Date | null }>`
    with held as (
      update run set lease_until = ${until}
      where id = ${run.id} and attempt = ${run.attempt} and status in ('fetching', 'writing')
      -- What already writes is let finish.
      returning id, attempt, case when status = 'fetching' then cancel_requested_at end as cancel_requested_at
    ), turn as (
      update spreadsheet_lease set until = ${until} from held
      where spreadsheet_lease.run = held.id and spreadsheet_lease.attempt = held.attempt
    )
    select cancel_requested_at from held`.execute(db)
  return rows[0]
}

/**
 * Locks the run's row for the rest of the transaction; throws when the attempt may change nothing any more. Answers whether somebody wants it
 * cancelled.
 */
export async function holdRun(
  trx: Transaction<Database>,
  run: ClaimedRun,
): Promise<{ is_cancelled: boolean }> {
  const { rows } = await sql<{ is_cancelled: boolean }>`
    select cancel_requested_at is not null as is_cancelled from run
    where id = ${run.id} and attempt = ${run.attempt} and lease_until > clock_timestamp()
      and status in ('fetching', 'writing')
    for update`.execute(trx)
  if (!rows[0]) throw leaseLost()
  return rows[0]
}

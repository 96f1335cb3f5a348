import type { Db } from '#server/db/connect.ts'
import { plannedOnce } from '#server/db/planned-once.ts'
import type { Trx } from '#server/db/transaction.ts'
import { sql, type Selectable, type RawBuilder } from 'kysely'
import type { Database } from '#server/db/schema.ts'
import type { WorkerPool } from '#server/admission/pool.ts'
import { nextRun, isLeaseOver } from '#server/queue/queue.ts'
import { openJournal, type Journal } from './journal.ts'
import { leaseLost } from './failure.ts'

/**
 * Who may work on a run. A claim counts `attempt` up and holds the row for `lease_s`; heartbeats prolong it.
 * The holder of an older attempt, after its process was paused or cut off, may change nothing any more: each
 * recording statement checks its attempt. The database's clock is the only one that counts, so a worker whose
 * clock is wrong does no harm.
 */
export const LEASE_S = 10

/** A process has died while executing these runs, as its parent has seen. */
export async function recordWorkerDeath(db: Db, run_ids: readonly string[]): Promise<void> {
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

/** Who claims: a name for people, and how long a dead worker's run stays leased. */
export interface Claimant {
  worker: string
  lease_s?: number
}

/** The run that goes next in this pool; null: nothing may be claimed. */
export const claimNextRun = (db: Db, pool: WorkerPool, claimant: Claimant): Promise<ClaimedRun | null> =>
  claim(db, nextRun(pool), claimant)

/** This run, if no other attempt has it and it may go on; null otherwise. */
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
  const { rows } = await sql<Selectable<Database['run']> & { claimed_at: Date }>`${plannedOnce}
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

/**
 * Prolongs the run's lease, and with it the lease of the spreadsheet: assembling a large table there takes
 * longer than one lease.
 */
export async function prolong(db: Db, run: ClaimedRun) {
  const until = sql`now() + ${run.lease_s} * interval '1 s'`
  const { rows } = await sql<{ cancel_requested_at: Date | null }>`
    with held as (
      update run set lease_until = ${until}
      where id = ${run.id} and attempt = ${run.attempt} and status in ('fetching', 'writing')
      -- A writing run finishes.
      returning id, attempt, case when status = 'fetching' then cancel_requested_at end as cancel_requested_at
    ), turn as (
      update spreadsheet_lease set until = ${until} from held
      where spreadsheet_lease.run = held.id and spreadsheet_lease.attempt = held.attempt
    )
    select cancel_requested_at from held`.execute(db)
  return rows[0]
}

/** Whether this attempt may still change the run. */
export const isHeldBy = ({ id, attempt }: Pick<ClaimedRun, 'id' | 'attempt'>) => sql<boolean>`
  run.id = ${id} and run.attempt = ${attempt} and run.lease_until > clock_timestamp()
    and run.status in ('fetching', 'writing')`

/**
 * Locks the run's row for the rest of the transaction; throws when the attempt may change nothing any more.
 * Returns whether cancelling was requested.
 */
export async function holdRun(trx: Trx, run: ClaimedRun): Promise<{ is_cancelled: boolean }> {
  const { rows } = await sql<{ is_cancelled: boolean }>`
    select cancel_requested_at is not null as is_cancelled from run where ${isHeldBy(run)} for update`.execute(
    trx,
  )
  if (!rows[0]) throw leaseLost()
  return rows[0]
}

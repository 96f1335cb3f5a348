import { sql, type Selectable, type Transaction } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import type { Database } from '#server/db/schema.ts'

/**
 * Who may work on a run. A claim counts `attempt` up and holds the row for `LEASE_S`; heartbeats prolong it. Whoever holds an older attempt,
 * because the process was killed, paused or cut off, may change nothing any more: each recording statement asks for its attempt. The
 * database's clock is the only one that counts, so a worker whose clock is wrong does no harm.
 */
export const LEASE_S = 10
const HEARTBEAT_MS = 3000
/** A run that takes its worker down three times (out of memory, say) is set aside. */
export const MAX_LOST_LEASES = 3

export type ClaimedRun = Selectable<Database['run']>

/** The run, if nobody else has it and it is due; null otherwise. */
export async function claimRun(db: Db, run_id: string, worker: string): Promise<ClaimedRun | null> {
  const { rows } = await sql<ClaimedRun>`
    update run set
      attempt = attempt + 1,
      lost_leases = lost_leases + case when status in ('fetching', 'writing') then 1 else 0 end,
      status = case when table_rows is null then 'fetching' else 'writing' end,
      worker = ${worker},
      lease_until = now() + ${LEASE_S} * interval '1 s',
      started_at = coalesce(started_at, now()),
      resumes_at = null
    where id = ${run_id}
      and status in ('queued', 'fetching', 'writing')
      and (lease_until is null or lease_until < now())
      and (resumes_at is null or resumes_at <= now())
    returning *`.execute(db)
  return rows[0] ?? null
}

/** Thrown inside an attempt that may change nothing any more. */
export class LeaseLost extends Error {
  constructor() {
    super('another attempt has taken this run over')
    this.name = 'LeaseLost'
  }
}

/** Thrown inside an attempt whose run somebody has cancelled. */
export class RunCancelled extends Error {
  constructor() {
    super('the run was cancelled')
    this.name = 'RunCancelled'
  }
}

export interface Lease {
  /** Aborted with LeaseLost or RunCancelled. */
  signal: AbortSignal
  stop(): void
}

/** Prolongs the lease until stopped, and aborts its signal when it is lost or the run is cancelled. */
export function keepLease(db: Db, run: ClaimedRun): Lease {
  const controller = new AbortController()
  let beating = false
  let last_beat = performance.now()
  const beat = async () => {
    if (beating) return
    beating = true
    try {
      const row = await prolong(db, run)
      if (!row) controller.abort(new LeaseLost())
      else if (row.cancel_requested_at) controller.abort(new RunCancelled())
      else last_beat = performance.now()
    } catch {
      // The database is away; the lease runs out by itself, so stop before it does.
      if (performance.now() - last_beat > (LEASE_S - 2) * 1000) controller.abort(new LeaseLost())
    } finally {
      beating = false
    }
  }
  const timer = setInterval(() => void beat(), HEARTBEAT_MS)
  return { signal: controller.signal, stop: () => clearInterval(timer) }
}

async function prolong(db: Db, run: ClaimedRun) {
  return db
    .updateTable('run')
    .set({ lease_until: sql`now() + ${LEASE_S} * interval '1 s'` })
    .where('id', '=', run.id)
    .where('attempt', '=', run.attempt)
    .where('status', 'in', ['fetching', 'writing'])
    .returning('cancel_requested_at')
    .executeTakeFirst()
}

/** Locks the run's row for the rest of the transaction; throws when the attempt may change nothing any more. */
export async function holdRun(trx: Transaction<Database>, run: ClaimedRun): Promise<void> {
  const { rows } = await sql`
    select 1 from run
    where id = ${run.id} and attempt = ${run.attempt} and lease_until > clock_timestamp()
      and status in ('fetching', 'writing')
    for update`.execute(trx)
  if (rows.length === 0) throw new LeaseLost()
}

/**
 * Runs that nobody seems to have, told of at most every 10 seconds each: their worker died, or (after a restore) the queue has forgotten them.
 */
export async function takeForsakenRuns(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update run set nudged_at = now()
    where id in (
      select id from run
      where (status in ('fetching', 'writing') and lease_until < now() and (nudged_at is null or nudged_at < now() - interval '10 s'))
         or (status = 'queued' and coalesce(resumes_at, queued_at) < now() - interval '5 min'
             and (nudged_at is null or nudged_at < now() - interval '5 min'))
      limit ${limit} for update skip locked
    )
    returning id`.execute(db)
  return rows.map(row => row.id)
}

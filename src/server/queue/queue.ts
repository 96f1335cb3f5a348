import { sql, type RawBuilder } from 'kysely'
import { assignRounds } from '#server/admission/fair-order.ts'
import { markLargeRuns, type WorkerPool } from '#server/admission/pool.ts'
import type { Db } from '#server/db/connect.ts'
import { plannedOnce } from '#server/db/planned-once.ts'

/**
 * The rows of `run` are the queue: what is queued may be claimed, and nothing else says so. This file defines
 * their order, and how workers are notified. That a run is claimed once, and by which worker, is recorded in
 * its lease (resources/runs/lease.ts).
 */

/** Gives new runs their position in the order, and wakes workers when the transaction commits. */
export async function enqueueRuns(trx: Db, runIds: readonly string[]): Promise<void> {
  if (runIds.length === 0) return
  await assignRounds(trx, runIds)
  await sql`${plannedOnce}
    with large as (${markLargeRuns(runIds)})
    ${notifying(runIds, sql`is_large or id in (select id from large)`)}`.execute(trx)
}

/**
 * These runs may be claimed from now on. A notification that is lost with its connection costs a worker's
 * POLL_MS.
 */
export async function wakeWorkers(db: Db, runIds: readonly string[]): Promise<void> {
  await notifying(runIds, sql`is_large`).execute(db)
}

const notifying = (runIds: readonly string[], isLarge: RawBuilder<unknown>) => sql`
  select pg_notify(${channel}, pool) from (
    select distinct case when ${isLarge} then 'alone' else 'shared' end as pool from run where id = any(${runIds}::uuid[])
  ) woken`

/** Of this product alone: another one in the same database has a schema of its own. */
const channel: RawBuilder<string> = sql`'sheetcast_queue_' || current_schema()::regnamespace::oid`

/** The channel on which workers of a pool listen for its name. */
export async function queueChannel(db: Db): Promise<string> {
  const { rows } = await sql<{ channel: string }>`select ${channel} as channel`.execute(db)
  return rows[0]?.channel ?? ''
}

/** Runs that become due by themselves, or lose their worker, cause no notification; and one can be lost. */
export const POLL_MS = 1000

/**
 * The id of the run that goes next in this pool, locked until the end of the statement; none: nothing may be
 * claimed. Orphaned runs go first. Manual runs go before scheduled ones, among those the ones that have begun
 * before the others; these are ordered by rounds, so that one owner's or one advertiser's thousand reports do
 * not hold up the rest. Postgres reads one of these branches after the other until it has found one, each by
 * an index: the cost does not grow with the number of waiting runs.
 */
export function nextRun(pool: WorkerPool, { lock = true } = {}): RawBuilder<string> {
  const first = (condition: RawBuilder<unknown>, order: RawBuilder<unknown>) => sql`
    select id from (
      select id from run where ${condition} order by ${order} limit 1 ${lock ? sql`for update skip locked` : sql``}
    ) one`
  const isLarge = pool === 'alone'
  const hasLostWorker = (lease: RawBuilder<boolean>) => sql`
    status in ('fetching', 'writing') and ${lease} and ${isLarge} = (
      is_large
      -- Two losses may be another run's fault; the third time it runs alone, so that no other is quarantined for it.
      or lost_leases > 0)`
  const isQueued = (trigger: 'click' | 'schedule') => sql`
    status = 'queued' and is_large = ${isLarge}
      and (case when trigger = 'schedule' then 1 else 0 end) = ${trigger === 'schedule' ? 1 : 0}`
  const goesOn = (trigger: 'click' | 'schedule') =>
    first(sql`${isQueued(trigger)} and resumes_at <= now()`, sql`resumes_at`)
  const begins = (trigger: 'click' | 'schedule') =>
    first(sql`${isQueued(trigger)} and resumes_at is null`, sql`coalesce(round, 0), id`)
  return sql`
    select id from (
      ${first(hasLostWorker(hasRunOut), sql`lease_until`)}
      union all ${first(hasLostWorker(liesTooFarAhead), sql`lease_until`)}
      union all ${goesOn('click')} union all ${begins('click')}
      union all ${goesOn('schedule')} union all ${begins('schedule')}
    ) next limit 1`
}

const hasRunOut: RawBuilder<boolean> = sql`lease_until <= now()`
/** The database's clock was set back: the holder, if there is one, prolongs the lease at once. */
const liesTooFarAhead: RawBuilder<boolean> = sql`lease_until > now() + interval '1 min'`

/** Whether a lease has ended. */
export const isLeaseOver: RawBuilder<boolean> = sql`(${hasRunOut} or ${liesTooFarAhead})`

/** Whether a run of the pool waits for a worker. */
export async function isRunWaiting(db: Db, pool: WorkerPool): Promise<boolean> {
  const { rows } = await sql`${nextRun(pool, { lock: false })}`.execute(db)
  return rows.length > 0
}

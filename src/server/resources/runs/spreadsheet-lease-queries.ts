import { sql } from 'kysely'
import type { Trx } from '#server/db/transaction.ts'
import type { Db } from '#server/db/connect.ts'
import { plannedOnce } from '#server/db/planned-once.ts'
import { AttemptError, leaseLost } from './failure.ts'
import { isHeldBy, type ClaimedRun } from './lease-queries.ts'

/**
 * Which run may write to a spreadsheet. Writes to one spreadsheet never overlap, and a request of unknown
 * outcome can still be applied for three minutes: another run waits until it cannot any more. An attempt of
 * the same run need not wait, since it writes the same bytes under the same id, and the spreadsheet takes
 * each id once.
 */
export const LANDS_WITHIN_S = 200

/** Acquires the lease: null when this attempt has it, else the milliseconds after which to try again. */
export async function acquireSpreadsheetLease(
  db: Db,
  run: ClaimedRun,
  spreadsheet_id: string,
): Promise<number | null> {
  const { rows } = await sql<{ is_held: boolean; is_taken: boolean }>`${plannedOnce}
    with held as (select id, attempt from run where ${isHeldBy(run)} for update), taken as (
      insert into spreadsheet_lease as lease (spreadsheet_id, run, attempt, until)
      select ${spreadsheet_id}, id, attempt, now() + ${run.lease_s} * interval '1 s' from held
      on conflict (spreadsheet_id) do update
        set run = excluded.run, attempt = excluded.attempt, until = excluded.until
        -- Further ahead than any lease lasts: the database's clock was set back.
        where not lease.until between now() and now() + interval '1 min' or lease.run = excluded.run
      returning 1
    )
    select exists (select from held) as is_held, exists (select from taken) as is_taken`.execute(db)
  if (!rows[0]?.is_held) throw leaseLost()
  if (!rows[0].is_taken) return POLL_MS * Math.min(1 + (await waitingFor(db, spreadsheet_id)), 10)
  // Read once the lease is ours: the one before may have recorded a request until then.
  return await landingWait(db, run, spreadsheet_id)
}

// A table is written within a second or two; the more runs wait, the less often each of them tries.
const POLL_MS = 1500

async function waitingFor(db: Db, spreadsheet_id: string): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from run join report on report.id = run.report
    where report.spreadsheet_id = ${spreadsheet_id} and run.status = 'queued' and run.table_rows is not null`.execute(
    db,
  )
  return rows[0]?.waiting ?? 0
}

/** How long a request of another run may still be applied; null when none can. */
async function landingWait(db: Db, run: ClaimedRun, spreadsheet_id: string) {
  const { rows } = await sql<{ wait_ms: number | null }>`${plannedOnce}
    select extract(epoch from max(started_at) + ${LANDS_WITHIN_S} * interval '1 s' - now())::float8 * 1000 as wait_ms
    from spreadsheet_write
    where spreadsheet_id = ${spreadsheet_id} and settled_at is null and run <> ${run.id}
      and started_at > now() - ${LANDS_WITHIN_S} * interval '1 s'`.execute(db)
  const wait_ms = rows[0]?.wait_ms ?? null
  return wait_ms === null ? null : Math.max(1, Math.ceil(wait_ms))
}

/**
 * Records a request before it is sent, if this attempt may still write; the last moment at which a newer
 * attempt, a lost spreadsheet or a revoked right stops it. Returns the id to settle it by.
 */
export async function noteWrite(db: Db, run: ClaimedRun, spreadsheet_id: string): Promise<number> {
  const { rows } = await sql<{ id: number | null; is_held: boolean }>`${plannedOnce}
    with held as (select id, attempt from run where ${isHeldBy(run)} for update), lease as (
      update spreadsheet_lease set until = now() + ${run.lease_s} * interval '1 s' from held
      where spreadsheet_id = ${spreadsheet_id} and run = held.id and spreadsheet_lease.attempt = held.attempt
      returning spreadsheet_id, run, spreadsheet_lease.attempt
    ), noted as (
      insert into spreadsheet_write (spreadsheet_id, run, attempt, started_at)
      select spreadsheet_id, run, attempt, clock_timestamp() from lease
      returning id
    )
    select exists (select from held) as is_held, (select id from noted) as id`.execute(db)
  const { is_held, id } = rows[0] ?? { is_held: false, id: null }
  if (!is_held) throw leaseLost()
  // It has passed to another run, since this one was suspended for too long.
  if (id === null) throw new AttemptError({ kind: 'spreadsheet_taken', wait_ms: 0 })
  return id
}

/** The outcome of these requests is known, whatever it was. */
export async function settleWrites(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('spreadsheet_write').where('id', 'in', ids).execute()
}

export async function releaseSpreadsheet(trx: Trx, run: ClaimedRun) {
  await trx.deleteFrom('spreadsheet_lease').where('run', '=', run.id).execute()
}

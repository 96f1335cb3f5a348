import { sql, type Selectable } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import type { Database } from '#server/db/schema.ts'
import { SheetsFailure } from '#server/sheets/failure.ts'
import type { SheetsLimiter, SheetsPermits } from '#server/sheets/requests.ts'
import { joinWaitlist, swapPositions } from './fair-order.ts'

/** What is read here of a run that a worker has claimed. */
export interface ClaimedRun extends Pick<
  Selectable<Database['run']>,
  'id' | 'trigger' | 'attempt' | 'waitlist' | 'round' | 'waitlist_until'
> {
  /** By the database's clock. */
  claimed_at: Date
}

export interface WaitlistEffects {
  limiter: SheetsLimiter
  sleep: (ms: number) => Promise<void>
  /** These runs may be claimed from now on, once the transaction commits. */
  wakeWorkers: (trx: Db, runIds: readonly string[]) => Promise<void>
}

/** A worker waits this long in place; for a longer wait the run releases it. */
const SHORT_WAIT_MS = 2000

/**
 * Waits for the run's position in the waitlist of those that are to write with its system user. A run whose
 * position is far off reserves it once and releases its worker until then; meanwhile it may swap with a run
 * of an earlier round. Manual runs have a waitlist of their own. Throws SheetsFailure `quota_exhausted` with
 * the time to go on.
 */
export async function waitForPosition(db: Db, run: ClaimedRun, effects: WaitlistEffects): Promise<void> {
  const wait_ms = run.waitlist_until === null ? await join(db, run, effects) : await resume(db, run, effects)
  if (wait_ms > SHORT_WAIT_MS) throw new SheetsFailure('quota_exhausted', { retry_after_ms: wait_ms })
  await effects.sleep(wait_ms)
}

async function join(db: Db, run: ClaimedRun, { limiter }: WaitlistEffects): Promise<number> {
  const { waitlist, wait_ms } = await limiter.reservePosition(
    run.trigger === 'schedule' ? 'schedule' : 'click',
  )
  if (wait_ms > SHORT_WAIT_MS) await joinWaitlist(db, run, { waitlist, wait_ms })
  return wait_ms
}

async function resume(db: Db, run: ClaimedRun, { wakeWorkers }: WaitlistEffects): Promise<number> {
  if (run.waitlist === null || run.waitlist_until === null) return 0
  // Its worker was cut off just after it had swapped.
  const earlyMs = run.waitlist_until.getTime() - run.claimed_at.getTime()
  if (earlyMs > SHORT_WAIT_MS) return earlyMs
  return await db.transaction().execute(async trx => {
    const swap = await swapPositions(trx, run)
    if (!swap) return 0
    await wakeWorkers(trx, [swap.first])
    return swap.wait_ms
  })
}

/** From then on it does not join the waitlist again, whatever it waits for. */
export async function keepPosition(db: Db, run: ClaimedRun, wait_ms: number) {
  await sql`
    update run set waitlist_until = now() + ${wait_ms} * interval '1 ms'
    where id = ${run.id} and attempt = ${run.attempt}`.execute(db)
}

/**
 * Takes the permits for the read and the write of a small table before anything is sent, so that no run reads
 * in vain when no write is left.
 */
export async function prepay(permits: SheetsPermits): Promise<SheetsPermits> {
  await permits.acquire('write', 'read')
  const paid = new Set<'read' | 'write'>(['read', 'write'])
  return {
    ...permits,
    acquire: async (...kinds) => {
      const unpaid = kinds.filter(kind => !paid.delete(kind))
      if (unpaid.length > 0) await permits.acquire(...unpaid)
    },
  }
}

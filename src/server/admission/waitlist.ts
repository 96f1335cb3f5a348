import { sql, type Selectable } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import type { Database } from '#server/db/schema.ts'
import { SheetsFailure } from '#server/sheets/failure.ts'
import type { SheetsLimiter, SheetsPermits } from '#server/sheets/requests.ts'
import { changePlaces, joinLine } from './fair-order.ts'

/** What is asked here of a run that a worker has claimed. */
export interface ClaimedRun extends Pick<
  Selectable<Database['run']>,
  'id' | 'trigger' | 'attempt' | 'line' | 'round' | 'turn_at'
> {
  /** By the database's clock. */
  claimed_at: Date
}

export interface LineEffects {
  quota: SheetsLimiter
  sleep: (ms: number) => Promise<void>
  /** Tells the queue that a run wants to go on then, in the same transaction. */
  enqueueAt: (trx: Db, run: Pick<ClaimedRun, 'id' | 'trigger'>, resumes_at: Date) => Promise<void>
}

/** Sat out; for a longer wait the run gives its worker back. */
const SHORT_WAIT_MS = 2000

/**
 * Before a run asks for its spreadsheet: a place in the line of those who want to write. One whose turn is far off is given its place once and comes back
 * then; by then it may have changed places with another one, whose round is earlier. Clicks have a line of their own. Throws SheetsFailure `quota_exhausted`
 * with the time to come back.
 */
export async function standInLine(db: Db, run: ClaimedRun, effects: LineEffects): Promise<void> {
  const wait_ms = run.turn_at === null ? await join(db, run, effects) : await comeBack(db, run, effects)
  if (wait_ms > SHORT_WAIT_MS) throw new SheetsFailure('quota_exhausted', { retry_after_ms: wait_ms })
  await effects.sleep(wait_ms)
}

async function join(db: Db, run: ClaimedRun, { quota }: LineEffects): Promise<number> {
  const { waitlist, wait_ms } = await quota.reservePosition(run.trigger === 'schedule' ? 'schedule' : 'click')
  if (wait_ms > SHORT_WAIT_MS) await joinLine(db, run, { line: waitlist, wait_ms })
  return wait_ms
}

async function comeBack(db: Db, run: ClaimedRun, { enqueueAt }: LineEffects): Promise<number> {
  if (run.line === null || run.turn_at === null) return 0
  // Its worker was cut off just after it had changed places.
  const early_ms = run.turn_at.getTime() - run.claimed_at.getTime()
  if (early_ms > SHORT_WAIT_MS) return early_ms
  return await db.transaction().execute(async trx => {
    const changed = await changePlaces(trx, run)
    if (!changed) return 0
    await enqueueAt(trx, { id: changed.first, trigger: run.trigger }, run.claimed_at)
    return changed.wait_ms
  })
}

/** From then on it need not queue up again, whatever keeps it waiting. */
export async function keepPlace(db: Db, run: ClaimedRun, wait_ms: number) {
  await sql`
    update run set turn_at = now() + ${wait_ms} * interval '1 ms'
    where id = ${run.id} and attempt = ${run.attempt}`.execute(db)
}

/**
 * The read and the write that a small table takes are taken out of the quota before anything is sent, so that no run has read in vain when there is no
 * write left.
 */
export async function prepay(quota: SheetsPermits): Promise<SheetsPermits> {
  await quota.before('write')
  await quota.before('read')
  const paid = new Set<'read' | 'write'>(['read', 'write'])
  return {
    ...quota,
    before: async kind => {
      if (!paid.delete(kind)) await quota.before(kind)
    },
  }
}

import type { BlockOutcome } from '#shared/api/executions.ts'
import { isErrorCode } from '#shared/errors.ts'
import type { Db } from '#server/db/connect.ts'
import { chunksOf } from './chunks.ts'
import { endingOf, RunFailure } from './failure.ts'
import { fetchBlocks, settleBlocks, type FetchEffects, type FetchProgress } from './fetch-blocks.ts'
import { claimRun, keepLease, LeaseLost, MAX_LOST_LEASES, type ClaimedRun } from './lease.ts'
import { planOf, type SavedPlan } from './plan-of.ts'
import { completeRun, failRun, postponeRun, saveProgress } from './queries.ts'
import { startTable } from './shape.ts'
import { storeTable } from './table-store.ts'
import { writeToTarget, type WriteEffects } from './write-to-target.ts'

type Given = Omit<FetchEffects, 'signal' | 'onProgress' | 'sleep'> & Omit<WriteEffects, 'sleep'>

export interface RunEffects extends Given {
  db: Db
  /** Waits; rejects early with the signal's reason. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** Names the process, for people. */
  worker: string
  /** Tells the queue that the run wants to go on then, in the same transaction. */
  enqueueAt: (trx: Db, run_id: string, resumes_at: Date) => Promise<void>
  /** Aborted, with NotYet as its reason, when the process has to go: the run is handed back then. */
  stopping: AbortSignal
  /** A mistake of ours, for the log. */
  onUnexpected: (error: unknown, run: ClaimedRun) => void
}

/**
 * One attempt at a run: plan, fetch, shape, store, write, record. It may be called twice for one run, in any process, and may die anywhere: the
 * next attempt goes on from what is recorded. A failure of the report is recorded, not thrown.
 */
export async function runReport(run_id: string, effects: RunEffects): Promise<void> {
  const { db } = effects
  const run = await claimRun(db, run_id, effects.worker)
  if (!run) return
  const lease = keepLease(db, run)
  const signal = AbortSignal.any([lease.signal, effects.stopping])
  try {
    await effects.step('claimed', run)
    if (run.lost_leases >= MAX_LOST_LEASES)
      throw new RunFailure('internal_error', { lost_leases: run.lost_leases })
    const saved = await planOf(db, run, effects.now())
    if (run.table_rows === null) await fetchAndStore(run, saved, { signal, effects })
    await effects.step('stored', run)
    const written = await writeToTarget(db, run, {
      saved,
      signal,
      effects: { ...effects, sleep: ms => effects.sleep(ms, signal) },
    })
    await effects.step('written', run)
    await completeRun(db, run, written)
    await effects.step('completed', run)
  } catch (error) {
    await recordEnd(run, signal.aborted ? signal.reason : error, effects)
  } finally {
    lease.stop()
  }
}

/** Asks the platforms and stores the finished table: from here on the run writes these bytes, whatever the platforms say later. */
async function fetchAndStore(
  run: ClaimedRun,
  saved: SavedPlan,
  { signal, effects }: { signal: AbortSignal; effects: RunEffects },
) {
  const { db } = effects
  const collector = startTable(saved.plan)
  const report = throttled(PROGRESS_MS, (progress: FetchProgress) => saveProgress(db, run, progress))
  const fetched = await fetchBlocks(saved.plan, collector, {
    ...effects,
    sleep: ms => effects.sleep(ms, signal),
    signal,
    onProgress: report,
  })
  await effects.step('fetched', run)
  const table = collector.finish()
  const blocks = settleBlocks(fetched.blocks, table.block_rows)
  await saveProgress(db, run, { ...fetched, blocks })
  refuseLackingOutput(saved, blocks)
  signal.throwIfAborted()
  await storeTable(db, run, table, chunksOf(table))
}

// Often enough to look alive, seldom enough to cost nothing.
const PROGRESS_MS = 500

/** Nothing is written when no block has any output, nor when a block that the report cannot do without has failed. */
function refuseLackingOutput({ must_not_fail }: SavedPlan, blocks: BlockOutcome[]) {
  const failed = blocks.find((block, index) => block.status === 'error' && must_not_fail.includes(index))
  if (!failed && blocks.some(block => block.status === 'ok')) return
  const { code, platform_message } = failed ?? blocks.find(block => block.status === 'error') ?? {}
  throw new RunFailure(
    code && isErrorCode(code) ? code : 'channel_no_data',
    platform_message ? { platform_message } : {},
  )
}

async function recordEnd(run: ClaimedRun, error: unknown, effects: RunEffects) {
  const ending = endingOf(error, run, effects.now())
  if (ending.kind === 'silent') return
  if ((ending.kind === 'error' || ending.kind === 'postponed') && ending.unexpected)
    effects.onUnexpected(error, run)
  try {
    if (ending.kind === 'postponed') {
      const resumes_at = new Date(effects.now().getTime() + ending.wait_ms)
      await effects.db.transaction().execute(async trx => {
        await postponeRun(trx, run, { ...ending, resumes_at })
        await effects.enqueueAt(trx, run.id, resumes_at)
      })
    } else {
      const end =
        ending.kind === 'cancelled'
          ? { status: 'cancelled' as const, code: 'run_cancelled' as const, detail: {} }
          : { status: 'error' as const, code: ending.code, detail: ending.detail }
      await failRun(effects.db, run, end)
    }
  } catch (failure) {
    // Another attempt has the run, or the database is away: then the lease runs out and the next attempt decides.
    if (!(failure instanceof LeaseLost)) effects.onUnexpected(failure, run)
  }
}

/** Calls at most once in so many milliseconds; the calls between are left out. */
function throttled<T>(ms: number, call: (value: T) => Promise<void>) {
  let last = -Infinity
  return async (value: T) => {
    const now = performance.now()
    if (now - last < ms) return
    last = now
    await call(value)
  }
}

import type { BlockOutcome } from '#shared/api/executions.ts'
import { isErrorCode } from '#shared/errors.ts'
import type { Db } from '#server/db/connect.ts'
import { isDatabaseAway } from '#server/db/problem.ts'
import { chunksOf } from './chunks.ts'
import { endingOf, RunFailure, SetAside } from './failure.ts'
import {
  fetchBlocks,
  settleBlocks,
  type BlockNote,
  type FetchEffects,
  type FetchProgress,
} from './fetch-blocks.ts'
import { runJobs } from './jobs.ts'
import { keepPrevious, type KeptTable } from './keep-previous.ts'
import { claimRun, keepLease, LeaseLost, MAX_LOST_LEASES, RunCancelled, type ClaimedRun } from './lease.ts'
import { planOf, type SavedPlan } from './plan-of.ts'
import { saveProgress } from './queries.ts'
import { completeRun, failRun, postponeRun } from './record-end.ts'
import { startTable } from './shape.ts'
import { storeTable } from './table-store.ts'
import { writeToTarget, type WriteEffects } from './write-to-target.ts'

type Given = Omit<FetchEffects, 'signal' | 'onProgress' | 'sleep' | 'jobs'> & Omit<WriteEffects, 'sleep'>

export interface RunEffects extends Given {
  db: Db
  /** Waits; rejects early with the signal's reason. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** Names the process, for people. */
  worker: string
  /** How long a dead worker's run stays its own; LEASE_S when left out. */
  lease_s?: number
  /** Tells the queue that the run wants to go on then, in the same transaction. */
  enqueueAt: (trx: Db, run_id: string, resumes_at: Date) => Promise<void>
  /** Aborted, with HandedBack as its reason, when the process has to go: the run is handed back then. */
  stopping: AbortSignal
  /** A mistake of ours, for the log. */
  onUnexpected: (error: unknown, run: ClaimedRun) => void
}

/**
 * One attempt at a run: plan, fetch, shape, store, write, record. It may be called twice for one run, in any process, and may die anywhere: the
 * next attempt goes on from what is recorded. A failure of the report is recorded, not thrown.
 */
export async function runReport(run_id: string, effects: RunEffects): Promise<void> {
  const run = await claimRun(effects.db, run_id, effects)
  if (!run) return
  const clock = clockOf(run)
  const lease = keepLease(effects.db, run)
  const signal = AbortSignal.any([lease.signal, effects.stopping])
  try {
    await attempt(run, interruptible(effects, signal), signal)
  } catch (error) {
    await recordEnd(run, signal.aborted ? signal.reason : error, { effects, clock })
  } finally {
    lease.stop()
  }
}

async function attempt(run: ClaimedRun, effects: AttemptEffects, signal: AbortSignal) {
  const { db } = effects
  await effects.step('claimed', run)
  if (run.cancel_requested_at) throw new RunCancelled()
  if (run.lost_leases >= MAX_LOST_LEASES) throw new SetAside(run.lost_leases)
  const saved = await planOf(db, run, effects.now())
  await effects.step('planned', run)
  if (run.table_rows === null) await fetchAndStore(run, saved, { signal, effects })
  await effects.step('stored', run)
  const written = await writeToTarget(db, run, { saved, signal, effects })
  await effects.step('written', run)
  await completeRun(db, run, written)
  await effects.step('completed', run)
}

type AttemptEffects = ReturnType<typeof interruptible>

/** Every wait of the attempt ends when the attempt has to. */
function interruptible(effects: RunEffects, signal: AbortSignal) {
  const { quota, sheets_quota } = effects
  return {
    ...effects,
    sleep: (ms: number) => effects.sleep(ms, signal),
    quota: { ...quota, before: (...asked) => unlessAborted(signal, quota.before(...asked)) },
    sheets_quota: {
      ...sheets_quota,
      before: (...asked) => unlessAborted(signal, sheets_quota.before(...asked)),
    },
  } satisfies Given & { sleep: (ms: number) => Promise<void> }
}

async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const leave = () => reject(signal.reason)
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

/** Asks the platforms and stores the finished table: from here on the run writes these bytes, whatever the platforms say later. */
async function fetchAndStore(
  run: ClaimedRun,
  saved: SavedPlan,
  { signal, effects }: { signal: AbortSignal; effects: AttemptEffects },
) {
  const { db } = effects
  const collector = startTable(saved.plan)
  const report = throttled(PROGRESS_MS, (progress: FetchProgress) => saveProgress(db, run, progress))
  const fetch_effects: FetchEffects = {
    ...effects,
    signal,
    jobs: runJobs(db, run.id, step => effects.step(step, run)),
    async onProgress(progress) {
      await effects.step('page', run)
      await report(progress)
    },
  }
  const fetched = await fetchBlocks(saved.plan, collector, fetch_effects)
  await effects.step('fetched', run)
  const table = collector.finish()
  const blocks = await settleBlocks(saved.plan, fetched, {
    block_rows: table.block_rows,
    effects: fetch_effects,
  })
  const kept = await keepPrevious(db, run.report, { saved, table, blocks })
  const notes = [...fetched.notes, ...(kept ? notesOn(kept) : [])]
  await saveProgress(db, run, { ...fetched, notes, blocks })
  refuseLackingOutput(saved, blocks)
  const { rows } = kept ?? table
  await storeTable(
    db,
    run,
    { columns: table.columns, rows },
    until(signal, kept?.chunks ?? chunksOf(table), () => effects.step('chunk', run)),
  )
}

const notesOn = ({ kept }: KeptTable): BlockNote[] =>
  kept.map(({ block, from }) => ({ code: 'kept_previous', block, detail: { kept_from: from.toISOString() } }))

// Often enough to look alive, seldom enough to cost nothing.
const PROGRESS_MS = 500

async function* until<T>(
  signal: AbortSignal,
  items: Iterable<T> | AsyncIterable<T>,
  each: () => Promise<void>,
) {
  for await (const item of items) {
    signal.throwIfAborted()
    await each()
    yield item
  }
}

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

interface Recording {
  effects: RunEffects
  clock: () => Date
}

/** Records how the attempt has ended. While the database is away that is tried again as long as the lease lasts. */
async function recordEnd(run: ClaimedRun, error: unknown, { effects, clock }: Recording) {
  const lease_ends = AbortSignal.timeout(run.lease_s * 1000)
  for (;;) {
    try {
      return await record(run, error, { effects, clock })
    } catch (failure) {
      if (failure instanceof LeaseLost) return
      const is_over = !isDatabaseAway(failure) || lease_ends.aborted
      // Then the lease runs out, and the next attempt decides.
      if (is_over) return effects.onUnexpected(failure, run)
      await effects.sleep(RECORD_AGAIN_MS, lease_ends).catch(() => undefined)
    }
  }
}

const RECORD_AGAIN_MS = 500

async function record(run: ClaimedRun, error: unknown, { effects, clock }: Recording) {
  const { db } = effects
  const ending = endingOf(error, run, clock())
  if (ending.kind === 'silent') return
  if ((ending.kind === 'error' || ending.kind === 'postponed') && ending.unexpected)
    effects.onUnexpected(error, run)
  if (ending.kind === 'cancelled')
    await failRun(db, run, { status: 'cancelled', code: 'run_cancelled', detail: {} })
  else if (ending.kind === 'error')
    await failRun(db, run, { status: 'error', code: ending.code, detail: ending.detail })
  else
    await db.transaction().execute(async trx => {
      const resumes_at = await postponeRun(trx, run, ending)
      if (resumes_at) await effects.enqueueAt(trx, run.id, resumes_at)
    })
}

/** The database's clock as far as this attempt knows it. */
function clockOf({ claimed_at }: ClaimedRun) {
  const claimed = performance.now()
  return () => new Date(claimed_at.getTime() + performance.now() - claimed)
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

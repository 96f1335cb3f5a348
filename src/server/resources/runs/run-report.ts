import type { BlockOutcome } from '#shared/api/executions.ts'
import { isErrorCode } from '#shared/errors.ts'
import { countingSource, type QuotaKey } from '#server/connectors/connector.ts'
import { logRequests, type LoggedRequest } from '#server/connectors/request-log.ts'
import type { Db } from '#server/db/connect.ts'
import { logCalls, type LoggedCall } from '#server/sheets/logged-client.ts'
import type { SystemUser } from '#server/sheets/system-user.ts'
import { isDatabaseAway } from '#server/db/problem.ts'
import { withoutSharing, type SharedFetches } from '#server/fetches/share-fetches.ts'
import type { PlatformLimiter, RunLimiter } from '#server/admission/platform-limiter.ts'
import { chunksOf } from '#server/table/chunks.ts'
import type { StoredTable } from '#server/table/stored-table.ts'
import { endingOf, type Ending, AttemptError, runFailure, runCancelled, classify } from './failure.ts'
import { blocksOf, fetchBlocks, settleBlocks, type BlockNote, type FetchEffects } from './fetch-blocks.ts'
import { runJobs } from './platform-job-queries.ts'
import { cellNote } from './cell-note.ts'
import { fillFromPrevious, type FilledTable } from './previous-values.ts'
import { cellCapacity, type WorkerPool } from '#server/admission/pool.ts'
import { isQuarantined, holdLease } from './lease.ts'
import { planOf, type SavedPlan } from './plan-of.ts'
import { nextRunAt, savePlan, saveProgress, wakeRuns, type RunProgress } from './queries.ts'
import { completeRun, failRun, postponeRun } from './record-end.ts'
import {
  startTable,
  TableLimitError,
  TooManyCells,
  type Table,
  type TableCollector,
} from '#server/table/shape.ts'
import { deleteOldTables } from './table-queries.ts'
import { storeTable } from './table-store.ts'
import { unlessAborted } from './unless-aborted.ts'
import { writeToTarget, type WriteEffects } from './write-to-target.ts'
import type { ClaimedRun } from './lease-queries.ts'

type SharedEffects = Omit<FetchEffects, 'signal' | 'onProgress' | 'sleep' | 'jobs'> &
  Omit<WriteEffects, 'sleep'>

export interface RunEffects extends SharedEffects {
  db: Db
  /** The address of the product, for links in notes. */
  public_url: string
  /** Waits; rejects early with the signal's reason. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** The pool of the attempt: a table that is too large for `shared` moves on from there. Left out: alone. */
  pool?: WorkerPool
  /** Cells that an attempt may hold; only tests change it. */
  capacity?: Record<WorkerPool, number>
  /**
   * Moves the run to the pool `alone` with all that it has read: nothing else is executed by this process
   * then. false: there is no room for that. Left out: another process starts from the beginning.
   */
  becomeAlone?: (run: ClaimedRun) => Promise<boolean>
  /** The shared responses of other runs; left out: every run fetches for itself. */
  fetches?: SharedFetches
  /**
   * The quotas of platforms as this run holds them: its slots are released when everything is fetched. Left
   * out: `limiter` itself.
   */
  limiterFor?: PlatformLimiter['forRun']
  /**
   * Called for each request to a platform, each call of the spreadsheet service and each wait for a quota,
   * for the log.
   */
  requestLog?: {
    request: (run: ClaimedRun, entry: LoggedRequest) => void
    call: (run: ClaimedRun, entry: LoggedCall) => void
    quotaWait: (run: ClaimedRun, platform: string, waited_ms: number) => void
  }
  /** Aborted, with an AttemptError as its reason, when the process shuts down: the run is released then. */
  stopping: AbortSignal
  /** The outcome of each attempt, for the log. */
  onEnd?: (run: ClaimedRun, end: AttemptEnd) => void
  /** An internal error, for the log. */
  onUnexpected: (error: unknown, run: ClaimedRun) => void
}

/** The outcome of an attempt; `wait_ms`: the run goes on after so long. */
export interface AttemptEnd {
  status: 'completed' | 'waits' | 'error' | 'cancelled'
  code: string | null
  wait_ms?: number
}

/**
 * One attempt at a run: plan, fetch, shape, store, write, record. It may be called twice for one run, in any
 * process, and may die anywhere: the next attempt continues from what is recorded. A failure of the report is
 * recorded, not thrown.
 */
export async function runReport(run: ClaimedRun, effects: RunEffects): Promise<void> {
  const lease = holdLease(effects.db, run)
  const signal = AbortSignal.any([lease.signal, effects.stopping])
  const limiter = sessionOf(run, effects)
  try {
    await attempt(run, journalled(run, interruptible({ ...effects, limiter }, signal)), signal)
    effects.onEnd?.(run, { status: 'completed', code: null })
  } catch (error) {
    await recordEnd(run, signal.aborted ? signal.reason : asEnding(error, effects), effects)
  } finally {
    lease.stop()
    await limiter.close().catch(error => effects.onUnexpected(error, run))
  }
}

/** What is too large even for a worker of its own is too large for any spreadsheet. */
function asEnding(error: unknown, { pool = 'alone', capacity = cellCapacity }: RunEffects) {
  if (!(error instanceof TooManyCells)) return error
  if (pool === 'shared' && error.cells <= capacity.alone) return error
  return new TableLimitError('cell_limit', { cells: error.cells })
}

/** The next run at a platform goes on at once, whatever else this one waits for. */
function sessionOf(run: ClaimedRun, effects: RunEffects): RunLimiter {
  const { db, limiter, limiterFor } = effects
  const wake = async (runIds: string[]) => void (await wakeRuns(db, runIds))
  const holder = { id: run.id, is_urgent: run.trigger !== 'schedule' }
  return limiterFor?.(holder, wake) ?? { ...limiter, close: async () => undefined }
}

async function attempt(run: ClaimedRun, effects: AttemptEffects, signal: AbortSignal) {
  const { db } = effects
  await effects.step('claimed', run)
  if (run.cancel_requested_at) throw runCancelled()
  if (isQuarantined(run)) throw new AttemptError({ kind: 'quarantined', lost_leases: run.lost_leases })
  const saved = await planOf(db, run, effects.now())
  await effects.step('planned', run)
  const fetched =
    run.table_rows === null
      ? await fetchAndStore(run, saved, { signal, effects }).finally(effects.responsesStored)
      : null
  await effects.step('stored', run)
  // Other runs may have its slots at once, and this one need not wait for that.
  const closing = effects.limiter.close('for good').catch(error => effects.onUnexpected(error, run))
  const written = await writeToTarget(db, run, { saved, fetched, signal, effects }).finally(() => closing)
  await effects.step('written', run)
  await completeRun(db, run, written)
  await effects.step('completed', run)
  // Nobody waits for that; what a worker that dies leaves, the report's next run deletes.
  await deleteOldTables(db, run.report).catch(error => effects.onUnexpected(error, run))
}

type AttemptEffects = ReturnType<typeof journalled>
type SourceAccount = Parameters<RunEffects['sourceOf']>[0]

/** Requests to platforms and waits for quotas are counted; a shared response is no request of this run. */
function journalled(run: ClaimedRun, effects: ReturnType<typeof interruptible>) {
  const { journal } = run
  const { sourceOf, fetches, limiter, requestLog } = effects
  const sharing = fetches?.of(
    { run: run.id, attempt: run.attempt, ...freshnessFor(run) },
    { onFetched: journal.fetched, onShared: journal.shared },
  )
  const timed = async (platform: string, wait: Promise<void>) => {
    const from = performance.now()
    await wait.finally(() => {
      const waited_ms = performance.now() - from
      journal.waitedForQuota(platform, waited_ms)
      requestLog?.quotaWait(run, platform, Math.round(waited_ms))
    })
  }
  return {
    ...effects,
    responsesStored: async () => void (await sharing?.stored()),
    fetch: requestLog
      ? logRequests(effects.fetch, effects.hosts, entry => requestLog.request(run, entry))
      : effects.fetch,
    sourceOf: async (account: SourceAccount) => {
      const source = await sourceOf(account)
      const counted = source && countingSource(source, () => journal.called(account.provider))
      return counted && (sharing?.share(counted, account.public_account) ?? withoutSharing(counted))
    },
    limiter: { ...limiter, acquire: (key: QuotaKey) => timed(key.platform, limiter.acquire(key)) },
    system_users: effects.system_users.map(user => ({
      ...waitingBy(user, wait => timed('sheets', wait)),
      client: requestLog ? logCalls(user.client, entry => requestLog.call(run, entry)) : user.client,
    })),
  }
}

const waitingBy = (user: SystemUser, by: (wait: Promise<void>) => Promise<void>): SystemUser => ({
  ...user,
  limiter: { ...user.limiter, acquire: (...kinds) => by(user.limiter.acquire(...kinds)) },
})

/**
 * A manual run needs the numbers as they are from then on; a scheduled one as they are from its due time, and
 * final ones of the day before.
 */
function freshnessFor({ trigger, due_at, queued_at }: ClaimedRun) {
  if (trigger !== 'schedule' || !due_at) return { fresh_since: queued_at, settled_since: queued_at }
  return { fresh_since: due_at, settled_since: new Date(due_at.getTime() - 26 * 3_600_000) }
}

/** Every wait of the attempt ends with its signal. */
function interruptible(effects: RunEffects & { limiter: RunLimiter }, signal: AbortSignal) {
  const { limiter } = effects
  return {
    ...effects,
    sleep: (ms: number) => effects.sleep(ms, signal),
    limiter: { ...limiter, acquire: key => unlessAborted(signal, limiter.acquire(key)) },
    system_users: effects.system_users.map(user => waitingBy(user, wait => unlessAborted(signal, wait))),
  } satisfies SharedEffects & { sleep: (ms: number) => Promise<void> }
}

/**
 * Fetches from the platforms and stores the finished table: from here on the run writes these bytes, whatever
 * the platforms return later.
 */
async function fetchAndStore(
  run: ClaimedRun,
  saved: SavedPlan,
  { signal, effects }: { signal: AbortSignal; effects: AttemptEffects },
): Promise<StoredTable | null> {
  const { db, pool = 'alone', capacity = cellCapacity } = effects
  const collector = startTable(saved.plan, capacity[pool])
  let hasRoom = pool === 'alone'
  // Blocks that are read at the same time wait for the same decision.
  let deciding: Promise<boolean> | undefined
  const makeRoom = async () => {
    if (hasRoom) return false
    deciding ??= effects.becomeAlone?.(run) ?? Promise.resolve(false)
    hasRoom = await deciding
    if (hasRoom) collector.allow(capacity.alone)
    return hasRoom
  }
  const saving = startSaving((progress: RunProgress) => saveProgress(db, run, progress))
  // Its page shows the channels, however long the first response takes.
  if (run.journal.unsaved_plan) saving.next({ blocks: blocksOf(saved.plan), notes: [] })
  const fetchEffects: FetchEffects = {
    ...effects,
    signal,
    makeRoom,
    jobs: runJobs(db, run, step => effects.step(step, run)),
    async onProgress(progress) {
      await effects.step('page', run)
      saving.next(progress)
    },
    onWait: progress => saveProgress(db, run, progress),
  }
  const fetched = await fetchBlocks(saved.plan, collector, fetchEffects).finally(saving.stop)
  await effects.step('fetched', run)
  const table = await finished(collector, makeRoom)
  const blocks = await settleBlocks(saved.plan, fetched, {
    block_rows: table.blockRows,
    effects: fetchEffects,
  })
  const filled = await fillFromPrevious(db, run.report, { saved, table, blocks })
  const notes = [...fetched.notes, ...(filled ? notesOn(filled) : []), ...notesOnLimit(table)]
  const progress = { notes, blocks }
  const refusal = refusalForLack(saved, blocks)
  // A large table takes a while to be stored.
  if (refusal || table.rows > ROWS_AT_ONCE) await saveProgress(db, run, progress)
  if (refusal) throw refusal
  run.journal.enter('storing')
  const { rows } = filled ?? table
  return await storeTable(db, run, {
    columns: table.columns,
    rows,
    note: await noteOf(run, saved, { blocks, effects }),
    progress,
    chunks: until(signal, filled?.chunks ?? chunksOf(table), () => effects.step('chunk', run)),
    ...(hasRoom && { memory_bytes: MEMORY_BYTES }),
  })
}

/** Of the JSON of a table that has a process for itself: two to four million cells. */
const MEMORY_BYTES = 32_000_000

async function finished(collector: TableCollector, makeRoom: () => Promise<boolean>): Promise<Table> {
  try {
    return collector.finish()
  } catch (error) {
    if (!(error instanceof TooManyCells) || !(await makeRoom())) throw error
    return collector.finish()
  }
}

/** What the note on the start cell says; null: the report wants none. */
async function noteOf(
  run: ClaimedRun,
  { plan, note_timezone: timezone }: SavedPlan,
  { blocks, effects }: { blocks: BlockOutcome[]; effects: AttemptEffects },
): Promise<string | null> {
  if (timezone === null) return null
  return cellNote({
    plan,
    blocks,
    timezone,
    now: effects.now(),
    next_run_at: await nextRunAt(effects.db, run.report),
    link: `${effects.public_url}/gs-template/template?id=${run.report}`,
  })
}

const notesOn = ({ staleBlocks }: FilledTable): BlockNote[] =>
  staleBlocks.map(({ block, from }) => ({
    code: 'kept_previous',
    block,
    detail: { kept_from: from.toISOString() },
  }))

/** The platforms' totals are compared with all rows, so whoever adds up the written ones needs to know. */
const notesOnLimit = ({ rows, rowsBeforeLimit }: Table): BlockNote[] =>
  rows === rowsBeforeLimit
    ? []
    : [{ code: 'first_rows', block: null, detail: { rows, of_rows: rowsBeforeLimit } }]

// Often enough to show progress, seldom enough to cost nothing.
const PROGRESS_MS = 500
const ROWS_AT_ONCE = 10_000

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

/** Nothing is written when no block has any output, nor when a required block has failed. */
function refusalForLack({ must_not_fail }: SavedPlan, blocks: BlockOutcome[]) {
  const failed = blocks.find((block, index) => block.status === 'error' && must_not_fail.includes(index))
  if (!failed && blocks.some(block => block.status === 'ok')) return null
  const { code, platform_message } = failed ?? blocks.find(block => block.status === 'error') ?? {}
  return runFailure(
    code && isErrorCode(code) ? code : 'channel_no_data',
    platform_message ? { platform_message } : {},
  )
}

/**
 * Records the outcome of the attempt. While the database is away that is retried as long as the lease lasts.
 */
async function recordEnd(run: ClaimedRun, error: unknown, effects: RunEffects) {
  const lease_ends = AbortSignal.timeout(run.lease_s * 1000)
  for (;;) {
    try {
      return await record(run, error, effects)
    } catch (failure) {
      if (classify(failure).kind === 'lease_lost') return
      const is_over = !isDatabaseAway(failure) || lease_ends.aborted
      // Then the lease ends, and the next attempt decides.
      if (is_over) return effects.onUnexpected(failure, run)
      await effects.sleep(RECORD_AGAIN_MS, lease_ends).catch(() => undefined)
    }
  }
}

const RECORD_AGAIN_MS = 500

async function record(run: ClaimedRun, error: unknown, effects: RunEffects) {
  const { db } = effects
  const { journal } = run
  const ending = endingOf(classify(error), { ...run, quota_rest_ms: journal.quotaWaitsMs() }, journal.now())
  if (ending.kind === 'silent') return
  await savePlan(db, run)
  if ((ending.kind === 'error' || ending.kind === 'postponed') && ending.unexpected)
    effects.onUnexpected(error, run)
  if (ending.kind === 'cancelled')
    await failRun(db, run, { status: 'cancelled', code: 'run_cancelled', detail: {} })
  else if (ending.kind === 'error')
    await failRun(db, run, { status: 'error', code: ending.code, detail: ending.detail })
  else await db.transaction().execute(trx => postponeRun(trx, run, ending))
  effects.onEnd?.(run, endOf(ending))
}

const endOf = (ending: Exclude<Ending, { kind: 'silent' }>): AttemptEnd => {
  if (ending.kind === 'cancelled') return { status: 'cancelled', code: 'run_cancelled' }
  if (ending.kind === 'error') return { status: 'error', code: ending.code }
  return { status: 'waits', code: ending.code ?? ending.why, wait_ms: Math.round(ending.wait_ms) }
}

/**
 * Saves what is newest every half second, without anybody waiting for it: what takes less is saved with its
 * end alone.
 */
function startSaving<T>(save: (value: T) => Promise<void>) {
  let newest: { value: T } | null = null
  const timer = setInterval(() => {
    // A database that is away ends the run by its lease.
    if (newest) save(newest.value).catch(() => undefined)
    newest = null
  }, PROGRESS_MS)
  return { next: (value: T) => void (newest = { value }), stop: () => clearInterval(timer) }
}

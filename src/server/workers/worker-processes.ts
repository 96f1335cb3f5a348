import { pools, type WorkerPool } from '#server/admission/pool.ts'
import type { Errand } from './messages.ts'
import { startWorkerProcess, type WorkerProcess, type WorkerProgram } from './worker-process.ts'

export interface WorkerProcesses {
  /** Makes sure that a process executes what waits in this pool. */
  provide(pool: WorkerPool): Promise<void>
  /** Does what is due beside runs, one of a kind at a time. */
  errand(errand: Errand): Promise<void>
  /** Claims nothing more; runs in progress have so long, then they are released. */
  stop(graceMs: number): Promise<void>
  /** By pool: the number of processes, and their memory. */
  usage(): { pool: WorkerPool; processes: number; memory_bytes: number }[]
  /** How many have died. */
  deaths(): number
}

export type WorkerProcessesOptions = WorkerProgram & {
  /** Of each pool at most. */
  most: Record<WorkerPool, number>
  /** Runs that all processes of the pool `shared` execute at a time. */
  concurrency: number
  isRunWaiting: (pool: WorkerPool) => Promise<boolean>
  /** Whether somebody has a page open, and may start a run at any moment. */
  hasVisitors: () => boolean
  /** One that has more memory after a large run ends with it; less in tests. */
  rest_limit_bytes?: number
  /** setTimeout, unless a test has its own clock. */
  after?: (ms: number, call: () => void) => { cancel: () => void }
  /** A process has died, with these runs in progress. */
  onDeath: (runIds: readonly string[]) => void
}

/**
 * Executes runs in processes of their own, so that no table, however large, takes time or memory from HTTP
 * requests. The processes claim runs by themselves; they are started here when a run waits that none of them
 * will claim. Those of the pool `shared` stay for a while. One whose run turns out to be large moves to the
 * pool `alone` with all that the run has read, if there is room; an idle one moves there for the next large
 * run, which need not wait for a start. When that run has ended it moves back, if somebody is there who may
 * click again: its code is compiled, and the same run takes half as long. Else it ends, and frees its memory.
 */
export function openWorkerProcesses(options: WorkerProcessesOptions): WorkerProcesses {
  const { most, concurrency: _, isRunWaiting, hasVisitors, onDeath, ...others } = options
  const { after = timer, rest_limit_bytes = REST_LIMIT_BYTES, ...program } = others
  const all = new Set<WorkerProcess>()
  const rests = openRests({ hasVisitors, after, onOver: one => void stop(one, GRACE_MS) })
  let deaths = 0
  let isClosed = false
  let startsAgainAt = 0
  const of = (pool: WorkerPool) => [...all].filter(one => one.pool === pool)
  /** A process that is idle claims what waits, by itself. */
  const hasRoom = (pool: WorkerPool) =>
    !isClosed &&
    performance.now() >= startsAgainAt &&
    of(pool).length < most[pool] &&
    of(pool).every(one => one.count() > 0)

  /** One that is there for an errand ends with it, and is not there for the next click. */
  const hasRoomToStay = () =>
    !isClosed && hasVisitors() && of('shared').every(one => one.count() === 0 && !rests.has(one))

  function start(pool: WorkerPool) {
    const own = pool === 'alone' ? 1 : concurrencyOfNext(of(pool), options)
    const started = startWorkerProcess({ pool, concurrency: own }, program, {
      mayBecomeAlone() {
        if (isClosed || of('alone').length >= most.alone) return false
        // What it would have executed waits for another process.
        setImmediate(() => void provide('shared').catch(() => undefined))
        return true
      },
      onRuns: count => (count > 0 ? rests.end(started) : rest(started)),
      onAloneOver(memoryBytes) {
        const stays = hasRoomToStay() && memoryBytes <= rest_limit_bytes
        if (stays) Object.assign(started, { pool: 'shared', concurrency: concurrencyOfNext([], options) })
        else forget(started)
        rest(started)
        void succeed().catch(() => undefined)
        return stays ? started.concurrency : null
      },
      onDeath(runIds, wasReady) {
        forget(started)
        deaths++
        // The reason why it does not start will persist.
        if (!wasReady) startsAgainAt = performance.now() + START_AGAIN_MS
        onDeath(runIds)
      },
    })
    all.add(started)
    return started
  }

  async function provide(pool: WorkerPool) {
    if (!hasRoom(pool) || !(await isRunWaiting(pool)) || !hasRoom(pool)) return
    const idle = pool === 'alone' ? of('shared').find(one => one.isIdle()) : undefined
    if (!idle) return rest(start(pool))
    rests.end(idle)
    idle.moveToAlone()
    // A small run may have come meanwhile.
    await provide('shared')
  }

  /** A large run has ended: the next begins, or there is a process that the next click finds. */
  async function succeed() {
    await provide('alone')
    if (!isClosed && all.size === 0 && hasVisitors()) rest(start('shared'))
  }

  function forget(one: WorkerProcess) {
    all.delete(one)
    rests.end(one)
  }

  function rest(one: WorkerProcess) {
    if (one.pool === 'shared' && all.has(one)) rests.begin(one)
  }

  async function stop(one: WorkerProcess, graceMs: number) {
    forget(one)
    await one.stop(graceMs)
  }

  return {
    provide,
    async errand(errand) {
      if (isClosed) return
      const one = of('shared')[0] ?? start('shared')
      await one.errand(errand)
      // Nobody waits for this: it ends at once, unless it is there for runs or another errand anyway.
      const isIdle = all.has(one) && one.count() === 0 && !one.isOnErrand()
      if (isIdle && !rests.has(one)) await stop(one, GRACE_MS)
    },
    async stop(graceMs) {
      isClosed = true
      await Promise.all([...all].map(one => stop(one, graceMs)))
    },
    usage: () =>
      pools.map(pool => ({
        pool,
        processes: of(pool).length,
        memory_bytes: of(pool).reduce((sum, one) => sum + one.memoryBytes(), 0),
      })),
    deaths: () => deaths,
  }
}

/** The processes that have nothing to do, each until its rest is over. */
function openRests({
  hasVisitors,
  after,
  onOver,
}: Required<Pick<WorkerProcessesOptions, 'hasVisitors' | 'after'>> & {
  onOver: (one: WorkerProcess) => void
}) {
  const resting = new Map<WorkerProcess, { cancel: () => void }>()
  const rests = {
    has: (one: WorkerProcess) => resting.has(one),
    begin(one: WorkerProcess, rested = 0) {
      const over = () => {
        resting.delete(one)
        // It ends with the errand.
        if (one.isOnErrand()) return
        if (hasVisitors() && rested + 1 < MOST_RESTS) rests.begin(one, rested + 1)
        else onOver(one)
      }
      rests.end(one)
      resting.set(one, after(REST_MS, over))
    },
    end(one: WorkerProcess) {
      resting.get(one)?.cancel()
      resting.delete(one)
    },
  }
  return rests
}

/** The remaining runs at a time, divided by the shared processes that may still be started. */
function concurrencyOfNext(
  present: readonly WorkerProcess[],
  { concurrency, most }: Pick<WorkerProcessesOptions, 'concurrency' | 'most'>,
) {
  const left = concurrency - present.reduce((sum, one) => sum + one.concurrency, 0)
  return Math.max(1, Math.ceil(left / (most.shared - present.length)))
}

function timer(ms: number, call: () => void) {
  const timeout = setTimeout(call, ms).unref()
  return { cancel: () => clearTimeout(timeout) }
}

/**
 * Starting one takes half a second, which the next click of somebody who is at work should not wait for;
 * while it rests it takes a hundred megabytes.
 */
const REST_MS = 60_000
const MOST_RESTS = 10
/** After a table of two million cells one has 220 MB, before the first run half of it. */
const REST_LIMIT_BYTES = 300 * 1024 * 1024
const GRACE_MS = 10 * 60_000
const START_AGAIN_MS = 1000

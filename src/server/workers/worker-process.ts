import { fork, type ChildProcess } from 'node:child_process'
import pino, { type Logger } from 'pino'
import { z } from 'zod'
import { environmentOfOurs } from '#server/child-environment.ts'
import { LEAN_ENVIRONMENT } from '#server/compile-cache.ts'
import type { WorkerPool } from '#server/admission/pool.ts'
import { WorkerMessage, PULSE_MS, RELEASE_MS, type Errand, type Order } from './messages.ts'

export interface WorkerProgram {
  /** A file that calls `workForParent`. */
  program: string
  settings: object
  /** The limit of Node's heap; columns of numbers are outside of it. */
  heap_mb: number
  /** How long a process that is stopped may take to close what it has open; longer in tests. */
  stop_ms?: number
  log: Logger
}

/** A worker process, as its parent sees it. */
export interface WorkerProcess {
  pool: WorkerPool
  /** Runs that it works on at a time. */
  concurrency: number
  /** Runs in progress. */
  count(): number
  isOnErrand(): boolean
  /** It is there, and has nothing to do. */
  isIdle(): boolean
  /** Moves it to the pool `alone`, with the next large run. */
  moveToAlone(): void
  memoryBytes(): number
  /** Resolves when nothing of it is due any more, or when the process has ended. One of a kind at a time. */
  errand(errand: Errand): Promise<void>
  /**
   * Claims nothing more; runs in progress have so long, then they are released, and the process closes what
   * it has open or is killed.
   */
  stop(graceMs: number): Promise<void>
}

interface Watcher {
  /** Whether it may move to the pool `alone`, with a run that has become large. */
  mayBecomeAlone(): boolean
  /** The runs in progress have changed. */
  onRuns(count: number): void
  /**
   * Its run of the pool `alone` has ended, and it has so much memory: with how many runs at a time it goes on
   * in the pool `shared`. null: it ends.
   */
  onAloneOver(memoryBytes: number): number | null
  /** It has died, with these runs in progress: out of memory, killed, or by an internal error. */
  onDeath(runIds: string[], wasReady: boolean): void
}

/** Small: with Node's own choice the peak is a quarter higher, and nothing is faster. */
export const YOUNG_GENERATION = '--max-semi-space-size=16'

/**
 * Without it V8 collects all garbage after every few tens of megabytes of buffers, however small its heap is:
 * a quarter of the processor time of a large run.
 */
const BUFFERS_AS_HEAP = '--external-memory-accounted-in-global-limit'

export function startWorkerProcess(
  { pool, concurrency }: { pool: WorkerPool; concurrency: number },
  { program, settings, heap_mb, stop_ms = STOP_MS, log }: WorkerProgram,
  { mayBecomeAlone, onAloneOver, onRuns, onDeath }: Watcher,
): WorkerProcess {
  const child = forkProgram(program, heap_mb)
  let runs: string[] = []
  const errands = new Map<Errand['kind'], () => void>()
  const ready = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  let memoryBytes = 0
  let isReady = false
  let isStopping = false
  let silent = 0
  const send = (order: Order) => child.connected && child.send(order, () => undefined)
  const obey = (message: WorkerMessage) => {
    if (message.type === 'here') send({ type: 'start', settings, pool, concurrency, log_level: log.level })
    if (message.type === 'become_alone') {
      const may = !isStopping && mayBecomeAlone()
      if (may) Object.assign(worker, ALONE)
      send({ type: 'alone', may })
    }
    if (message.type === 'errand_over') errands.get(message.kind)?.()
    if (message.type === 'pulse') memoryBytes = message.memory_bytes
    if (message.type === 'log') pass(message.line, log)
    if (message.type === 'runs') {
      runs = message.run_ids
      onRuns(runs.length)
    }
    if (message.type === 'alone_over' && !isStopping) {
      const stays = onAloneOver(message.memory_bytes)
      if (stays === null) void worker.stop(0)
      else send({ type: 'stay', concurrency: stays })
    }
    if (message.type !== 'ready') return
    isReady = true
    ready.resolve()
  }
  child.on('message', raw => {
    silent = 0
    // Under `node --watch` a process also reports what it imports.
    const message = WorkerMessage.safeParse(raw)
    if (message.success) obey(message.data)
  })
  // Counted, not clocked: after the machine has slept, the child must not be taken for stuck.
  const watch = setInterval(() => {
    if (worker.isIdle() || ++silent <= SILENCES) return
    log.error({ worker_pid: child.pid, runs }, 'worker process stuck')
    child.kill('SIGKILL')
  }, PULSE_MS).unref()
  const end = (code: number | null, signal: string | null) => {
    clearInterval(watch)
    if (!isStopping) {
      const about = { worker_pid: child.pid, pool: worker.pool, runs, code, signal }
      log.error(about, 'worker process died: its runs are taken over')
      onDeath(runs, isReady)
    }
    ended.resolve()
  }
  onceEnded(child, end, log)
  const worker: WorkerProcess = {
    pool,
    concurrency,
    count: () => runs.length,
    isOnErrand: () => errands.size > 0,
    isIdle: () => isReady && runs.length === 0 && errands.size === 0,
    moveToAlone() {
      Object.assign(worker, ALONE)
      send({ type: 'claim_alone' })
    },
    memoryBytes: () => memoryBytes,
    async errand(errand) {
      const over = Promise.withResolvers<void>()
      errands.set(errand.kind, over.resolve)
      silent = 0
      await Promise.race([ready.promise, ended.promise])
      send({ type: 'errand', errand })
      await Promise.race([over.promise, ended.promise])
      errands.delete(errand.kind)
    },
    async stop(graceMs) {
      isStopping = true
      send({ type: 'stop', grace_ms: graceMs })
      const killing = setTimeout(() => child.kill('SIGKILL'), graceMs + RELEASE_MS + stop_ms)
      await ended.promise
      clearTimeout(killing)
    },
  }
  return worker
}

const ALONE = { pool: 'alone', concurrency: 1 } as const
const SILENCES = 12
/** Resolves when its last write is done. */
const STOP_MS = 1000

const forkProgram = (program: string, heap_mb: number): ChildProcess =>
  fork(program, {
    execArgv: [`--max-old-space-size=${heap_mb}`, YOUNG_GENERATION, BUFFERS_AS_HEAP],
    env: { ...environmentOfOurs(), ...LEAN_ENVIRONMENT },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })

function onceEnded(
  child: ChildProcess,
  end: (code: number | null, signal: string | null) => void,
  log: Logger,
) {
  child.once('exit', end)
  // It could not even be started.
  child.once('error', error => {
    log.error({ err: error }, 'worker process error')
    if (child.pid === undefined) end(null, null)
  })
}

const Line = z.looseObject({ level: z.number(), msg: z.string().optional(), pid: z.number() })

/** A line of the child's log becomes one of ours. */
function pass(text: string, log: Logger) {
  const { level, msg, pid, time: _time, hostname: _hostname, ...fields } = Line.parse(JSON.parse(text))
  const name = z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal']).catch('info')
  log[name.parse(pino.levels.labels[level])]({ worker_pid: pid, ...fields }, msg)
}

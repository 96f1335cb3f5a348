import { fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import pino, { type Logger } from 'pino'
import { z } from 'zod'
import { environmentOfOurs } from '#server/child-environment.ts'
import { COMPILE_CACHE } from '#server/compile-cache.ts'
import type { Lane } from '#server/admission/pool.ts'
import { Answer, PULSE_MS, type Order } from './messages.ts'

export interface RunProgram {
  /** A file that calls `workForParent`. */
  program: string
  settings: object
  /** What Node's heap may grow to; columns of numbers lie outside of it. */
  heap_mb: number
  /** How long a process that is stopped has for letting go of what it has open; only tests have more patience. */
  stop_ms?: number
  log: Logger
}

/** A process that works on runs, as its parent sees it. */
export interface RunProcess {
  lane: Lane
  /** Runs that it has in hand. */
  count(): number
  isRefreshing(): boolean
  memoryBytes(): number
  /** Over when the attempt is, or when the process has ended. */
  attempt(run_id: string): Promise<void>
  /** Over when the refresh of the daily spend is, or when the process has ended. */
  refreshSpend(every_ms: number): Promise<void>
  handBack(): void
  /** Lets it close what it has open; after so long it is killed. */
  stop(): Promise<void>
}

/** Starts one. `onDeath` is told, with the runs that it had in hand, when it ends without having been stopped: out of memory, killed, or by a mistake of ours. */
export function startRunProcess(
  lane: Lane,
  { program, settings, heap_mb, stop_ms = STOP_MS, log }: RunProgram,
  onDeath: (run_ids: string[]) => void,
): RunProcess {
  const child = fork(program, {
    // Small young generations: with Node's own choice the peak is a quarter higher, and nothing is faster.
    execArgv: [`--max-old-space-size=${heap_mb}`, '--max-semi-space-size=16'],
    env: { ...environmentOfOurs(), NODE_COMPILE_CACHE: COMPILE_CACHE },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const runs = new Map<string, () => void>()
  let refreshed: (() => void) | null = null
  const ready = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  let memory_bytes = 0
  let is_ready = false
  let is_stopping = false
  let silent = 0
  const tell = (order: Order) => child.connected && child.send(order, () => undefined)
  const hear = (answer: Answer) => {
    if (answer.type === 'here') tell({ type: 'start', settings, log_level: log.level })
    if (answer.type === 'over') runs.get(answer.run_id)?.()
    if (answer.type === 'refreshed') refreshed?.()
    if (answer.type === 'pulse') ({ memory_bytes } = answer)
    if (answer.type === 'log') pass(answer.line, log)
    if (answer.type !== 'ready') return
    is_ready = true
    ready.resolve()
  }
  child.on('message', raw => {
    silent = 0
    // Under `node --watch` a process also tells what it imports.
    const answer = Answer.safeParse(raw)
    if (answer.success) hear(answer.data)
  })
  // Counted, not clocked: whoever has slept as a whole must not take it for the child's silence.
  const watch = setInterval(() => {
    if ((runs.size === 0 && !refreshed) || ++silent <= SILENCES) return
    log.error({ worker_pid: child.pid, runs: [...runs.keys()] }, 'a process that works on runs is stuck')
    child.kill('SIGKILL')
  }, PULSE_MS).unref()
  const end = (code: number | null, signal: string | null) => {
    clearInterval(watch)
    if (!is_stopping) {
      const about = { worker_pid: child.pid, lane, runs: [...runs.keys()], code, signal }
      log.error(about, 'a process that works on runs has died: its runs are taken up again')
      onDeath([...runs.keys()])
    }
    ended.resolve()
  }
  child.once('exit', end)
  // It could not even be started.
  child.once('error', error => {
    log.error({ err: error }, 'a process that works on runs')
    if (child.pid === undefined) end(null, null)
  })
  const carryOut = async (order: Order, over: Promise<void>) => {
    silent = 0
    await Promise.race([ready.promise, ended.promise])
    tell(order)
    await Promise.race([over, ended.promise])
  }
  // Whatever keeps it from starting will do so again: not all that is due is to be burnt in a second.
  const rest = async () => {
    if (!is_ready && !is_stopping) await sleep(START_AGAIN_MS)
  }
  return {
    lane,
    count: () => runs.size,
    isRefreshing: () => refreshed !== null,
    memoryBytes: () => memory_bytes,
    async attempt(run_id) {
      const over = Promise.withResolvers<void>()
      runs.set(run_id, over.resolve)
      await carryOut({ type: 'attempt', run_id, lane }, over.promise)
      runs.delete(run_id)
      await rest()
    },
    async refreshSpend(every_ms) {
      const over = Promise.withResolvers<void>()
      refreshed = over.resolve
      await carryOut({ type: 'refresh_spend', every_ms }, over.promise)
      refreshed = null
      await rest()
    },
    handBack: () => void tell({ type: 'hand_back' }),
    async stop() {
      is_stopping = true
      tell({ type: 'stop' })
      const killing = setTimeout(() => child.kill('SIGKILL'), stop_ms)
      await ended.promise
      clearTimeout(killing)
    },
  }
}

const SILENCES = 12
const START_AGAIN_MS = 1000
/** What it has to record has been recorded before. */
const STOP_MS = 1000

const Line = z.looseObject({ level: z.number(), msg: z.string().optional(), pid: z.number() })

/** A line of the child's log becomes one of ours. */
function pass(text: string, log: Logger) {
  const { level, msg, pid, time: _time, hostname: _hostname, ...fields } = Line.parse(JSON.parse(text))
  const name = z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal']).catch('info')
  log[name.parse(pino.levels.labels[level])]({ worker_pid: pid, ...fields }, msg)
}

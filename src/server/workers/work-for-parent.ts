import { setPriority } from 'node:os'
import { writeFileSync } from 'node:fs'
import pino, { type Logger } from 'pino'
import { errorSummary } from '#server/error-summary.ts'
import { endsWithin, type Subscription } from '#server/queue/subscription.ts'
import type { Executor } from './executor.ts'
import { Order, PULSE_MS, RELEASE_MS, type WorkerMessage } from './messages.ts'

interface Context {
  log: Logger
  onRuns: (runIds: string[]) => void
  /** Whether this process is of the pool `alone` from now on, until the runs in progress have ended. */
  becomeAlone: () => Promise<boolean>
}

/**
 * The whole life of a worker process. Of the pool `shared` it claims runs until it is stopped, or moved to
 * the pool `alone`: there it claims one, and is then stopped or moved back. It ends with its parent process:
 * runs in progress are then found by their lease.
 */
export function workForParent(
  open: (settings: unknown, context: Context) => Promise<Executor & { close(): Promise<void> }>,
): void {
  const send = (message: WorkerMessage) =>
    void (process.connected && process.send?.(message, () => undefined))
  let opened: ReturnType<typeof open> | undefined
  let subscription: Promise<Subscription> | undefined
  const errands = new Set<Promise<void>>()
  let moving: PromiseWithResolvers<boolean> | undefined
  let isMoved = false
  const becomeAlone = async () => {
    // It moves once, with the first run that has to.
    if (moving) return false
    moving = Promise.withResolvers()
    send({ type: 'become_alone' })
    isMoved = await moving.promise
    if (!isMoved) moving = undefined
    return isMoved
  }
  const onRuns = (runIds: string[]) => {
    send({ type: 'runs', run_ids: runIds })
    if (isMoved && runIds.length === 0) sendAloneOver()
  }
  const sendAloneOver = () => send({ type: 'alone_over', memory_bytes: process.memoryUsage.rss() })
  const claimShared = async (concurrency: number) => {
    const before = subscription
    subscription = opened?.then(async executor => {
      await (await before)?.stop(FOREVER_MS)
      return await executor.subscribe('shared', concurrency)
    })
    await subscription
  }
  const obey = async (order: Order) => {
    if (order.type === 'start') {
      const log = logTo(send, order.log_level)
      opened = open(order.settings, { log, onRuns, becomeAlone })
      const executor = await opened
      const { pool } = order
      if (pool === 'shared') await claimShared(order.concurrency)
      send({ type: 'ready' })
      if (pool === 'alone') await workAlone(attemptOne(executor))
    } else if (order.type === 'claim_alone') {
      const executor = await opened
      // What it claims at this moment ends first.
      const left = subscription?.then(one => one.stop(FOREVER_MS))
      if (executor && left) await workAlone(left.then(() => attemptOne(executor)))
    } else if (order.type === 'stay') {
      moving = undefined
      isMoved = false
      await claimShared(order.concurrency)
    } else if (order.type === 'alone') {
      moving?.resolve(order.may)
    } else if (order.type === 'errand') {
      const errand = opened?.then(executor => executor.errand(order.errand)) ?? Promise.resolve()
      errands.add(errand)
      await errand
      errands.delete(errand)
      send({ type: 'errand_over', kind: order.errand.kind })
    } else await end(order.grace_ms)
  }
  const workAlone = async (attempt: Promise<void>) => {
    subscription = Promise.resolve({ stop: graceMs => endsWithin(graceMs, attempt) })
    await attempt
    sendAloneOver()
  }
  const end = async (graceMs: number) => {
    const executor = await opened
    const last = await subscription
    const isDone = await last?.stop(graceMs)
    // What an errand has claimed is released too, so that another process need not wait for its claim to
    // expire.
    executor?.release()
    if (isDone === false) await last?.stop(RELEASE_MS)
    await Promise.all(errands)
    await executor?.close()
    process.disconnect?.()
  }
  process.on('message', raw => {
    // An internal error ends the process, as it does everywhere.
    void obey(Order.parse(raw))
  })
  process.once('disconnect', () => process.exit())
  // A terminal and a service manager signal every process: this one waits for its parent's message.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  lowerPriority()
  setInterval(() => send({ type: 'pulse', memory_bytes: process.memoryUsage.rss() }), PULSE_MS).unref()
  send({ type: 'here' })
}

/** The longest that a timer takes. */
const FOREVER_MS = 2 ** 31 - 1

async function attemptOne(executor: Executor) {
  // A database that is away is left to the next process.
  const run = await executor.claim('alone').catch(() => null)
  if (run) await executor.attempt(run, 'alone')
}

/** HTTP requests have priority over runs, with the processor and when memory runs out. */
function lowerPriority() {
  try {
    setPriority(NICE)
    writeFileSync('/proc/self/oom_score_adj', '500')
  } catch {
    // Only Linux has the second, and nothing depends on either.
  }
}

/**
 * Two thirds of the processor time of a process with normal priority, when both use all of it: less would
 * starve leases on a busy machine.
 */
const NICE = 2

const logTo = (send: (message: WorkerMessage) => void, level: string): Logger =>
  pino(
    { level, serializers: { err: errorSummary } },
    { write: (line: string) => void send({ type: 'log', line }) },
  )

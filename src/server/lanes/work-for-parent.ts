import { setPriority } from 'node:os'
import { writeFileSync } from 'node:fs'
import pino, { type Logger } from 'pino'
import { errorSummary } from '#server/error-summary.ts'
import { Order, PULSE_MS, type Answer } from './messages.ts'
import type { Hands } from './hands.ts'

/**
 * The whole life of a process that works on runs for the one that has started it. It ends with that one: what it had in hand is then found by its
 * lease.
 */
export function workForParent(open: (settings: unknown, log: Logger) => Promise<Hands>): void {
  const tell = (answer: Answer) => void (process.connected && process.send?.(answer, () => undefined))
  let hands: Promise<Hands> | null = null
  let refreshing: Promise<void> | undefined
  const obey = async (order: Order) => {
    if (order.type === 'start') {
      hands = open(order.settings, logTo(tell, order.log_level))
      await hands
      tell({ type: 'ready' })
      return
    }
    const working = await hands
    if (order.type === 'attempt') {
      await working?.attempt(order.run_id, order.lane)
      tell({ type: 'over', run_id: order.run_id })
    } else if (order.type === 'refresh_spend') {
      refreshing = working?.refreshSpend(order.every_ms)
      await refreshing
      tell({ type: 'refreshed' })
    } else if (order.type === 'hand_back') {
      working?.handBack()
    } else {
      // An account that is being asked for is let go, so that another process need not wait for its claim to run out.
      working?.handBack()
      await refreshing
      await working?.close()
      process.disconnect?.()
    }
  }
  process.on('message', raw => {
    // A mistake of ours ends the process, as it does everywhere.
    void obey(Order.parse(raw))
  })
  process.once('disconnect', () => process.exit())
  // A terminal and a service manager tell every process: this one waits for its parent's word.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  giveWay()
  setInterval(() => tell({ type: 'pulse', memory_bytes: process.memoryUsage.rss() }), PULSE_MS).unref()
  tell({ type: 'here' })
}

/** Whoever waits for a page goes before whoever waits for a table, with the processor and when memory runs out. */
function giveWay() {
  try {
    setPriority(NICE)
    writeFileSync('/proc/self/oom_score_adj', '500')
  } catch {
    // Only Linux has the second, and nothing hangs on either.
  }
}

/** Two thirds of the processor's time of a process that does not give way, when both want all of it: less would starve leases on a busy machine. */
const NICE = 2

const logTo = (tell: (answer: Answer) => void, level: string): Logger =>
  pino(
    { level, serializers: { err: errorSummary } },
    { write: (line: string) => void tell({ type: 'log', line }) },
  )

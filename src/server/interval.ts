import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

export interface Role {
  /**
   * Starts nothing new and waits for what is in progress; what is not done after the grace period is
   * released.
   */
  stop(graceMs: number): Promise<void>
}

/** Runs `work` in an interval, never twice at once; a failure is logged and the next run tries again. */
export function startInterval(pauseMs: number, log: Logger, work: () => Promise<void>): Role {
  const stopped = new AbortController()
  const loop = (async () => {
    while (!stopped.signal.aborted) {
      await work().catch(error => log.warn({ err: error }, 'interval work failed'))
      await sleep(pauseMs, undefined, { signal: stopped.signal }).catch(() => undefined)
    }
  })()
  return {
    async stop(graceMs) {
      stopped.abort()
      await Promise.race([loop, sleep(graceMs, undefined, { ref: false })])
    },
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

export interface Role {
  /** Takes nothing new and waits for what is under way; after so long it is handed back. */
  stop(graceMs: number): Promise<void>
}

/** Does something again and again, never twice at once; a failure is logged and the next turn tries again. */
export function repeatedly(pauseMs: number, log: Logger, turn: () => Promise<void>): Role {
  const stopped = new AbortController()
  const loop = (async () => {
    while (!stopped.signal.aborted) {
      await turn().catch(error => log.warn({ err: error }, 'a turn failed'))
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

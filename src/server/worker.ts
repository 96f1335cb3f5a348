import { setTimeout as sleep } from 'node:timers/promises'
import { hostname } from 'node:os'
import type { Logger } from 'pino'
import type { Db } from '#server/db/connect.ts'
import type { Queue } from '#server/queue/queue.ts'
import { NotYet } from '#server/resources/runs/failure.ts'
import { takeForsakenRuns } from '#server/resources/runs/lease.ts'
import { runReport, type RunEffects } from '#server/resources/runs/run-report.ts'
import { dispatchDue, type DispatchEffects } from '#server/schedule/dispatch.ts'

/** The one task that the queue carries: the id of a run. */
export const RUN_REPORT = 'run-report'
interface RunMessage {
  run_id: string
}

/** Tells the queue of runs; clicks go ahead of schedules. */
export const enqueueRuns = (queue: Queue, trx: Db, run_ids: readonly string[], how: { urgent: boolean }) =>
  queue.enqueue(
    trx,
    RUN_REPORT,
    run_ids.map((run_id): RunMessage => ({ run_id })),
    how,
  )

export interface Role {
  /** Takes nothing new and waits for what is under way; after so long it is handed back. */
  stop(grace_ms: number): Promise<void>
}

export type WorkerEffects = Omit<
  RunEffects,
  'db' | 'worker' | 'enqueueAt' | 'onUnexpected' | 'step' | 'sleep' | 'now' | 'stopping'
>

/** Works on runs, `concurrency` at a time, and takes up those whose worker has died. */
export async function startWorker(
  db: Db,
  queue: Queue,
  { concurrency, effects, log }: { concurrency: number; effects: WorkerEffects; log: Logger },
): Promise<Role> {
  const stopping = new AbortController()
  const run_effects: RunEffects = {
    ...effects,
    db,
    worker: `${hostname()}:${process.pid}`,
    stopping: stopping.signal,
    now: () => new Date(),
    sleep: (ms, signal) => sleep(ms, undefined, { signal }),
    enqueueAt: (trx, run_id, start_after) => queue.enqueue(trx, RUN_REPORT, [{ run_id }], { start_after }),
    step: async (step, run) => log.debug({ run: run.id, attempt: run.attempt, step }, 'run'),
    onUnexpected: (error, run) =>
      log.error({ err: error, run: run.id, attempt: run.attempt }, 'a run met a mistake of ours'),
  }
  const taking = await queue.work<RunMessage>(RUN_REPORT, concurrency, async ({ run_id }) => {
    // A database that is away throws here: the lease runs out, and the run is found again.
    await runReport(run_id, run_effects).catch(error =>
      log.error({ err: error, run: run_id }, 'an attempt broke off'),
    )
  })
  const search = repeatedly(SEARCH_MS, log, async () => {
    await enqueueRuns(queue, db, await takeForsakenRuns(db, 100), { urgent: false })
  })
  return {
    async stop(grace_ms) {
      await search.stop(grace_ms)
      if (await taking.stop(grace_ms)) return
      stopping.abort(new NotYet(0))
      await taking.stop(grace_ms)
    },
  }
}

// A dead worker's run is taken up within its lease and this.
const SEARCH_MS = 1000
const TICK_MS = 1000

/** Begins what is due, once a second; it may run in any number of processes. */
export function startScheduler(
  db: Db,
  queue: Queue,
  { isReady, log }: Pick<DispatchEffects, 'isReady'> & { log: Logger },
): Role {
  return repeatedly(TICK_MS, log, async () => {
    const begun = await dispatchDue({
      db,
      isReady,
      now: () => new Date(),
      enqueue: (trx, run_ids) => enqueueRuns(queue, trx, run_ids, { urgent: false }),
    })
    if (begun > 0) log.info({ begun }, 'scheduled runs began')
  })
}

/** Does something again and again, never twice at once; a failure is logged and the next turn tries again. */
function repeatedly(pause_ms: number, log: Logger, turn: () => Promise<void>): Role {
  const stopped = new AbortController()
  const loop = (async () => {
    while (!stopped.signal.aborted) {
      await turn().catch(error => log.warn({ err: error }, 'a turn failed'))
      await sleep(pause_ms, undefined, { signal: stopped.signal }).catch(() => undefined)
    }
  })()
  return {
    async stop() {
      stopped.abort()
      await loop
    },
  }
}

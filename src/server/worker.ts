import { setTimeout as sleep } from 'node:timers/promises'
import { hostname } from 'node:os'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '#server/db/connect.ts'
import { keepHouse } from '#server/housekeeping.ts'
import { takeTurn } from '#server/limits/quota.ts'
import type { Queue } from '#server/queue/queue.ts'
import { HandedBack } from '#server/resources/runs/failure.ts'
import { takeForsakenRuns } from '#server/resources/runs/lease.ts'
import { placesInLine } from '#server/resources/runs/queries.ts'
import { runReport, type RunEffects } from '#server/resources/runs/run-report.ts'
import { dispatchDue, type DispatchEffects } from '#server/schedule/dispatch.ts'

/** The one task that the queue carries: the id of a run. */
export const RUN_REPORT = 'run-report'
interface RunMessage {
  run_id: string
}

/**
 * Tells the queue of runs. Clicks go ahead of schedules; among those, everybody's first run goes ahead of anybody's second, so that one owner's
 * thousand reports do not hold up the rest.
 */
export async function enqueueRuns(
  queue: Queue,
  trx: Db,
  run_ids: readonly string[],
  { urgent }: { urgent: boolean },
) {
  if (run_ids.length === 0) return
  const places = await placesInLine(trx, run_ids, { behind_waiting: !urgent })
  const ahead = urgent ? CLICKS_AHEAD : 0
  await queue.enqueue(
    trx,
    RUN_REPORT,
    run_ids.map((run_id): RunMessage => ({ run_id })),
    { priority: index => ahead - (places.get(run_ids[index] ?? '') ?? 0) },
  )
}

const CLICKS_AHEAD = 1_000_000

export interface Role {
  /** Takes nothing new and waits for what is under way; after so long it is handed back. */
  stop(grace_ms: number): Promise<void>
}

export type WorkerEffects = Omit<
  RunEffects,
  'db' | 'worker' | 'enqueueAt' | 'onUnexpected' | 'step' | 'sleep' | 'now' | 'stopping'
> &
  Partial<Pick<RunEffects, 'step' | 'now'>>

/** Works on runs, `concurrency` at a time, and takes up those whose worker has died. */
export async function startWorker(
  db: Db,
  queue: Queue,
  { concurrency, effects, log }: { concurrency: number; effects: WorkerEffects; log: Logger },
): Promise<Role> {
  const stopping = new AbortController()
  const run_effects: RunEffects = {
    step: async (step, run) => log.debug({ run: run.id, attempt: run.attempt, step }, 'run'),
    now: () => new Date(),
    ...effects,
    db,
    worker: `${hostname()}:${process.pid}`,
    stopping: stopping.signal,
    sleep: (ms, signal) => sleep(ms, undefined, { signal }),
    enqueueAt: (trx, run_id, start_after) => queue.enqueue(trx, RUN_REPORT, [{ run_id }], { start_after }),
    onUnexpected: (error, run) =>
      log.error({ err: error, run: run.id, attempt: run.attempt }, 'a run met a mistake of ours'),
  }
  const taking = await queue.work<RunMessage>(RUN_REPORT, concurrency, async ({ run_id }) => {
    // A database that is away throws here: the run is found again.
    await runReport(run_id, run_effects).catch(error =>
      log.error({ err: error, run: run_id }, 'an attempt broke off'),
    )
  })
  const search = repeatedly(SEARCH_MS, log, async () => {
    const queue_is_empty = await queue.isEmpty(db, RUN_REPORT)
    const run_ids = await takeForsakenRuns(db, { limit: 100, queue_is_empty })
    await enqueueRuns(queue, db, run_ids, { urgent: false })
  })
  return {
    async stop(grace_ms) {
      await search.stop(grace_ms)
      if (await taking.stop(grace_ms)) return
      stopping.abort(new HandedBack())
      await taking.stop(HAND_BACK_MS)
    },
  }
}

// A dead worker's run is taken up within its lease and this.
const SEARCH_MS = 1000
const TICK_MS = 1000
/** An attempt that has been told to stop writes one row. */
const HAND_BACK_MS = 1500

/** Begins what is due, once a second, and clears away what is old; it may run in any number of processes. */
export function startScheduler(
  db: Db,
  queue: Queue,
  {
    isReady,
    testLogins,
    log,
  }: Pick<DispatchEffects, 'isReady'> & { testLogins: (now: Date) => Promise<number>; log: Logger },
): Role {
  const dispatching = repeatedly(TICK_MS, log, async () => {
    const now = await databaseNow(db)
    const begun = await dispatchDue({
      db,
      isReady,
      now: () => now,
      enqueue: (trx, run_ids) => enqueueRuns(queue, trx, run_ids, { urgent: false }),
      onUnexpected: (error, report) => log.error({ err: error, report }, 'a report cannot be scheduled'),
    })
    if (begun > 0) log.info({ begun }, 'scheduled runs began')
  })
  const cleaning = repeatedly(60_000, log, async () => {
    if ((await takeTurn(db, 'housekeeping', HOURLY)) > 0) return
    const now = await databaseNow(db)
    log.info({ ...(await keepHouse(db, now)), logins_tested: await testLogins(now) }, 'kept house')
  })
  return {
    async stop(grace_ms) {
      await Promise.all([dispatching.stop(grace_ms), cleaning.stop(grace_ms)])
    },
  }
}

/** By all processes together. */
const HOURLY = { per_minute: 1 / 60, burst: 1 }

async function databaseNow(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  return rows[0]?.now ?? new Date()
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

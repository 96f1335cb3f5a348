import type { Logger } from 'pino'
import type { Db, OpenDatabase } from '#server/db/connect.ts'
import { databaseNow } from '#server/db/now.ts'
import { cleanUp } from './cleanup.ts'
import type { WorkerProcesses } from '#server/workers/worker-processes.ts'
import type { FileEffects } from '#server/http/effects.ts'
import { sweepFiles } from '#server/files/sweep.ts'
import { takePermit } from '#server/admission/rate.ts'
import { enqueueRuns, POLL_MS, queueChannel } from '#server/queue/queue.ts'
import { startInterval, type Role } from './interval.ts'
import { insertNotices } from '#server/resources/notifications/queries.ts'
import { pools } from '#server/admission/pool.ts'
import { watchOrders } from '#server/resources/quotations/watch.ts'
import { msUntilShareDue } from '#server/resources/audiences/share-queries.ts'
import { msUntilDue } from '#server/resources/spend/queries.ts'
import { dispatchDue, type DispatchEffects } from '#server/schedule/dispatch.ts'

/** Starts worker processes when runs wait; each process claims the next run by itself. */
export async function startWorker(
  { db, listen }: Pick<OpenDatabase, 'db' | 'listen'>,
  { processes, log }: { processes: WorkerProcesses; log: Logger },
): Promise<Role> {
  const provideAll = async () => {
    for (const pool of pools) await processes.provide(pool)
  }
  const provide = (named: string) =>
    pools.filter(pool => pool === named).forEach(pool => void processes.provide(pool).catch(() => undefined))
  const unlisten = await listen(await queueChannel(db), provide)
  const polling = startInterval(POLL_MS, log, provideAll)
  return {
    async stop(grace_ms) {
      // Not awaited: while the database is away that would take until it is back.
      unlisten().catch(() => undefined)
      await Promise.all([polling.stop(grace_ms), processes.stop(grace_ms)])
    },
  }
}

const TICK_MS = 1000
const SWEEP_MS = 10_000
/** An account is fetched within this after it is due and no run waits. */
const SPEND_LOOK_MS = 2000

/**
 * Keeps the daily spend of accounts up to date while no run waits for a worker, in a process of its own, like
 * runs.
 */
export function startSpendRefresh(
  db: Db,
  { processes, every_ms, log }: { processes: Pick<WorkerProcesses, 'errand'>; every_ms: number; log: Logger },
): Role {
  return startInterval(SPEND_LOOK_MS, log, async () => {
    const now = await databaseNow(db)
    if ((await msUntilDue(db, { now, within_ms: 0 })) === 0)
      await processes.errand({ kind: 'spend', every_ms })
  })
}

/** A share goes on within this after it is due. */
const SHARES_LOOK_MS = 2000

/** Brings audiences to ad accounts in a process of its own: a batch is 10,000 rows that have to be opened. */
export function startAudienceShares(
  db: Db,
  { processes, log }: { processes: Pick<WorkerProcesses, 'errand'>; log: Logger },
): Role {
  return startInterval(SHARES_LOOK_MS, log, async () => {
    const now = await databaseNow(db)
    if ((await msUntilShareDue(db, { now, within_ms: 0 })) === 0)
      await processes.errand({ kind: 'audiences' })
  })
}

/** A refresh that somebody asks for begins within this. */
const BUSINESS_LOOK_MS = 5000

/** Keeps the businesses of the shared logins up to date; it may run in any number of processes. */
export function startBusinessRefresh(
  db: Db,
  { refresh, log }: { refresh: (now: Date) => Promise<number>; log: Logger },
): Role {
  return startInterval(BUSINESS_LOOK_MS, log, async () => {
    const logins = await refresh(await databaseNow(db))
    if (logins > 0) log.info({ logins }, 'businesses refreshed')
  })
}

/** Begins what is due, once a second, and deletes what is old; it may run in any number of processes. */
export function startScheduler(
  db: Db,
  {
    isReady,
    testLogins,
    sweepErasures,
    renewLogins,
    audit_days,
    time_zone,
    log,
  }: Pick<DispatchEffects, 'isReady'> & {
    testLogins: (now: Date) => Promise<number>
    /** Takes erased people out of long lists. */
    sweepErasures: (now: Date) => Promise<number>
    renewLogins: (now: Date) => Promise<number>
    audit_days: number
    /** The organisation's: where a day ends. */
    time_zone: string
    log: Logger
  },
): Role {
  const dispatching = startInterval(TICK_MS, log, async () => {
    const now = await databaseNow(db)
    const started = await dispatchDue({
      db,
      isReady,
      now: () => now,
      enqueue: enqueueRuns,
      notifyEnded: (trx, reports) =>
        insertNotices(
          trx,
          reports.map(({ id, owner }) => ({ kind: 'schedule_ended', user_id: owner, report: id })),
          now,
        ),
      onUnexpected: (error, report) => log.error({ err: error, report }, 'scheduling failed'),
    })
    if (started > 0) log.info({ count: started }, 'scheduled runs enqueued')
  })
  const cleaning = startInterval(60_000, log, async () => {
    if ((await takePermit(db, 'housekeeping', HOURLY)) > 0) return
    const now = await databaseNow(db)
    const cleaned = await cleanUp(db, now, { audit_days })
    const logins = { logins_renewed: await renewLogins(now), logins_tested: await testLogins(now) }
    log.info({ ...cleaned, ...logins }, 'cleanup finished')
  })
  const watching = startInterval(60_000, log, async () => {
    if ((await takePermit(db, 'orders', HOURLY)) > 0) return
    const counts = await watchOrders(db, { now: await databaseNow(db), time_zone })
    if (Object.values(counts).some(count => count > 0)) log.info(counts, 'orders watched')
  })
  const sweeping = startInterval(SWEEP_MS, log, async () => {
    const swept = await sweepErasures(await databaseNow(db))
    if (swept > 0) log.info({ count: swept }, 'people erased')
  })
  const jobs = [dispatching, cleaning, watching, sweeping]
  return {
    async stop(graceMs) {
      await Promise.all(jobs.map(job => job.stop(graceMs)))
    },
  }
}

/**
 * Removes what is left of uploads and of deleted rows. In processes that serve files, which have the storage;
 * each has temporary files of its own.
 */
export function startFileSweep(
  db: Db,
  { files: { store, temporary }, log }: { files: Pick<FileEffects, 'store' | 'temporary'>; log: Logger },
): Role {
  return startInterval(60_000, log, async () => {
    const now = await databaseNow(db)
    const abandoned = await temporary.sweep(now)
    if (abandoned > 0) log.info({ abandoned }, 'temporary files removed')
    if ((await takePermit(db, 'files', HOURLY)) > 0) return
    log.info(await sweepFiles(db, { store, log, now }), 'stored files swept')
  })
}

/** By all processes together. */
const HOURLY = { per_minute: 1 / 60, burst: 1 }

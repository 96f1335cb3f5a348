import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Errand } from './messages.ts'
import type { PlatformLimiter } from '#server/admission/platform-limiter.ts'
import type { WorkerPool } from '#server/admission/pool.ts'
import type { OpenDatabase } from '#server/db/connect.ts'
import { databaseNow } from '#server/db/now.ts'
import { queueChannel } from '#server/queue/queue.ts'
import { subscribe, type Subscription } from '#server/queue/subscription.ts'
import { logCall, logQuotaWait, logRequest, withRequestLog } from '#server/request-log.ts'
import { AttemptError } from '#server/resources/runs/failure.ts'
import type { Journal } from '#server/resources/runs/journal.ts'
import { advanceDueShares } from '#server/resources/audiences/share-job.ts'
import type { ShareEffects } from '#server/resources/audiences/share-effects.ts'
import { refreshDueAccounts } from '#server/resources/spend/refresh.ts'
import { runReport, type RunEffects } from '#server/resources/runs/run-report.ts'
import { claimNextRun, type ClaimedRun } from '#server/resources/runs/lease-queries.ts'
import { markLarge, wakeRuns } from '#server/resources/runs/queries.ts'

/** Executes runs in this very process. */
export interface Executor {
  /** Claims runs of the pool, so many at a time, until it is stopped. */
  subscribe(pool: WorkerPool, concurrency: number): Promise<Subscription>
  /** The next run of the pool; null: nothing may be claimed. */
  claim(pool: WorkerPool): Promise<ClaimedRun | null>
  /** One attempt at the run; resolves when the attempt has ended, with any outcome. */
  attempt(run: ClaimedRun, pool: WorkerPool): Promise<void>
  /** Until nothing of it is due. */
  errand(errand: Errand): Promise<void>
  /** Releases the runs in progress, so that another process continues them. */
  release(): void
}

export type WorkerEffects = Omit<
  RunEffects,
  'db' | 'onUnexpected' | 'step' | 'sleep' | 'stopping' | 'pool' | 'requestLog'
> &
  Partial<Pick<RunEffects, 'step'>> & {
    /** For work that nobody waits for; left out: `limiter` itself. */
    limiterForBackground?: PlatformLimiter['forBackground']
    /** Left out: audiences are brought nowhere. */
    audiences?: Pick<ShareEffects, 'audiencesOf' | 'openChunk' | 'openErasure'>
  }

interface ExecutorOptions {
  effects: WorkerEffects
  /** How long a dead worker's run stays leased; shorter in tests. */
  lease_s?: number
  log: Logger
  /** Called with the runs in progress whenever they change. */
  onRuns?: (runIds: string[]) => void
  /** Whether this process may go on with one large run alone; left out: it may not. */
  becomeAlone?: () => Promise<boolean>
}

export function openExecutor(
  { db, listen }: Pick<OpenDatabase, 'db' | 'listen'>,
  { effects, lease_s, log, onRuns = () => undefined, becomeAlone }: ExecutorOptions,
): Executor {
  const stopping = new AbortController()
  const claimant = { worker: `${hostname()}:${process.pid}`, ...(lease_s !== undefined && { lease_s }) }
  const underWay = new Map<string, Promise<void>>()
  let isAlone = false
  const wake = async (runIds: string[]) => void (await wakeRuns(db, runIds))
  const runEffects: RunEffects = {
    step: async (step, run) => log.debug({ run: run.id, attempt: run.attempt, step }, 'run'),
    ...effects,
    db,
    ...(becomeAlone && {
      async becomeAlone(run) {
        if (!(await becomeAlone())) return false
        isAlone = true
        await markLarge(db, run.id)
        // A table as large as this one would block them.
        await Promise.all([...underWay].flatMap(([id, ended]) => (id === run.id ? [] : [ended])))
        return true
      },
    }),
    stopping: stopping.signal,
    sleep: (ms, signal) => sleep(ms, undefined, { signal }),
    onEnd: (run, { status, ...end }) => {
      const { id, report, attempt, trigger, journal, claimed_at } = run
      const took_ms = Math.round(journal.now().getTime() - claimed_at.getTime())
      const line = { run: id, report, attempt, trigger, status, ...end, took_ms }
      // Thousands wait in a burst, and log nothing new.
      if (status === 'waits') log.debug(line, 'run waits')
      else log.info({ ...line, ...callsOf(journal) }, 'run ended')
    },
    requestLog: {
      request: (run, entry) => logRequest(log, { ...askerOf(run), ...entry }),
      call: (run, entry) => logCall(log, { ...askerOf(run), ...entry }),
      quotaWait: (run, platform, waited_ms) => logQuotaWait(log, { ...askerOf(run), platform, waited_ms }),
    },
    onUnexpected: (error, run) =>
      log.error({ err: error, run: run.id, attempt: run.attempt }, 'unexpected error in a run'),
  }
  const executor: Executor = {
    async subscribe(pool, concurrency) {
      isAlone = false
      return await subscribe({
        listen,
        channel: await queueChannel(db),
        pool,
        concurrency,
        claim: () => executor.claim(pool),
        work: run => executor.attempt(run, pool),
        onError: error => log.warn({ err: error }, 'queue failed'),
      })
    },
    claim: async pool => (isAlone ? null : await claimNextRun(db, pool, claimant)),
    async attempt(run, pool) {
      // A database that is away throws here: the run is found again.
      const attempt = runReport(run, { ...runEffects, pool }).catch(error =>
        log.error({ err: error, run: run.id }, 'attempt failed'),
      )
      underWay.set(run.id, attempt)
      onRuns([...underWay.keys()])
      await attempt
      underWay.delete(run.id)
      onRuns([...underWay.keys()])
    },
    async errand(errand) {
      const limiter = effects.limiterForBackground?.(wake) ?? effects.limiter
      const context = { ...withRequestLog(effects, log), limiter, stopping: stopping.signal }
      try {
        // Runs have priority over it.
        if (errand.kind === 'spend') await refreshDueAccounts(db, { ...context, every_ms: errand.every_ms })
        else if (effects.audiences)
          await advanceDueShares(db, {
            ...reachOf(context),
            ...effects.audiences,
            now: () => databaseNow(db),
            onUnexpected: (error, about) =>
              log.error({ err: error, ...about }, 'unexpected error in a share'),
          })
      } catch (error) {
        log.warn({ err: error, errand: errand.kind }, 'errand failed')
      }
    },
    release: () => stopping.abort(new AttemptError({ kind: 'released' })),
  }
  return executor
}

const reachOf = ({ fetch, hosts, tokens, limiter, stopping }: WorkerEffects & { stopping: AbortSignal }) => ({
  fetch,
  hosts,
  tokens,
  limiter,
  stopping,
})

const askerOf = ({ id, attempt }: ClaimedRun) => ({ run: id, attempt })

/** Requests to platforms over all attempts. */
const callsOf = (journal: Journal) => ({ platform_requests: journal.columns().platform_requests })

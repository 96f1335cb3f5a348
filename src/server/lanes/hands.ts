import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Db } from '#server/db/connect.ts'
import type { Queue } from '#server/queue/queue.ts'
import { logCall, logQuotaWait, logRequest, withRequestLog } from '#server/request-log.ts'
import { AttemptError } from '#server/resources/runs/failure.ts'
import { lanesOf, type Lane } from '#server/admission/pool.ts'
import type { ClaimedRun } from '#server/resources/runs/lease.ts'
import type { Journal } from '#server/resources/runs/journal.ts'
import { refreshDueAccounts } from '#server/resources/spend/refresh.ts'
import { runReport, type RunEffects } from '#server/resources/runs/run-report.ts'

/** The tasks that the queue carries: each message is the id of a run. */
export const taskOf: Record<Lane, string> = { shared: 'run-report', alone: 'run-report-alone' }
export const RUN_TASKS: readonly string[] = Object.values(taskOf)
export interface RunMessage {
  run_id: string
}

// Rounds count on while anybody waits; not even a queue that never empties reaches this.
export const CLICKS_AHEAD = 1_000_000_000

/** Whoever carries attempts out. */
export interface Hands {
  /** One attempt at the run; over when the attempt is, however it has ended. */
  attempt(run_id: string, lane: Lane): Promise<void>
  /** Asks for the daily spend of accounts until none is due, or runs wait, which always go ahead. */
  refreshSpend(every_ms: number): Promise<void>
  /** What is under way is given back, so that another process goes on with it. */
  handBack(): void
  /** For when nothing is under way any more. */
  close(): Promise<void>
}

export type WorkerEffects = Omit<
  RunEffects,
  'db' | 'worker' | 'enqueueAt' | 'onUnexpected' | 'step' | 'sleep' | 'stopping' | 'lane' | 'tell'
> &
  Partial<Pick<RunEffects, 'step'>>

/** Carries attempts out in this very process. */
export function handsHere(
  db: Db,
  queue: Queue,
  { effects, log }: { effects: WorkerEffects; log: Logger },
): Hands {
  const stopping = new AbortController()
  const run_effects: RunEffects = {
    step: async (step, run) => log.debug({ run: run.id, attempt: run.attempt, step }, 'run'),
    ...effects,
    db,
    worker: `${hostname()}:${process.pid}`,
    stopping: stopping.signal,
    sleep: (ms, signal) => sleep(ms, undefined, { signal }),
    // What has begun goes on before anything else of its kind begins.
    enqueueAt: async (trx, { id: run_id, trigger }, start_after) => {
      const lane = (await lanesOf(trx, [run_id])).get(run_id) ?? 'shared'
      const priority = () => (trigger === 'schedule' ? 0 : CLICKS_AHEAD)
      await queue.enqueue(trx, taskOf[lane], [{ run_id }], { start_after, priority })
    },
    onEnd: (run, { status, ...end }) => {
      const { id, report, attempt, trigger, journal, claimed_at } = run
      const took_ms = Math.round(journal.now().getTime() - claimed_at.getTime())
      const line = { run: id, report, attempt, trigger, status, ...end, took_ms }
      // Thousands wait for a turn in a herd, and say nothing new.
      if (status === 'waits') log.debug(line, 'a run waits')
      else log.info({ ...line, ...callsOf(journal) }, 'a run has ended')
    },
    tell: {
      request: (run, told) => logRequest(log, { ...askerOf(run), ...told }),
      call: (run, told) => logCall(log, { ...askerOf(run), ...told }),
      quotaWait: (run, platform, waited_ms) => logQuotaWait(log, { ...askerOf(run), platform, waited_ms }),
    },
    onUnexpected: (error, run) =>
      log.error({ err: error, run: run.id, attempt: run.attempt }, 'a run met a mistake of ours'),
  }
  return {
    // A database that is away throws here: the run is found again.
    attempt: (run_id, lane) =>
      runReport(run_id, { ...run_effects, lane }).catch(error =>
        log.error({ err: error, run: run_id }, 'an attempt broke off'),
      ),
    refreshSpend: every_ms =>
      refreshDueAccounts(db, { ...withRequestLog(effects, log), stopping: stopping.signal, every_ms }).catch(
        error => log.warn({ err: error }, 'the daily spend is not refreshed'),
      ),
    handBack: () => stopping.abort(new AttemptError({ kind: 'released' })),
    close: async () => {},
  }
}

const askerOf = ({ id, attempt }: ClaimedRun) => ({ run: id, attempt })

/** Requests to platforms over all attempts. */
const callsOf = (journal: Journal) => ({ platform_requests: journal.columns().platform_requests })

import type { Registry } from 'prom-client'
import { listBusyQuotas } from '#server/admission/busy-quotas.ts'
import type { Db } from '#server/db/connect.ts'
import { gaugesIn } from '#server/gauges.ts'
import { measureResponses } from '#server/fetches/queries.ts'
import { countAnswers, countRuns, listFailures, listWorkers, summariseEnded } from './queries.ts'

const HOUR_MS = 3600_000

/**
 * The metrics of runs and quotas for Prometheus: read from the database, so that any process returns them for
 * all.
 */
export function registerRunMetrics(registry: Registry, db: Db, now: () => Date) {
  const gauge = gaugesIn(registry)
  gauge(
    'sheetcast_runs',
    'Runs that have not ended, by what they are doing.',
    async () => {
      const { oldest_wanted_at: _, ...counts } = await countRuns(db)
      return Object.entries(counts).map(([state, count]) => [{ state }, count])
    },
    ['state'],
  )
  gauge(
    'sheetcast_oldest_waiting_run_seconds',
    'How long the run that has waited longest for a worker has waited; 0 when none waits.',
    async () => {
      const { oldest_wanted_at } = await countRuns(db)
      return [[{}, oldest_wanted_at ? Math.max(0, now().getTime() - oldest_wanted_at.getTime()) / 1000 : 0]]
    },
  )
  gauge('sheetcast_workers', 'Processes that have runs in hand.', async () => [
    [{}, (await listWorkers(db)).length],
  ])
  gauge(
    'sheetcast_runs_ended_last_hour',
    'Runs that have ended in the last hour, by how.',
    async () => {
      const ended = await summariseEnded(db, new Date(now().getTime() - HOUR_MS))
      return (['completed', 'error', 'cancelled'] as const).map(status => [{ status }, ended[status]])
    },
    ['status'],
  )
  gauge(
    'sheetcast_run_failures_last_day',
    'Runs that have ended with an error in the last 24 hours, by code.',
    async () => {
      const failures = await listFailures(db, new Date(now().getTime() - 24 * HOUR_MS))
      return failures.map(({ code, runs }) => [{ code }, runs])
    },
    ['code'],
  )
  gauge(
    'sheetcast_platform_answers_last_hour',
    'Answers of platforms to runs that have ended in the last hour: asked for, or shared with a run that had asked.',
    async () => {
      const counts = await countAnswers(db, new Date(now().getTime() - HOUR_MS))
      return Object.entries(counts).map(([how, count]) => [{ how }, count])
    },
    ['how'],
  )
  gauge('sheetcast_kept_answers_bytes', 'What is kept of what platforms have said.', async () => [
    [{}, (await measureResponses(db)).kept_bytes],
  ])
  gauge(
    'sheetcast_quota_wait_seconds',
    'Until the next request is permitted, for each quota that makes somebody wait.',
    async () => {
      const closed = (await listBusyQuotas(db)).filter(({ wait_ms }) => wait_ms > 0)
      return closed.map(({ scope, wait_ms }) => [{ scope }, wait_ms / 1000])
    },
    ['scope'],
  )
  gauge(
    'sheetcast_quota_runs_waiting',
    "Runs that wait because a platform's quota has no free slot.",
    async () => {
      const full = (await listBusyQuotas(db)).filter(({ runs_waiting }) => runs_waiting > 0)
      return full.map(({ scope, runs_waiting }) => [{ scope }, runs_waiting])
    },
    ['scope'],
  )
}

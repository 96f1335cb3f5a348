import { Operations } from '#shared/api/operations.ts'
import { listBusyQuotas } from '#server/admission/busy-quotas.ts'
import type { Db } from '#server/db/connect.ts'
import type { SpreadsheetEffects } from '#server/http/effects.ts'
import { route } from '#server/http/route.ts'
import { measureResponses } from '#server/fetches/queries.ts'
import {
  countAnswers,
  countComing,
  countRuns,
  listFailures,
  listWorkers,
  measureDatabase,
  measureSystemUsers,
  summariseEnded,
} from './queries.ts'

const read = route('GET', '/api/operations/', {
  summary: 'Get the operational status: waiting runs, failures, and the quotas that delay runs.',
  level: 'superuser',
  reply: Operations,
  async run({ db, now, effects }) {
    const { system_users } = effects.spreadsheets
    return {
      ...(await readOperations(db, now)),
      warnings: effects.settings.shares_one_address ? ['shared_address' as const] : [],
      system_users: await readSystemUsers(db, system_users),
    }
  },
})

const HOUR_MS = 3600_000
const DAY_MS = 24 * HOUR_MS

async function readOperations(db: Db, now: Date) {
  const { oldest_wanted_at, ...runs } = await countRuns(db)
  const workers = await listWorkers(db)
  const { completed, error, cancelled, ...spread } = await summariseEnded(
    db,
    new Date(now.getTime() - HOUR_MS),
  )
  const failures = await listFailures(db, new Date(now.getTime() - DAY_MS))
  const coming = await countComing(db, new Date(now.getTime() + DAY_MS))
  return {
    at: now.toISOString(),
    runs: { ...runs, oldest_wanted_at: oldest_wanted_at?.toISOString() ?? null },
    workers: workers.map(worker => ({ ...worker, lease_until: worker.lease_until.toISOString() })),
    last_hour: {
      completed,
      error,
      cancelled,
      waited: spreadOf(spread.waited_p50, spread.waited_p95),
      took: spreadOf(spread.took_p50, spread.took_p95),
    },
    failures: failures.map(failure => ({ ...failure, last_at: failure.last_at.toISOString() })),
    quotas: await listBusyQuotas(db),
    coming: coming.map(({ at, runs: due }) => ({ at: at.toISOString(), runs: due })),
    answers: {
      ...(await countAnswers(db, new Date(now.getTime() - HOUR_MS))),
      ...(await measureResponses(db)),
    },
    database: await measureDatabase(db),
  }
}

async function readSystemUsers(db: Db, configured: SpreadsheetEffects['system_users']) {
  const loads = await measureSystemUsers(db, configured)
  return loads.map(({ address, ...load }) => ({
    system_user: address,
    project: configured.find(each => each.address === address)?.project ?? null,
    ...load,
  }))
}

const spreadOf = (p50: number | null, p95: number | null) =>
  p50 === null || p95 === null ? null : { p50_ms: Math.round(p50), p95_ms: Math.round(p95) }

export const operationsRoutes = [read]

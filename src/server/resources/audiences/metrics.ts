import type { Registry } from 'prom-client'
import type { Db } from '#server/db/connect.ts'
import { gaugesIn } from '#server/gauges.ts'
import { countErasureFailures, countShares, oldestPendingErasure } from './metric-queries.ts'

const DAY_MS = 24 * 3600_000

/** The metrics of audiences at ad accounts, and of people who are to be erased there. */
export function registerAudienceMetrics(registry: Registry, db: Db, now: () => Date) {
  const gauge = gaugesIn(registry)
  gauge(
    'sheetcast_audience_shares',
    'Shares of audiences with ad accounts, by state, and by code where something is wrong.',
    async () => (await countShares(db)).map(({ state, code, shares }) => [{ state, code }, shares]),
    ['state', 'code'],
  )
  gauge(
    'sheetcast_oldest_pending_erasure_seconds',
    'How long the erasure that has waited longest for an ad account has waited; 0 when none waits.',
    async () => {
      const since = await oldestPendingErasure(db)
      return [[{}, since ? Math.max(0, now().getTime() - since.getTime()) / 1000 : 0]]
    },
  )
  gauge(
    'sheetcast_erasure_failures_last_day',
    'Ad accounts from which nobody could be erased, of erasures that have ended in the last 24 hours, by code.',
    async () => {
      const failures = await countErasureFailures(db, new Date(now().getTime() - DAY_MS))
      return failures.map(({ code, accounts }) => [{ code }, accounts])
    },
    ['code'],
  )
}

import { PlatformFailure, type QuotaGate, type QuotaScope } from '#server/connectors/connector.ts'
import type { Db } from '#server/db/connect.ts'
import { SheetsFailure } from '#server/sheets/failure.ts'
import type { SheetsQuota } from '#server/sheets/requests.ts'
import { pauseScope, takeTurn, type Pace } from './quota.ts'

/** A wait longer than this is not sat out by a worker: the run goes back to the queue. */
const LONGEST_WAIT_MS = 10_000

// Where a platform documents no pace: this only keeps one account from being asked in a rush.
const PLATFORM_PACES: Record<QuotaScope['kind'], Pace> = {
  app: { per_minute: 6000, burst: 200 },
  credential: { per_minute: 6000, burst: 200 },
  account: { per_minute: 1200, burst: 50 },
}
/** From this share of a quota on, one request a second. */
const SLOW_FROM_PERCENT = 75

/** The quotas of ad platforms, kept by all workers together. */
export function platformGate(db: Db, sleep: Sleep): QuotaGate {
  return {
    async before(scope) {
      const wait = { scope: nameOf(scope), pace: scope.pace ?? PLATFORM_PACES[scope.kind], sleep }
      const retry_after_ms = await waitForTurn(db, wait)
      if (retry_after_ms !== null) throw new PlatformFailure('quota_exhausted', { retry_after_ms })
    },
    async after(scope, { used_percent, pause_ms }) {
      const pause = Math.max(pause_ms, used_percent >= SLOW_FROM_PERCENT ? 1000 : 0)
      if (pause > 0) await pauseScope(db, nameOf(scope), pause)
    },
  }
}

// 60 a minute and user, 300 a minute and project; a burst of 10 beside 50 a minute never exceeds 60 in any minute.
const SHEETS_USER: Pace = { per_minute: 50, burst: 10 }
const SHEETS_PROJECT: Pace = { per_minute: 250, burst: 50 }

/** The quota of the spreadsheet service, for one system user. */
export function sheetsGate(db: Db, system_user: string, sleep: Sleep): SheetsQuota {
  const scopesOf = (kind: 'read' | 'write') => [
    { scope: `sheets ${kind} user ${system_user}`, pace: SHEETS_USER },
    { scope: `sheets ${kind} project`, pace: SHEETS_PROJECT },
  ]
  return {
    async before(kind) {
      for (const { scope, pace } of scopesOf(kind)) {
        const retry_after_ms = await waitForTurn(db, { scope, pace, sleep })
        if (retry_after_ms !== null) throw new SheetsFailure('quota_exhausted', { retry_after_ms })
      }
    },
    async after(kind, _, { pause_ms }) {
      if (pause_ms === 0) return
      for (const { scope } of scopesOf(kind)) await pauseScope(db, scope, pause_ms)
    },
  }
}

/** Waits for a turn; null when it has come, else the wait that is too long to sit out. */
async function waitForTurn(db: Db, { scope, pace, sleep }: { scope: string; pace: Pace; sleep: Sleep }) {
  for (;;) {
    const wait_ms = await takeTurn(db, scope, pace)
    if (wait_ms === 0) return null
    if (wait_ms > LONGEST_WAIT_MS) return wait_ms
    await sleep(wait_ms)
  }
}

const nameOf = (scope: QuotaScope) => `${scope.platform} ${scope.kind} ${scope.id}`

type Sleep = (ms: number) => Promise<void>

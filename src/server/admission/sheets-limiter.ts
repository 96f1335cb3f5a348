import type { Db } from '#server/db/connect.ts'
import { SheetsFailure } from '#server/sheets/failure.ts'
import type { SheetsGate, Urgency } from '#server/sheets/requests.ts'
import { pauseScope, takeFromWindow, takePlace, type Pace } from './rate.ts'

/** A wait longer than this is not sat out by a worker: the run goes back to the queue. */
const LONGEST_WAIT_MS = 10_000

export interface SheetsQuotaSettings {
  system_user: string
  /** The Google Cloud project of the system user. */
  project: string
  /** System users that this project is shared with, this one included. */
  sharers: number
  /** Reads, and writes, a minute that the service grants one system user. */
  per_user: number
  /** And all of one project together. */
  per_project: number
}

// Google counts in minutes of its own, and a request is counted when it arrives: a second more keeps the two clocks from disagreeing.
const WINDOW_MS = 61_000

/** The quota of the spreadsheet service, for one system user. */
export function sheetsGate(
  db: Db,
  { system_user, project, sharers, per_user, per_project }: SheetsQuotaSettings,
  sleep: Sleep,
): SheetsGate {
  const scopesOf = (kind: 'read' | 'write') => [
    { scope: `sheets ${kind} user ${system_user}`, most: per_user, why: 'user_quota' },
    { scope: `sheets ${kind} project ${project}`, most: per_project, why: 'project_quota' },
  ]
  // A line of each system user's own, so that nobody stands behind those who wait for another one. Where the project grants less than its users
  // together, each line has its part of it.
  const pace_per_minute = Math.min(per_user, per_project / sharers)
  return {
    async before(kind) {
      for (const { scope, most } of scopesOf(kind)) {
        const take = () => takeFromWindow(db, scope, { most, window_ms: WINDOW_MS })
        const retry_after_ms = await waitFor(take, sleep)
        if (retry_after_ms !== null) throw new SheetsFailure('quota_exhausted', { retry_after_ms })
      }
    },
    async after(kind, { pause_ms, why }) {
      if (pause_ms === 0) return
      const is_told = why === 'user_quota' || why === 'project_quota'
      // Which of the two is used up is said by the refusal; the other one's users go on.
      const meant = scopesOf(kind).filter(scope => !is_told || scope.why === why)
      for (const { scope } of meant) await pauseScope(db, scope, pause_ms)
    },
    async takePlace(urgency) {
      const line = lineNameOf(urgency, system_user)
      return { line, wait_ms: await takePlace(db, line, lineOf(urgency, pace_per_minute)) }
    },
  }
}

const lineNameOf = (urgency: Urgency, system_user: string) => `sheets line ${urgency} user ${system_user}`

/** A line lets through at once what would have had its turn in this time, had anybody come. */
export const BURST_MS = 15_000

/**
 * Evenly spread once the first ones are through, so that whoever clicks while thousands are due finds a turn free within a second or two instead of a
 * used-up minute. What both lines let through at once leaves a quarter of the minute.
 */
const lineOf = (urgency: Urgency, per_minute: number): Pace => ({
  per_minute,
  burst: Math.ceil(per_minute / (urgency === 'click' ? 2 : 4)),
})

/** Waits for a turn; null when it has come, else the wait that is too long to sit out. */
async function waitFor(take: () => Promise<number>, sleep: Sleep) {
  for (;;) {
    const wait_ms = await take()
    if (wait_ms === 0) return null
    if (wait_ms > LONGEST_WAIT_MS) return wait_ms
    await sleep(wait_ms)
  }
}

type Sleep = (ms: number) => Promise<void>

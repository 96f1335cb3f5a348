import type { Db } from '#server/db/connect.ts'
import { SheetsFailure } from '#server/sheets/failure.ts'
import type { SheetsLimiter, Urgency } from '#server/sheets/requests.ts'
import { reservePosition, type Rate } from './rate.ts'
import { pauseRefused, resumeRefused, takeFromWindows, type Probe } from './refused-window.ts'

/** A worker waits this long in place; for a longer wait the run goes back to the queue. */
const LONGEST_WAIT_MS = 10_000

export interface SheetsQuotaSettings {
  system_user: string
  /** The Google Cloud project of the system user. */
  project: string
  /** System users that this project is shared with, this one included. */
  sharers: number
  /** Reads, and writes, a minute that the service grants one system user. */
  per_user: number
  /** And those of one project together. */
  per_project: number
}

// Google counts in minutes of its own, and a request is counted when it arrives: a second more keeps the
// clocks apart.
const WINDOW_MS = 61_000

/** The quotas of the spreadsheet service for one system user: its own, and its project's. */
export function sheetsLimiter(
  db: Db,
  { system_user, project, sharers, per_user, per_project }: SheetsQuotaSettings,
  sleep: Sleep,
): SheetsLimiter {
  const quotasOf = (kind: 'read' | 'write') => [
    { key: `sheets ${kind} user ${system_user}`, most: per_user, why: 'user_quota' },
    { key: `sheets ${kind} project ${project}`, most: per_project, why: 'project_quota' },
  ]
  /** Those that this process has taken a permit for, by key, and when. */
  const probes = new Map<string, { probe: Probe; taken_at: number }>()
  /** Whether a request that was sent so long ago was the probe or came after it. */
  const probeOf = (key: string, sent_ms_ago: number) => {
    const found = probes.get(key)
    return found && performance.now() - sent_ms_ago >= found.taken_at ? found.probe : null
  }
  // Each system user has a waitlist of its own, so that no run waits behind those of another one. Where the
  // project grants less than its users together, each gets its share.
  const per_minute = Math.min(per_user, per_project / sharers)
  return {
    async acquire(...kinds) {
      let missing = kinds.flatMap(quotasOf)
      for (;;) {
        const { taken, probes: taken_probes, wait_ms } = await takeFromWindows(db, missing, WINDOW_MS)
        for (const [key, probe] of taken_probes) probes.set(key, { probe, taken_at: performance.now() })
        missing = missing.filter(({ key }) => !taken.has(key))
        if (missing.length === 0) return
        if (wait_ms > LONGEST_WAIT_MS) throw new SheetsFailure('quota_exhausted', { retry_after_ms: wait_ms })
        await sleep(wait_ms)
      }
    },
    async report(kind, { sent_ms_ago, refusal }) {
      const quotas = quotasOf(kind).map(quota => ({ ...quota, probe: probeOf(quota.key, sent_ms_ago) }))
      // The refusal says which of the two is used up; users of the other one go on.
      const isStated = quotas.some(({ why }) => why === refusal?.why)
      let pause_ms = 0
      for (const { key, most, why, probe } of quotas) {
        const isRefused = refusal !== null && (!isStated || why === refusal.why)
        if (probe) probes.delete(key)
        if (isRefused) {
          const { retry_after_ms } = refusal
          const facts = { most, retry_after_ms, is_probe: probe !== null }
          pause_ms = Math.max(pause_ms, await pauseRefused(db, key, facts))
        } else if (probe) await resumeRefused(db, key, probe)
      }
      return pause_ms
    },
    async reservePosition(urgency) {
      const waitlist = waitlistOf(urgency, system_user)
      return { waitlist, wait_ms: await reservePosition(db, waitlist, rateOf(urgency, per_minute)) }
    },
  }
}

/** Stored with each waiting run, and shown to operators. */
const waitlistOf = (urgency: Urgency, system_user: string) => `sheets waitlist ${urgency} user ${system_user}`

/**
 * A waitlist lets through at once the positions that would have been used in this time, had any run waited.
 */
export const BURST_MS = 15_000

/**
 * Evenly spread once the first ones are through, so that a manual run during a burst waits a second or two
 * and not for the next minute. What both waitlists let through at once leaves a quarter of the minute.
 */
const rateOf = (urgency: Urgency, per_minute: number): Rate => ({
  per_minute,
  burst: Math.ceil(per_minute / (urgency === 'click' ? 2 : 4)),
})

type Sleep = (ms: number) => Promise<void>

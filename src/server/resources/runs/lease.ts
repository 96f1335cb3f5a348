import type { Db } from '#server/db/connect.ts'
import { runCancelled, leaseLost } from './failure.ts'
import { prolong, type ClaimedRun } from './lease-queries.ts'

/** Heartbeats in the time of a lease. */
const BEATS = 3.3
/** A run whose process dies three times in a row (out of memory, say) is quarantined. */
const MAX_WORKER_DEATHS = 3
/** The same where the death was not observed: machines come and go, and none of that is the run's fault. */
const MAX_LOST_LEASES = 20

export const isQuarantined = ({ worker_deaths, lost_leases }: ClaimedRun) =>
  worker_deaths >= MAX_WORKER_DEATHS || lost_leases >= MAX_LOST_LEASES

export interface Lease {
  /** Aborted with an AttemptError: the lease is lost, or the run cancelled. */
  signal: AbortSignal
  stop(): void
}

/** Prolongs the lease until stopped, and aborts its signal when it is lost or the run is cancelled. */
export function holdLease(db: Db, run: ClaimedRun): Lease {
  const controller = new AbortController()
  let beat_at: number | null = null
  let last_beat = performance.now()
  const beat = async () => {
    const began = performance.now()
    beat_at = began
    try {
      const row = await prolong(db, run)
      if (!row) controller.abort(leaseLost())
      else if (row.cancel_requested_at) controller.abort(runCancelled())
      last_beat = began
    } catch {
      abortWhenLate()
    } finally {
      beat_at = null
    }
  }
  // The database is away, or the connection is cut silently; the lease ends by itself, so stop before it
  // does.
  const abortWhenLate = () => {
    if (performance.now() - last_beat > run.lease_s * 800) controller.abort(leaseLost())
  }
  const timer = setInterval(
    () => {
      if (beat_at === null) void beat()
      else abortWhenLate()
    },
    (run.lease_s * 1000) / BEATS,
  )
  return { signal: controller.signal, stop: () => clearInterval(timer) }
}

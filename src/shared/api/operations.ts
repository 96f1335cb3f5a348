import { z } from 'zod'
import { Instant } from './list.ts'

const Count = z.number().int()

/**
 * Half of the runs waited (or took) no longer than `p50_ms`, nineteen of twenty no longer than `p95_ms`; null
 * without runs.
 */
const Spread = z.object({ p50_ms: Count, p95_ms: Count }).nullable()

/** Settings with which one visitor could block all others. */
const OperationsWarning = z.enum(['shared_address'])

/** The health of the product just now, over all its processes: what an operator needs to know at 3 a.m. */
export const Operations = z.object({
  at: Instant,
  /**
   * shared_address: behind https all visitors have the proxy's address, since TRUST_PROXY does not say that
   * there is one.
   */
  warnings: z.array(OperationsWarning),
  runs: z.object({
    /** Due, and executed as soon as a worker is free. */
    waiting: Count,
    /** Waiting for a time: a quota, a platform's report, the next attempt. */
    resting: Count,
    fetching: Count,
    writing: Count,
    /** When the oldest one that waits for a worker became due. */
    oldest_wanted_at: Instant.nullable(),
  }),
  /** Processes that are executing runs. */
  workers: z.array(z.object({ worker: z.string(), runs: Count, lease_until: Instant })),
  /** Of the last hour. */
  last_hour: z.object({
    completed: Count,
    error: Count,
    cancelled: Count,
    /** From when a run was due, or clicked, to its first attempt. */
    waited: Spread,
    /** From the first attempt to the end. */
    took: Spread,
  }),
  /** Of the last 24 hours, most frequent first. */
  failures: z.array(z.object({ code: z.string(), runs: Count, reports: Count, last_at: Instant })),
  /** Quotas that make somebody wait just now, longest wait first. */
  quotas: z.array(
    z.object({
      scope: z.string(),
      /** Until the next request may be sent. */
      wait_ms: Count,
      /** The service has asked for a pause, not our own rate limit. */
      is_paused: z.boolean(),
      /** Runs that wait because the quota has no free slot. */
      runs_waiting: Count,
    }),
  ),
  /**
   * Those that spreadsheets are shared with, and those that they were shared with and that are no longer
   * configured.
   */
  system_users: z.array(
    z.object({
      system_user: z.string(),
      /** The Google Cloud project, whose quota its system users share; null: not configured any more. */
      project: z.string().nullable(),
      spreadsheets: Count,
      /** Requests of the last minute, and those of the whole project. */
      writes: Count,
      reads: Count,
      project_writes: Count,
      project_reads: Count,
      /** Runs in its waitlists. */
      waiting: Count,
    }),
  ),
  /** Scheduled runs of the next 24 hours, by the quarter hour in which they are due. */
  coming: z.array(z.object({ at: Instant, runs: Count })),
  /**
   * Responses of platforms that were requested by runs of the last hour and shared with others, and how much
   * of them is stored.
   */
  answers: z.object({ asked: Count, shared: Count, kept: Count, kept_bytes: Count }),
  database: z.object({ bytes: Count, sessions: Count }),
})
export type Operations = z.infer<typeof Operations>

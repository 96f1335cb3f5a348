import { z } from 'zod'
import { Day, Instant } from './list.ts'
import { Report } from './reports.ts'

export const OverviewQuery = z.object({
  /** The reader's own, IANA: where their day begins and ends. Left out or unknown: the organisation's. */
  timezone: z.string().max(60).optional(),
})

/** The length limit of each list of the overview. */
export const OVERVIEW_LIMIT = 6
/** Counting stops here. */
export const OVERVIEW_COUNTED = 10_000

/**
 * A report, and when its spreadsheet was last updated; null: never. `finishes_at`: when the current update
 * will likely be done; null: there is none, or that is unknown.
 */
const UpdatedReport = z.object({
  report: Report,
  updated_at: Instant.nullable(),
  finishes_at: Instant.nullable(),
})

/** Today, for one's own and shared reports. */
export const Overview = z.object({
  day: Day,
  /** Where the day begins and ends. */
  timezone: z.string(),
  /** The requested zone where it is unknown; null: it is the one above. */
  unknown_timezone: z.string().nullable(),
  /** Runs that ended today, and those that are under way or wait for a worker. */
  completed: z.number().int(),
  failed: z.number().int(),
  running: z.number().int(),
  /** When the last of those under way will likely have ended; null: there are none, or that is unknown. */
  running_until: Instant.nullable(),
  /** Reports that are still due today; `next_at`: the first of them. */
  to_come: z.object({ count: z.number().int(), next_at: Instant.nullable() }),
  /** Reports whose last run failed, the latest failure first; `count` of the last 30 days. */
  failures: z.object({ count: z.number().int(), reports: z.array(Report) }),
  /** What is due next, today or later. */
  due: z.array(Report),
  /** The last changed ones; `count`: of all. */
  recent: z.object({ count: z.number().int(), reports: z.array(UpdatedReport) }),
  /** Reports that end by themselves within a week, and that have ended within the last two. */
  ending: z.object({ soon: z.number().int(), ended: z.number().int() }),
  /** Whether there is any usable account. */
  has_accounts: z.boolean(),
})
export type Overview = z.infer<typeof Overview>
export type OverviewReport = Overview['recent']['reports'][number]

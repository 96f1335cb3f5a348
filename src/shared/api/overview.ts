import { z } from 'zod'
import { Day, Id, Instant, listOf, listQuery } from './list.ts'
import { Month } from './money.ts'
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
 * How the last run of a report ended, those that were cancelled left out: they say nothing about the
 * spreadsheet.
 */
const Outcome = z.object({
  run: z.uuid(),
  status: z.enum(['completed', 'error']),
  at: Instant,
  code: z.string().nullable(),
  rows: z.number().int().nullable(),
  partial: z.boolean(),
  /** It has put an earlier table back. */
  restored: z.boolean(),
})

/**
 * A report and its one state. `updated_at`: when its spreadsheet was last updated; null: never.
 * `finishes_at`: when the current update will likely be done; null: there is none, or that is unknown.
 */
const ReportWithState = z.object({
  report: Report,
  outcome: Outcome.nullable(),
  updated_at: Instant.nullable(),
  finishes_at: Instant.nullable(),
})

/**
 * Why a report needs attention, the most urgent first: its last run failed, on schedule or not; it ends by
 * itself within a week or has within the last two; something is still to be set up.
 */
export const attentionReasons = ['scheduled_failure', 'failure', 'ending', 'gap'] as const

const AttentionReport = ReportWithState.extend({
  reason: z.enum(attentionReasons),
  /** The first day on which it does not run any more; null: it does not end. */
  ending: z.object({ state: z.enum(['soon', 'ended']), ends_on: Day }).nullable(),
})
export type AttentionReport = z.infer<typeof AttentionReport>

/** The reports that need attention, each once, by its most urgent reason; at most a thousand of each. */
export const Attention = listOf(AttentionReport)
export type Attention = z.infer<typeof Attention>

export const AttentionQuery = listQuery(['id'], 'id').pick({ limit: true, offset: true })

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
  /** The first of the reports that need attention, and how many of all have failed in the last 30 days. */
  attention: z.object({
    count: z.number().int(),
    failed: z.number().int(),
    results: z.array(AttentionReport),
  }),
  /** What is due next, today or later. */
  due: z.array(Report),
  /** The last changed ones; `count`: of all. */
  recent: z.object({ count: z.number().int(), reports: z.array(ReportWithState) }),
  /** Reports that end by themselves within a week, and that have ended within the last two. */
  ending: z.object({ soon: z.number().int(), ended: z.number().int() }),
  /** Whether there is any usable account. */
  has_accounts: z.boolean(),
})
export type Overview = z.infer<typeof Overview>
export type OverviewReport = Overview['recent']['reports'][number]

/** The steps to the first report that keeps itself up to date, in their order. */
export const firstSteps = ['report', 'spreadsheet', 'run', 'schedule', 'share'] as const
export type FirstStep = (typeof firstSteps)[number]

/** Which of them one's own reports show to be done; `report`: the last changed of them, to go on with. */
export const FirstSteps = z.object({
  done: z.array(z.enum(firstSteps)),
  report: Id.nullable(),
})
export type FirstSteps = z.infer<typeof FirstSteps>

/**
 * What of one's advertisers' orders needs attention: how many payments are overdue, and the newest running
 * orders off pace, as they were when that was last looked at; and for directors and finance the month of EC
 * spending that is over and not locked, the earliest one.
 */
export const OverviewOrders = z.object({
  overdue: z.number().int(),
  off_pace: z.array(
    z.object({
      id: Id,
      /** Its number as printed. */
      label: z.string(),
      title: z.string(),
      advertiser_name: z.string(),
      verdict: z.enum(['under', 'over']),
    }),
  ),
  month_to_close: Month.nullable(),
})
export type OverviewOrders = z.infer<typeof OverviewOrders>

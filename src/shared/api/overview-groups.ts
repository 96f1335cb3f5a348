import { z } from 'zod'
import { Id } from './list.ts'

export const groupings = ['team', 'client'] as const
export type Grouping = (typeof groupings)[number]

export const GroupsQuery = z.object({
  by: z.enum(groupings),
  /** Where the day begins and ends; left out or unknown: the organisation's. */
  timezone: z.string().max(60).optional(),
})

/** How many days of spend are counted, up to yesterday. */
export const GROUP_SPEND_DAYS = 30

/** The reports of a team, by their owners, or of a client, by the accounts that they read. */
export const OverviewGroup = z.object({
  /** A department or an advertiser; null: reports of none. */
  id: Id.nullable(),
  /** Of an advertiser; null: a department, which has a name in each language, or none. */
  name: z.string().nullable(),
  reports: z.number().int(),
  /** Runs that ended today. */
  ran_today: z.number().int(),
  /** Reports whose last run failed, in the last 30 days. */
  failed: z.number().int(),
  /** Reports that end by themselves within a week or have within the last two. */
  ending: z.number().int(),
  /** Reports that failed, end, or are not set up: each once. */
  attention: z.number().int(),
  /** Over the last 30 days, of the accounts of the client or of the team's clients. */
  spend: z.array(z.object({ currency: z.string(), cost: z.number() })),
})
export type OverviewGroup = z.infer<typeof OverviewGroup>

/** Nobody reads more of them in one table. */
export const MOST_GROUPS = 200

/** The one that needs most attention first; `count`: of all, of which at most 200 are listed. */
export const OverviewGroups = z.object({
  count: z.number().int(),
  groups: z.array(OverviewGroup),
  /** The agency's own currency: it comes first. */
  home_currency: z.string(),
})
export type OverviewGroups = z.infer<typeof OverviewGroups>

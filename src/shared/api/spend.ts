import { z } from 'zod'
import { channelIds } from '#shared/channels/ids.ts'
import { Day, Id, Instant } from './list.ts'

/** The longest range of one response. */
export const MAX_SPEND_DAYS = 400

export const SpendQuery = z
  .object({
    /** Comma-separated ids of ad accounts; left out: all usable ones. */
    accounts: z
      .string()
      .regex(/^\d{1,15}(,\d{1,15}){0,499}$/)
      .transform(text => [...new Set(text.split(',').map(Number))])
      .optional(),
    start: Day,
    end: Day,
    group: z.enum(['channel', 'account', 'total']).default('channel'),
  })
  .refine(({ start, end }) => daysFrom(start, end) >= 1 && daysFrom(start, end) <= MAX_SPEND_DAYS, {
    path: ['end'],
  })
export type SpendQuery = z.output<typeof SpendQuery>

const column = z.array(z.number().nullable())

/** The days of one channel or account, in one currency: currencies are never added up together. */
export const SpendSeries = z.object({
  currency: z.string(),
  /** null: all of them together. */
  channel: z.enum(channelIds).nullable(),
  account: Id.nullable(),
  account_name: z.string().nullable(),
  /** How many accounts are in it. */
  accounts: z.number().int(),
  /** One for each of the response's days; null: not known. Integers of a millionth of the currency's unit. */
  cost: column,
  impressions: column,
  clicks: column,
  conversions: column,
})
export type SpendSeries = z.infer<typeof SpendSeries>

export const Spend = z.object({
  days: z.array(Day),
  series: z.array(SpendSeries),
  /**
   * How many accounts are in it, how many of them have not been queried yet, and how many could not be
   * queried lately.
   */
  accounts: z.number().int(),
  waiting: z.number().int(),
  failing: z.number().int(),
  /** The age of the oldest response; null: there is none. */
  as_of: Instant.nullable(),
  /**
   * From when to when the days of all accounts are known and over, those left out that have not been queried
   * yet or could not be lately; null: of none.
   */
  complete: z.object({ from: Day, to: Day }).nullable(),
  /** The agency's own currency. */
  home_currency: z.string(),
})
export type Spend = z.infer<typeof Spend>

/** How many days from the first to the last, both included. */
const daysFrom = (start: string, end: string) =>
  Math.round((Date.parse(end) - Date.parse(start)) / 86_400_000) + 1

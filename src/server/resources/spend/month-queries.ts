import { sql } from 'kysely'
import type { DayRange } from '#shared/date-range.ts'
import type { Trx } from '#server/db/transaction.ts'
import type { KnownDays } from './rules.ts'

export interface MonthCost {
  /** Its first day. */
  month: string
  /** Millionths of the account's currency; null: the platform does not tell it. */
  cost: number | null
}

/**
 * Sums the days of an account into its months, while they are kept: those of a range, and those that are not
 * complete yet. A month is complete once a later day is known: its last day was not over while it was the
 * newest. What is complete is never replaced by less, and what somebody has imported stands.
 */
export async function writeMonthsOfDays(
  trx: Trx,
  account: number,
  answered: { range: DayRange; known: Pick<KnownDays, 'known_from' | 'known_to'>; as_of: Date },
): Promise<void> {
  const {
    range: { start, end },
    known: { known_from, known_to },
    as_of,
  } = answered
  await sql`
    insert into spend_month as stored (ad_account, month, cost, known, origin, as_of)
    select ${account}, month, coalesce(sum(spend_day.cost), 0),
      case when month >= ${known_from}::date and month_end < ${known_to}::date
          and count(spend_day.day) = count(spend_day.cost) then 'full' else 'partial' end,
      'platform', ${as_of}
    from generate_series(date_trunc('month', ${known_from}::timestamp), ${known_to}::timestamp, '1 month') first_day
      cross join lateral (select first_day::date as month, (first_day + interval '1 month - 1 day')::date as month_end) days
      left join spend_day on spend_day.ad_account = ${account} and spend_day.day between month and month_end
    where (month <= ${end}::date and month_end >= ${start}::date)
      or not exists (
        select from spend_month where spend_month.ad_account = ${account} and spend_month.month = days.month and known = 'full')
    group by month, month_end
    on conflict (ad_account, month) do update set cost = excluded.cost, known = excluded.known, as_of = excluded.as_of
      where stored.origin = 'platform' and (excluded.known = 'full' or stored.known <> 'full')`.execute(trx)
}

/** What a platform says of whole months. */
export async function writeMonths(
  trx: Trx,
  account: number,
  { months, as_of }: { months: readonly MonthCost[]; as_of: Date },
): Promise<void> {
  if (months.length === 0) return
  await trx
    .insertInto('spend_month')
    .values(
      months.map(({ month, cost }) => ({
        ad_account: account,
        month,
        cost,
        known: cost === null ? ('none' as const) : ('full' as const),
        origin: 'platform' as const,
        as_of,
      })),
    )
    .onConflict(conflict =>
      conflict
        .columns(['ad_account', 'month'])
        .doUpdateSet(eb => ({
          cost: eb.ref('excluded.cost'),
          known: eb.ref('excluded.known'),
          as_of: eb.ref('excluded.as_of'),
        }))
        .where('spend_month.origin', '=', 'platform')
        .where('spend_month.known', '<>', 'full'),
    )
    .execute()
}

import { sql } from 'kysely'
import type { SpendChannel } from '#shared/billing/spend-channels.ts'
import { round, stepOf } from '#shared/billing/step.ts'
import { firstDayOf } from '#shared/month.ts'
import type { Db } from '#server/db/connect.ts'

/** What platforms have changed of a locked month, of one advertiser, channel and currency. */
export interface Drift {
  advertiser: number
  channel: SpendChannel
  currency: string
  /** On the currency's step: as much as would have been billed otherwise. */
  amount: bigint
  booked: bigint
}

interface DriftSums {
  advertiser: number
  channel: SpendChannel
  currency: string
  before: string
  after: string
  booked: string
}

/**
 * Of accounts that were billed as reported: an invoice stays what it was. What is not known any more is
 * taken as it was.
 */
export async function driftOf(
  db: Db,
  { month, advertiser }: { month: string; advertiser?: number | undefined },
): Promise<Drift[]> {
  const day = firstDayOf(month)
  const { rows } = await sql<DriftSums>`
    with reported as (
      select locked.advertiser, account.channel, account.currency, sum(coalesce(locked.cost, 0)) as before,
        sum(case when cost.known = 'full' then cost.cost else coalesce(locked.cost, 0) end) as after
      from locked_account locked join ad_account account on account.id = locked.ad_account
        left join spend_month cost on cost.ad_account = locked.ad_account and cost.month = locked.month
      where locked.month = ${day} and locked.advertiser is not null and locked.invoice is null
        ${advertiser === undefined ? sql`` : sql`and locked.advertiser = ${advertiser}`}
      group by 1, 2, 3
    ), booked as (
      select advertiser, channel, currency, sum(amount) as amount from adjustment
      where reason = 'drift' and concerns_month = ${day}
        ${advertiser === undefined ? sql`` : sql`and advertiser = ${advertiser}`}
      group by 1, 2, 3
    )
    select advertiser, channel, currency, coalesce(before, 0)::text as before, coalesce(after, 0)::text as after,
      coalesce(booked.amount, 0)::text as booked
    from reported full join booked using (advertiser, channel, currency)
    where before is distinct from after or booked.amount is not null
    order by advertiser, channel, currency`.execute(db)
  return rows
    .map(({ before, after, booked, ...of }) => {
      const billed = (amount: string) => round(BigInt(amount), 1n, { step: stepOf(of.currency) })
      return { ...of, amount: billed(after) - billed(before), booked: BigInt(booked) }
    })
    .filter(({ amount, booked }) => amount !== 0n || booked !== 0n)
}

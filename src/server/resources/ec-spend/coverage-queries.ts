import { sql } from 'kysely'
import { firstDayOf } from '#shared/month.ts'
import type { Db } from '#server/db/connect.ts'

/** A channel of a statement that has an amount. */
export interface BilledChannel {
  advertiser: number
  /** Of the statement. */
  currency: string
  channel: string
}

export interface Covering {
  advertiser: number
  currency: string
  quotation: number
  number: string | null
  revision: number
}

/**
 * The accepted orders that already ask for what statements of a month have: of the same advertiser and
 * currency, with a line for each of its channels on every day on which that channel cost something. Of a
 * channel whose days are not kept, on every day of the month. Of several the latest.
 */
export async function coveringOrders(
  db: Db,
  month: string,
  channels: readonly BilledChannel[],
): Promise<Covering[]> {
  if (channels.length === 0) return []
  const first = firstDayOf(month)
  const { rows } = await sql<Covering>`
    with billed as (
      select * from jsonb_to_recordset(${JSON.stringify(channels)}::jsonb) as billed(advertiser bigint, currency text, channel text)
    )
    select distinct on (statement.advertiser, statement.currency)
      statement.advertiser, statement.currency, quotation.id as quotation, quotation.number, quotation.revision
    from (select distinct advertiser, currency from billed) statement
      join quotation on quotation.status = 'accepted' and quotation.advertiser = statement.advertiser
        and quotation.currency = statement.currency
    where not exists (
      select from billed
        cross join generate_series(${first}::date, ${first}::date + interval '1 month - 1 day', '1 day') as calendar(today)
      where billed.advertiser = statement.advertiser and billed.currency = statement.currency
        and not exists (
          select from quotation_line line
          where line.quotation = quotation.id and line.channel = billed.channel and today between line."start" and line."end")
        and (
          not exists (
            select from spend_day join ad_account account on account.id = spend_day.ad_account
            where account.advertiser = billed.advertiser and account.channel = billed.channel
              and spend_day.day between ${first}::date and ${first}::date + interval '1 month - 1 day')
          or exists (
            select from spend_day join ad_account account on account.id = spend_day.ad_account
            where account.advertiser = billed.advertiser and account.channel = billed.channel
              and spend_day.day = today and spend_day.cost <> 0)))
    order by statement.advertiser, statement.currency, quotation.id desc`.execute(db)
  return rows
}

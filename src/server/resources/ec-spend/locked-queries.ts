import { sql } from 'kysely'
import type { EcSpendQuery, EcSpendRow } from '#shared/api/ec-spend.ts'
import { spendChannels } from '#shared/billing/spend-channels.ts'
import { firstDayOf } from '#shared/month.ts'
import type { Db } from '#server/db/connect.ts'
import type { AccountCount } from './account-rows.ts'

export type RowFilter = Pick<EcSpendQuery, 'advertiser' | 'industry' | 'channel'>

/**
 * The lines of locked months as rows, each amount as it is on the wire, by month, name of the advertiser
 * and channel. Integers up to 2^53 are exact as float8, and multiples of a currency's step far beyond it.
 */
export async function lockedRows(
  db: Db,
  { months, group, ...filter }: RowFilter & { months: readonly string[]; group: 'channel' | 'advertiser' },
): Promise<EcSpendRow[]> {
  if (months.length === 0) return []
  const { rows } = await sql<EcSpendRow>`
    with customer as (select id, name, industry, row_number() over (order by lower(name), id) as rank from advertiser)
    select line.advertiser, customer.name as advertiser_name, ${channelOf[group]} as channel,
      null::bigint as ad_account, null as account_name, left(line.month::text, 7) as month, line.currency, billing_currency,
      ${amountsOf[group]}, false as is_provisional
    from statement_line line left join customer on customer.id = line.advertiser
    where line.month = any(${months.map(firstDayOf)}::date[]) ${conditions(filter)}
    ${groupings[group]}
    order by line.month, customer.rank nulls last, ${orders[group]}, line.currency, billing_currency`.execute(
    db,
  )
  return rows
}

const channelOf = { channel: sql`line.channel`, advertiser: sql`null` }

const amounts = ['spend', 'invoiced', 'billed', 'fee', 'tax_amount', 'total'] as const
/**
 * A sum of which a part is not known is not known; where only some accounts have invoices, the others
 * count as reported.
 */
const sumOfKnown = (column: string) => {
  const amount = column === 'invoiced' ? sql`coalesce(invoiced, spend)` : sql.ref(column)
  const isThere = column === 'invoiced' ? sql`bool_or(invoiced is not null) and ` : sql``
  return sql`case when ${isThere}bool_and(${amount} is not null) then sum(${amount})::float8 end as ${sql.ref(column)}`
}

const amountsOf = {
  channel: sql`${sql.join(amounts.map(column => sql`${sql.ref(column)}::float8 as ${sql.ref(column)}`))},
    adjusted::float8 as adjusted, code`,
  advertiser: sql`${sql.join(amounts.map(sumOfKnown))}, sum(adjusted)::float8 as adjusted, max(code) as code`,
}
const groupings = {
  channel: sql``,
  advertiser: sql`group by line.advertiser, customer.name, customer.rank, line.month, line.currency, billing_currency`,
}
const orders = {
  channel: sql`array_position(${[...spendChannels]}::text[], line.channel)`,
  advertiser: sql`1`,
}

const conditions = ({ advertiser, industry, channel }: RowFilter) => sql`
  ${advertiser === undefined ? sql`` : sql`and line.advertiser = ${advertiser}`}
  ${industry === undefined ? sql`` : sql`and customer.industry = ${industry}`}
  ${channel === undefined ? sql`` : sql`and line.channel = ${channel}`}`

/** What each account counted for. */
export async function lockedAccounts(
  db: Db,
  { months, advertiser }: { months: readonly string[]; advertiser?: number | undefined },
): Promise<AccountCount[]> {
  if (months.length === 0) return []
  const { rows } = await sql<AccountCount>`
    select ad_account, account.name as account_name, locked.advertiser, left(month::text, 7) as month, account.channel,
      account.currency, cost::text as reported, invoice::text as invoice
    from locked_account locked join ad_account account on account.id = locked.ad_account
    where month = any(${months.map(firstDayOf)}::date[])
      ${advertiser === undefined ? sql`` : sql`and locked.advertiser = ${advertiser}`}
    order by month, lower(account.name), ad_account`.execute(db)
  return rows
}

import { sql, type RawBuilder } from 'kysely'
import { spendChannels, type SpendChannel } from '#shared/billing/spend-channels.ts'
import type { Db } from '#server/db/connect.ts'
import type { CostGroup } from './live.ts'
import type { RunningMonth } from './months.ts'

/** Which accounts, in which months. */
export interface AccountScope {
  /** yyyy-MM */
  months: readonly string[]
  /** Of every zone of an ad account. */
  running: readonly RunningMonth[]
  /** Before it only months of which something is known count; yyyy-MM. */
  first_month: string
  advertiser?: number | undefined
  /** Accounts that count with what is known of them. */
  waived?: readonly number[]
}

/** One account in one month. */
export interface AccountMonth {
  ad_account: number
  account_name: string
  external_id: string
  channel: SpendChannel
  currency: string
  timezone: string
  advertiser: number | null
  month: string
  /** Millionths as text: so far, where it is known in part. */
  cost: string | null
  known: 'full' | 'partial' | 'none'
  /** What counts; null: not known. */
  reported: string | null
  invoice: string | null
  invoice_id: number | null
  invoice_version: number | null
  invoice_number: string | null
  invoice_note: string | null
  is_running: boolean
}

/**
 * Every account in every month in which it takes part. A month that is over counts when it is known in
 * full, one that is not as far as it is known.
 */
export const accountMonths = ({ months, running, first_month, advertiser, waived = [] }: AccountScope) => sql`
  select account.id as ad_account, account.name as account_name, account.external_id, account.channel, account.currency,
    account.timezone, account.advertiser, to_char(month.day, 'YYYY-MM') as month,
    cost.cost, coalesce(cost.known, 'none') as known, cost.ad_account is null as is_missing,
    case when cost.known = 'full' or (cost.known = 'partial' and month.day >= zone.running) or account.id = any(${waived}::bigint[])
      then coalesce(cost.cost, 0) end as reported,
    invoice.amount as invoice, invoice.id as invoice_id, invoice.version as invoice_version, invoice.number as invoice_number,
    invoice.note as invoice_note, month.day >= zone.running as is_running
  from unnest(${months.map(month => `${month}-01`)}::date[]) as month(day)
    join ad_account account on account.channel = any(${spendChannels}::text[])
    join unnest(${running.map(({ timezone }) => timezone)}::text[], ${running.map(each => each.running)}::date[])
      as zone(timezone, running) on zone.timezone = account.timezone
    left join spend_month cost on cost.ad_account = account.id and cost.month = month.day
    left join platform_invoice invoice on invoice.ad_account = account.id and invoice.month = month.day
  where (cost.ad_account is not null or invoice.id is not null
      or (month.day >= ${`${first_month}-01`}::date and month.day <= zone.running))
    ${advertiser === undefined ? sql`` : sql`and account.advertiser = ${advertiser}`}`

export async function zonesOfAccounts(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('ad_account')
    .select('timezone')
    .distinct()
    .where('channel', 'in', [...spendChannels])
    .execute()
  return rows.map(({ timezone }) => timezone)
}

/** What the accounts of each advertiser cost, by month, channel and currency. */
export async function costGroups(db: Db, scope: AccountScope): Promise<CostGroup[]> {
  if (scope.months.length === 0) return []
  const { rows } = await sql<CostGroup>`
    select advertiser, month, channel, currency, ${groupSums}
    from (${accountMonths(scope)}) account_month
    group by advertiser, month, channel, currency`.execute(db)
  return rows
}

const groupSums: RawBuilder<unknown> = sql`
  case when bool_and(reported is not null) then sum(reported)::text end as spend,
  case when bool_or(invoice is not null) and bool_and(coalesce(invoice, reported) is not null)
    then sum(coalesce(invoice, reported))::text end as invoiced,
  bool_or(is_running) as is_running`

/** The accounts one by one, in the order of their names. */
export async function accountsByMonth(db: Db, scope: AccountScope): Promise<AccountMonth[]> {
  if (scope.months.length === 0) return []
  const { rows } = await sql<AccountMonth>`
    select ad_account, account_name, external_id, channel, currency, timezone, advertiser, month, cost::text as cost, known,
      reported::text as reported, invoice::text as invoice, invoice_id, invoice_version, invoice_number, invoice_note, is_running
    from (${accountMonths(scope)}) account_month
    order by month, lower(account_name), ad_account`.execute(db)
  return rows
}

/** How many accounts lack a month that is still to be fetched. */
export async function countWaiting(db: Db, scope: AccountScope): Promise<number> {
  if (scope.months.length === 0) return 0
  const { rows } = await sql<{ count: number }>`
    select count(distinct ad_account) as count from (${accountMonths(scope)}) account_month where is_missing`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/** When the account that has waited longest was last fetched. */
export async function oldestRefresh(db: Db, advertiser: number | undefined): Promise<Date | null> {
  const { rows } = await sql<{ oldest: Date | null }>`
    select min(refreshed_at) as oldest from spend_account join ad_account on ad_account.id = spend_account.ad_account
    where channel = any(${spendChannels}::text[]) and code is null
      ${advertiser === undefined ? sql`` : sql`and advertiser = ${advertiser}`}`.execute(db)
  return rows[0]?.oldest ?? null
}

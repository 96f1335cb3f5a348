import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import { spendChannels } from '#shared/billing/spend-channels.ts'

/** Whether no month has ever been locked. */
export async function isUntouched(db: Db): Promise<boolean> {
  return (await db.selectFrom('billing_month').select('month').limit(1).execute()).length === 0
}

/** Whether the spend of an account is still being fetched: it is due within minutes, and does not fail. */
export async function isFetching(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from ad_account account left join spend_account known on known.ad_account = account.id
    where account.channel = any(${[...spendChannels]}::text[])
      and (known.ad_account is null or (known.code is null and known.next_at < now() + interval '5 minutes'))
    limit 1`.execute(db)
  return rows.length > 0
}

export async function idOfPerson(trx: Trx, username: string): Promise<number | null> {
  const person = await trx
    .selectFrom('users')
    .select('id')
    .where('username', '=', username)
    .executeTakeFirst()
  return person?.id ?? null
}

/** Of a channel or of all, the account without an invoice that has cost most in a month. */
export async function costliest(
  trx: Trx,
  { month, channel }: { month: string; channel?: 'fb' },
): Promise<{
  ad_account: number
  advertiser: number
  channel: string
  currency: string
  cost: number
} | null> {
  const { rows } = await sql<NonNullable<Awaited<ReturnType<typeof costliest>>>>`
    select ad_account, advertiser, channel, currency, cost
    from spend_month join ad_account account on account.id = spend_month.ad_account
    where month = ${`${month}-01`} and known = 'full' and advertiser is not null and currency = 'TWD'
      and not exists (
        select from platform_invoice invoice
        where invoice.ad_account = spend_month.ad_account and invoice.month = spend_month.month)
      and channel = any(${channel === undefined ? [...spendChannels] : [channel]}::text[])
    order by cost desc, ad_account limit 1`.execute(trx)
  return rows[0] ?? null
}

export async function lowerCost(
  trx: Trx,
  { ad_account, month, by }: { ad_account: number; month: string; by: number },
): Promise<void> {
  await sql`
    update spend_month set cost = cost - ${by} where ad_account = ${ad_account} and month = ${`${month}-01`}`.execute(
    trx,
  )
}

/** Customers have paid what is due, on the day. */
export async function payDue(trx: Trx, today: string): Promise<void> {
  await sql`
    with due as (
      update payment set status = 'paid', received = amount, paid_on = due_on, last_modified_at = due_on
      where statement is not null and status = 'due' and due_on <= ${today}
      returning id, amount, due_on)
    insert into receipt (payment, "on", amount, method, created_at) select id, due_on, amount, 'transfer', due_on from due`.execute(
    trx,
  )
}

export async function insertRates(
  trx: Trx,
  rates: readonly { month: string; currency: string; rate: string; kind: 'final'; source: string }[],
): Promise<void> {
  await trx
    .insertInto('rate')
    .values(rates.map(rate => ({ ...rate, month: `${rate.month}-01` })))
    .execute()
}

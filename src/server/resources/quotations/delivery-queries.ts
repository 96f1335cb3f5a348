import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'

/** An account in which lines are delivered, with the days that are known of it. */
export interface DeliveryAccount {
  line: number
  ad_account: number
  currency: string
  known_from: string | null
  known_to: string | null
}

export async function accountsOfLines(db: Db, lines: readonly number[]): Promise<DeliveryAccount[]> {
  if (lines.length === 0) return []
  return await db
    .selectFrom('quotation_line_account as of_line')
    .innerJoin('ad_account as account', 'account.id', 'of_line.ad_account')
    .leftJoin('spend_account as known', 'known.ad_account', 'account.id')
    .select([
      'of_line.line',
      'account.id as ad_account',
      'account.currency',
      'known.known_from',
      'known.known_to',
    ])
    .where('of_line.line', 'in', [...lines])
    .orderBy('of_line.line')
    .orderBy('account.id')
    .execute()
}

/** Days of an account, both included. */
export interface AccountDays {
  ad_account: number
  start: string
  end: string
}

export interface MonthCost {
  /** Which of the requested days they are. */
  at: number
  /** yyyy-MM */
  month: string
  /** Millionths as text; null: not known of all days that have a row. */
  cost: string | null
}

/** What the days have cost, by month; a day without a row has cost nothing. */
export async function costOfDays(db: Db, requests: readonly AccountDays[]): Promise<MonthCost[]> {
  if (requests.length === 0) return []
  const { rows } = await sql<MonthCost>`
    select request.at - 1 as at, to_char(spend.day, 'YYYY-MM') as month,
      case when bool_and(spend.cost is not null) then sum(spend.cost)::text end as cost
    from unnest(${requests.map(each => each.ad_account)}::bigint[], ${requests.map(({ start }) => start)}::date[],
        ${requests.map(({ end }) => end)}::date[]) with ordinality request (ad_account, "start", "end", at)
      join spend_day spend on spend.ad_account = request.ad_account and spend.day between request."start" and request."end"
    group by 1, 2`.execute(db)
  return rows
}

/** Whole months that are known, for good. */
export async function costOfMonths(
  db: Db,
  requests: readonly { ad_account: number; month: string }[],
): Promise<{ ad_account: number; month: string; cost: string }[]> {
  if (requests.length === 0) return []
  const { rows } = await sql<{ ad_account: number; month: string; cost: string }>`
    select spend.ad_account, to_char(spend.month, 'YYYY-MM') as month, spend.cost::text as cost
    from unnest(${requests.map(each => each.ad_account)}::bigint[], ${requests.map(({ month }) => `${month}-01`)}::date[])
        request (ad_account, month)
      join spend_month spend on spend.ad_account = request.ad_account and spend.month = request.month
    where spend.known = 'full' and spend.cost is not null`.execute(db)
  return rows
}

/** What was asked for and received of an order's number, by month. */
export async function moneyByMonth(db: Db, quotation: number) {
  const { rows } = await sql<{ month: string; requested: string; received: string }>`
    with own as (
      select payment.* from quotation this
        join quotation revision on revision.number = this.number
        join payment on payment.quotation = revision.id
      where this.id = ${quotation} and payment.status <> 'void')
    select month, sum(requested)::text as requested, sum(received)::text as received from (
      select to_char(issue_on, 'YYYY-MM') as month, amount as requested, 0 as received from own
      union all
      select to_char(receipt."on", 'YYYY-MM'), 0, receipt.amount + receipt.bank_fee
      from own join receipt on receipt.payment = own.id where receipt.reversed_at is null
    ) money group by month order by month`.execute(db)
  return rows
}

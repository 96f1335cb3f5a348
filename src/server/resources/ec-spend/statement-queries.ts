import { sql } from 'kysely'
import type { Adjustment, Statement } from '#shared/api/ec-spend.ts'
import type { SpendChannel } from '#shared/api/money.ts'
import { spendChannels } from '#shared/billing/spend-channels.ts'
import { firstDayOf } from '#shared/month.ts'
import type { Db } from '#server/db/connect.ts'

/** Whose statements of which month. */
export interface StatementFilter {
  month: string
  advertiser?: number | undefined
}

type Amounts = Pick<Statement, 'media' | 'fee' | 'untaxed' | 'taxable' | 'tax_amount' | 'total'>

export interface LockedStatement extends Amounts {
  id: number
  advertiser: number
  advertiser_name: string
  currency: string
  tax: Statement['tax']
  media_billing: Statement['media_billing']
  frozen: unknown
  payment: { id: number; number: string; status: string; due_on: string } | null
  covered_by: { id: number; number: string | null; revision: number } | null
}

/** Those in force of a locked month. Amounts are multiples of a step: exact as float8 far beyond 2^53. */
export async function lockedStatements(
  db: Db,
  { month, advertiser }: StatementFilter,
): Promise<LockedStatement[]> {
  const { rows } = await sql<LockedStatement>`
    select statement.id, statement.advertiser, advertiser.name as advertiser_name, statement.currency, statement.tax,
      statement.media_billing, statement.frozen, statement.media::float8 as media, statement.fee::float8 as fee,
      statement.untaxed::float8 as untaxed, statement.taxable::float8 as taxable, statement.tax_amount::float8 as tax_amount,
      statement.total::float8 as total,
      (select json_build_object('id', payment.id, 'number', payment.number, 'status', payment.status, 'due_on', payment.due_on)
        from payment where payment.statement = statement.id and payment.status <> 'void') as payment,
      (select json_build_object('id', quotation.id, 'number', quotation.number, 'revision', quotation.revision)
        from quotation where quotation.id = statement.covered_by) as covered_by
    from statement join advertiser on advertiser.id = statement.advertiser
    where statement.month = ${firstDayOf(month)} and statement.reopened_at is null
      ${advertiser === undefined ? sql`` : sql`and statement.advertiser = ${advertiser}`}
    order by lower(advertiser.name), advertiser.id, statement.currency`.execute(db)
  return rows
}

export type LockedLine = Statement['lines'][number] & { statement: number }

export async function lockedLines(db: Db, { month, advertiser }: StatementFilter): Promise<LockedLine[]> {
  const { rows } = await sql<LockedLine>`
    select statement, channel, currency, spend::float8 as spend, invoiced::float8 as invoiced, adjusted::float8 as adjusted, rate,
      billed::float8 as billed, fee::float8 as fee, tax_amount::float8 as tax_amount, total::float8 as total, code
    from statement_line
    where month = ${firstDayOf(month)} and statement is not null
      ${advertiser === undefined ? sql`` : sql`and advertiser = ${advertiser}`}
    order by statement, array_position(${[...spendChannels]}::text[], channel), currency`.execute(db)
  return rows
}

export interface AdjustmentLine {
  id: number
  advertiser: number
  channel: SpendChannel
  concerns_month: string
  currency: string
  amount: number
  reason: Adjustment['reason']
  note: string
}

export async function adjustmentLines(
  db: Db,
  { month, advertiser }: StatementFilter,
): Promise<AdjustmentLine[]> {
  let adjustments = db.selectFrom('adjustment').where('month', '=', firstDayOf(month))
  if (advertiser !== undefined) adjustments = adjustments.where('advertiser', '=', advertiser)
  return await adjustments
    .select(['id', 'advertiser', 'channel', 'currency', 'amount', 'reason', 'note'])
    .select(sql<string>`to_char(concerns_month, 'YYYY-MM')`.as('concerns_month'))
    .orderBy('id')
    .execute()
}

/** The first month of which anything costs, is invoiced or adjusted; null: none. */
export async function firstActiveMonth(db: Db): Promise<string | null> {
  const { rows } = await sql<{ month: string | null }>`
    select to_char(least(
      (select min(month) from spend_month join ad_account on ad_account.id = spend_month.ad_account
        where cost <> 0 and channel = any(${[...spendChannels]}::text[])),
      (select min(month) from platform_invoice),
      (select min(month) from adjustment)), 'YYYY-MM') as month`.execute(db)
  return rows[0]?.month ?? null
}

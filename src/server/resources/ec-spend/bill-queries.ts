import { sql } from 'kysely'
import { firstDayOf } from '#shared/month.ts'
import type { Trx } from '#server/db/transaction.ts'
import type { BilledChannel } from './coverage-queries.ts'

export interface BillableStatement {
  id: number
  advertiser: number
  currency: string
  untaxed: string
  taxable: string
  tax_amount: string
  total: string
  frozen: unknown
}

/** The statements in force of a locked month that are above 0 and that no payment stands for. */
export async function billableStatements(
  trx: Trx,
  month: string,
  advertisers: readonly number[] | undefined,
): Promise<BillableStatement[]> {
  const { rows } = await sql<BillableStatement>`
    select id, advertiser, currency, untaxed::text as untaxed, taxable::text as taxable, tax_amount::text as tax_amount,
      total::text as total, frozen
    from statement
    where month = ${firstDayOf(month)} and reopened_at is null and total > 0
      and not exists (select from payment where payment.statement = statement.id and payment.status <> 'void')
      ${advertisers === undefined ? sql`` : sql`and advertiser = any(${[...advertisers]}::bigint[])`}
    order by id`.execute(trx)
  return rows
}

/** The channels that they charge something for. */
export async function channelsOf(trx: Trx, statements: readonly number[]): Promise<BilledChannel[]> {
  const { rows } = await sql<BilledChannel>`
    select distinct advertiser, billing_currency as currency, channel from statement_line
    where statement = any(${[...statements]}::bigint[]) and (billed <> 0 or fee <> 0)`.execute(trx)
  return rows
}

/** Orders are accepted and cancelled after a lock, too. */
export async function writeCoverage(
  trx: Trx,
  covered: readonly { id: number; covered_by: number | null }[],
): Promise<void> {
  await sql`
    update statement set covered_by = now.covered_by
    from jsonb_to_recordset(${JSON.stringify(covered)}::jsonb) as now(id bigint, covered_by bigint)
    where statement.id = now.id and statement.covered_by is distinct from now.covered_by`.execute(trx)
}

export interface StatementPayment {
  number: string
  statement: number
  advertiser: number
  untaxed: string
  taxable: string
  tax_amount: string
  amount: string
  currency: string
  issue_on: string
  due_on: string
}

export async function insertPayments(
  trx: Trx,
  payments: readonly StatementPayment[],
  { user, now }: { user: number; now: Date },
): Promise<{ id: number; number: string }[]> {
  const { rows } = await sql<{ id: number; number: string }>`
    insert into payment (number, statement, advertiser, untaxed, taxable, tax_amount, amount, currency, issue_on, due_on, created_by,
      created_at, last_modified_at)
    select number, statement, advertiser, untaxed, taxable, tax_amount, amount, currency, issue_on, due_on, ${user}::bigint, ${now}, ${now}
    from jsonb_to_recordset(${JSON.stringify(payments)}::jsonb) as bill(number text, statement bigint, advertiser bigint, untaxed bigint,
      taxable bigint, tax_amount bigint, amount bigint, currency text, issue_on date, due_on date)
    order by statement
    returning id, number`.execute(trx)
  return rows
}

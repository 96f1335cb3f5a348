import { sql } from 'kysely'
import { firstDayOf, monthOf } from '#shared/month.ts'
import type { Trx } from '#server/db/transaction.ts'
import { accountMonths, type AccountScope } from './account-queries.ts'

/**
 * Whoever locks, opens or bills a month has it alone: writers of invoices, adjustments and imports have
 * ended, and later ones wait. The first statement of its transaction: it takes no snapshot, so the rest
 * reads what they wrote.
 */
export async function holdMonths(trx: Trx): Promise<void> {
  await sql`lock table billing_month in exclusive mode`.execute(trx)
}

interface LockedMonth {
  month: string
  user: number
  now: Date
  waivers: readonly { ad_account: number; reason: string }[]
}

export async function writeLocked(trx: Trx, { month, user, now, waivers }: LockedMonth): Promise<void> {
  const values = {
    state: 'locked',
    locked_by: user,
    locked_at: now,
    waivers: JSON.stringify(waivers),
  } as const
  await trx
    .insertInto('billing_month')
    .values({ month: firstDayOf(month), ...values })
    .onConflict(conflict => conflict.column('month').doUpdateSet(values))
    .execute()
}

export async function writeOpen(trx: Trx, month: string): Promise<void> {
  await trx
    .updateTable('billing_month')
    .set({ state: 'open', locked_by: null, locked_at: null, waivers: '[]' })
    .where('month', '=', firstDayOf(month))
    .execute()
}

/** Amounts as they are computed: JSON carries them as text. */
const rowsAsJson = (rows: readonly object[]) =>
  JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))

export interface FrozenStatement {
  advertiser: number
  currency: string
  media: bigint
  fee: bigint
  untaxed: bigint
  taxable: bigint
  tax_amount: bigint
  total: bigint
  tax: string
  media_billing: string
  frozen: object
  covered_by: number | null
}

export async function insertStatements(
  trx: Trx,
  month: string,
  statements: readonly FrozenStatement[],
): Promise<{ id: number; advertiser: number; currency: string }[]> {
  const { rows } = await sql<{ id: number; advertiser: number; currency: string }>`
    insert into statement (month, advertiser, currency, media, fee, untaxed, taxable, tax_amount, total, tax, media_billing, frozen, covered_by)
    select ${firstDayOf(month)}, advertiser, currency, media, fee, untaxed, taxable, tax_amount, total, tax, media_billing, frozen, covered_by
    from jsonb_to_recordset(${rowsAsJson(statements)}::jsonb) as frozen(advertiser bigint, currency text, media bigint, fee bigint,
      untaxed bigint, taxable bigint, tax_amount bigint, total bigint, tax text, media_billing text, frozen jsonb, covered_by bigint)
    returning id, advertiser, currency`.execute(trx)
  return rows
}

export interface FrozenLine {
  /** null, as the amounts that are billed: spend of nobody. */
  statement: number | null
  advertiser: number | null
  channel: string
  currency: string
  spend: bigint | null
  invoiced: bigint | null
  adjusted: bigint
  rate: string | null
  billing_currency: string | null
  billed: bigint | null
  fee: bigint | null
  tax_amount: bigint | null
  total: bigint | null
}

export async function insertLines(trx: Trx, month: string, lines: readonly FrozenLine[]): Promise<void> {
  await sql`
    insert into statement_line (month, statement, advertiser, channel, currency, spend, invoiced, adjusted, rate, billing_currency,
      billed, fee, tax_amount, total)
    select ${firstDayOf(month)}, statement, advertiser, channel, currency, spend, invoiced, adjusted, rate, billing_currency, billed, fee,
      tax_amount, total
    from jsonb_to_recordset(${rowsAsJson(lines)}::jsonb) as line(statement bigint, advertiser bigint, channel text, currency text,
      spend bigint, invoiced bigint, adjusted bigint, rate text, billing_currency text, billed bigint, fee bigint, tax_amount bigint,
      total bigint)`.execute(trx)
}

/** What each account counts for. */
export async function insertLockedAccounts(trx: Trx, scope: AccountScope): Promise<void> {
  await sql`
    insert into locked_account (month, ad_account, advertiser, cost, invoice)
    select (month || '-01')::date, ad_account, advertiser, reported, invoice
    from (${accountMonths(scope)}) account_month`.execute(trx)
}

/** What a lock has frozen goes, but for statements that void payments name. */
export async function deleteFrozen(trx: Trx, month: string, now: Date): Promise<number> {
  const day = firstDayOf(month)
  await trx.deleteFrom('statement_line').where('month', '=', day).execute()
  await trx.deleteFrom('locked_account').where('month', '=', day).execute()
  const { numDeletedRows } = await trx
    .deleteFrom('statement')
    .where('month', '=', day)
    .where('reopened_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('payment').select('id').whereRef('payment.statement', '=', 'statement.id'))),
    )
    .executeTakeFirst()
  const { numUpdatedRows } = await trx
    .updateTable('statement')
    .set({ reopened_at: now, covered_by: null })
    .where('month', '=', day)
    .where('reopened_at', 'is', null)
    .executeTakeFirst()
  return Number(numDeletedRows + numUpdatedRows)
}

/** The payments of a month's statements that are not void. */
export async function countPayments(trx: Trx, month: string): Promise<number> {
  const { count } = await trx
    .selectFrom('payment')
    .innerJoin('statement', 'statement.id', 'payment.statement')
    .where('statement.month', '=', firstDayOf(month))
    .where('payment.status', '<>', 'void')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Drift of the month that was booked into open ones: it is in the costs again once the month is open. */
export async function deleteBookedDrift(trx: Trx, month: string) {
  const rows = await trx
    .deleteFrom('adjustment')
    .where('reason', '=', 'drift')
    .where('concerns_month', '=', firstDayOf(month))
    .returning(['id', 'advertiser', 'channel', 'month', 'currency', 'amount'])
    .execute()
  return rows.map(row => ({ ...row, month: monthOf(row.month) }))
}

/** Both sides of a document as they are now. */
export async function readParties(trx: Trx, advertisers: readonly number[]) {
  const issuer = await trx
    .selectFrom('issuer')
    .select(['name', 'tax_id', 'jp_tax_id', 'address', 'phone', 'bank'])
    .executeTakeFirstOrThrow()
  const rows =
    advertisers.length === 0
      ? []
      : await trx
          .selectFrom('advertiser')
          .select(['id', 'name', 'legal_name', 'tax_id', 'address', 'payment_terms', 'document_language'])
          .where('id', 'in', [...advertisers])
          .execute()
  const customers = rows.map(
    ({ id, name, legal_name, tax_id, address, payment_terms, document_language }) => {
      const buyer = { name: legal_name || name, tax_id, address }
      const parties = { issuer, buyer, advertiser: buyer.name }
      return [id, { parties, payment_terms, language: document_language }] as const
    },
  )
  return new Map(customers)
}

import { dueOn } from '#shared/billing/payment-terms.ts'
import { MAX_DOCUMENT } from '#shared/billing/step.ts'
import { todayIn } from '#shared/date-range.ts'
import type { Trx } from '#server/db/transaction.ts'
import { refuse } from '#server/http/refusal.ts'
import { writeAuditLines } from '#server/resources/audit/queries.ts'
import { takeNumbers } from '#server/resources/payments/number-queries.ts'
import { lockedMonths } from '#server/resources/insight-settings/month-queries.ts'
import {
  billableStatements,
  channelsOf,
  insertPayments,
  writeCoverage,
  type BillableStatement,
  type StatementPayment,
} from './bill-queries.ts'
import { coveringOrders } from './coverage-queries.ts'
import { noteMonth } from './lock.ts'
import { holdMonths } from './lock-queries.ts'
import type { Moment } from './read-spend.ts'
import { Frozen } from './statements.ts'

/** Asks for what a locked month has come to, once. Returns how many payments were made. */
export async function billMonth(
  trx: Trx,
  { month, advertisers }: { month: string; advertisers?: readonly number[] | undefined },
  { user, moment: { now, time_zone } }: { user: number; moment: Moment },
): Promise<number> {
  await holdMonths(trx)
  if ((await lockedMonths(trx, [month])).length === 0)
    throw refuse('state_not_allowed', { extra: { state: 'open', allowed: ['lock'] } })
  const statements = await withoutCovered(trx, month, await billableStatements(trx, month, advertisers))
  if (statements.length === 0) return 0
  if (statements.some(({ total }) => BigInt(total) > MAX_DOCUMENT)) throw refuse('document_too_large')
  const today = todayIn(time_zone, now)
  const numbers = await takeNumbers(trx, 'P', { day: today, count: statements.length })
  const payments = statements.map((statement, index) => paymentOf(statement, numbers[index] ?? '', today))
  const made = await insertPayments(trx, payments, { user, now })
  await noteMonth(trx, { month, action: 'bill', user, detail: { payments: made.length }, now })
  const byNumber = new Map(payments.map(payment => [payment.number, payment]))
  await writeAuditLines(
    trx,
    made.map(({ id, number }) => ({
      actor: user,
      action: 'payment.create',
      object: 'payment',
      object_id: id,
      detail: { name: number, month, ...amountOf(byNumber.get(number)) },
    })),
    now,
  )
  return made.length
}

const amountOf = (payment: StatementPayment | undefined) =>
  payment && { advertiser: payment.advertiser, amount: Number(payment.amount), currency: payment.currency }

/** Orders that were accepted or cancelled since the lock count as they are now. */
async function withoutCovered(
  trx: Trx,
  month: string,
  statements: readonly BillableStatement[],
): Promise<BillableStatement[]> {
  const channels = await channelsOf(
    trx,
    statements.map(({ id }) => id),
  )
  const orders = new Map(
    (await coveringOrders(trx, month, channels)).map(order => [
      `${order.advertiser} ${order.currency}`,
      order,
    ]),
  )
  const coveredBy = ({ advertiser, currency }: BillableStatement) =>
    orders.get(`${advertiser} ${currency}`)?.quotation ?? null
  await writeCoverage(
    trx,
    statements.map(statement => ({ id: statement.id, covered_by: coveredBy(statement) })),
  )
  return statements.filter(statement => coveredBy(statement) === null)
}

function paymentOf(
  { id, advertiser, currency, untaxed, taxable, tax_amount, total, frozen }: BillableStatement,
  number: string,
  today: string,
): StatementPayment {
  const { payment_terms } = Frozen.parse(frozen)
  return {
    number,
    statement: id,
    advertiser,
    untaxed,
    taxable,
    tax_amount,
    amount: total,
    currency,
    issue_on: today,
    due_on: dueOn(payment_terms, today),
  }
}

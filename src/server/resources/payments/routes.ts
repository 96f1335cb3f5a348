import type { z } from 'zod'
import { IdPath } from '#shared/api/list.ts'
import { Payment, PaymentList, PaymentQuery, UpdatePayment, VoidPayment } from '#shared/api/payments.ts'
import { whyNotInvoiceNumber } from '#shared/billing/receivable.ts'
import { todayIn } from '#shared/date-range.ts'
import type { Trx } from '#server/db/transaction.ts'
import { csvOf } from '#server/http/csv.ts'
import { pageOf } from '#server/http/list.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { pageOfPayments, paymentBatches, sumOpen, sumPayments } from './list-queries.ts'
import { byAge, csvColumns, csvRow, csvTitle, presentPayments } from './present.ts'
import { isInvoiceTaken, taxCountryOf, updatePayment, type PaymentFields } from './queries.ts'
import { lockedPayment, notePayment, showPayment } from './visible.ts'

export const PAYMENTS = '/api/ad_insertion/payment/'

const list = route('GET', PAYMENTS, {
  summary:
    'List payments of your advertisers, with their sums by state and currency, and what is open by how long it has been due.',
  level: 'staff',
  query: PaymentQuery,
  reply: PaymentList,
  async run({ query, user, db, request, now, effects: { settings } }) {
    const today = todayIn(settings.time_zone, now)
    const reading = { query, today }
    const sums = await sumPayments(db, user, reading)
    const rows = await pageOfPayments(db, user, reading)
    const counted = sums.filter(sum => query.status === undefined || sum.status === query.status)
    return {
      ...pageOf(request.url, query, {
        count: counted.reduce((count, sum) => count + sum.count, 0),
        results: await presentPayments(db, rows, { user, today }),
      }),
      sums: sums.map(sum => ({ ...sum, amount: Number(sum.amount), open: Number(sum.open) })),
      ages: byAge(await sumOpen(db, user, reading), today),
    }
  },
  async csv({ query, user, db, now, effects: { settings } }) {
    const today = todayIn(settings.time_zone, now)
    async function* lines() {
      for await (const rows of paymentBatches(db, user, { query, today }))
        yield rows.map(row => csvRow(row, today))
    }
    return csvOf(csvTitle, csvColumns, lines())
  },
})

const read = route('GET', `${PAYMENTS}:id/`, {
  summary: 'Get a payment with its receipts.',
  level: 'staff',
  params: IdPath,
  reply: Payment,
  run: async ({ params: { id }, user, db, now, effects: { settings } }) =>
    showPayment(db, id, { user, today: todayIn(settings.time_zone, now) }),
})

const update = route('PATCH', `${PAYMENTS}:id/`, {
  summary:
    'Change when a payment is due, its note, or the number and day of the invoice that was issued for it.',
  level: 'director_or_finance',
  params: IdPath,
  body: UpdatePayment,
  reply: Payment,
  async run({ params: { id }, body: { version, ...changes }, user, db, now, effects: { settings } }) {
    const today = todayIn(settings.time_zone, now)
    const payment = await lockedPayment(db, id, { user, today, action: 'edit', version })
    const after = await invoiced(db, payment, { ...changes, today })
    await updatePayment(db, id, { ...after, now })
    const detail = { number: payment.number, changes: changedFields(payment, after) }
    await notePayment(db, id, { actor: user.id, action: 'payment.change', detail, now })
    return await showPayment(db, id, { user, today })
  },
})

/** The changed fields; refused when the number is none of the country's, or another payment's. */
async function invoiced(
  trx: Trx,
  payment: PaymentFields,
  { today, ...changes }: Omit<z.output<typeof UpdatePayment>, 'version'> & { today: string },
) {
  const {
    due_on = payment.due_on,
    note = payment.note,
    invoice_number: typed = payment.invoice_number,
    invoice_on = payment.invoice_on,
  } = changes
  const invoice = typed === '' ? null : typed
  if (invoice !== null && invoice !== payment.invoice_number) {
    const code = whyNotInvoiceNumber(await taxCountryOf(trx, payment), invoice)
    if (code) throw refuse('invalid', { fields: { invoice_number: [code] } })
    if (await isInvoiceTaken(trx, { invoice_number: invoice, except: payment.id }))
      throw refuse('invalid', { fields: { invoice_number: ['invoice_number_taken'] } })
  }
  const day = invoice === null ? null : (invoice_on ?? today)
  return { due_on, note, invoice_number: invoice, invoice_on: day }
}

const undo = route('POST', `${PAYMENTS}:id/void/`, {
  summary: 'Void a payment, with a reason: never one that has an invoice number or a receipt.',
  level: 'director_or_finance',
  params: IdPath,
  body: VoidPayment,
  reply: Payment,
  async run({ params: { id }, body: { version, reason }, user, db, now, effects: { settings } }) {
    const today = todayIn(settings.time_zone, now)
    const { number } = await lockedPayment(db, id, { user, today, action: 'void', version })
    await updatePayment(db, id, { status: 'void', reason, now })
    await notePayment(db, id, { actor: user.id, action: 'payment.void', detail: { number, reason }, now })
    return await showPayment(db, id, { user, today })
  },
})

export const paymentsRoutes = [list, read, update, undo]

import { Parties } from '#shared/api/quotations.ts'
import { orderLabel } from '#shared/order-label.ts'
import type { Db } from '#server/db/connect.ts'
import type { PdfInput } from '#server/pdf/renderer.ts'
import { findIssuer, type IssuerRow } from '#server/resources/issuer/queries.ts'
import { findOrder, findStatement, inForceBeside, type PaymentFields } from './queries.ts'

type PaymentInput = Extract<PdfInput, { kind: 'payment' }>

/** What a payment is of. */
type Subject = Pick<
  PaymentInput,
  'title' | 'quotation_label' | 'month' | 'client_po' | 'tax' | 'language' | 'part'
> & { parties: Parties }

/** What is printed of a payment. */
export async function printedPayment(db: Db, payment: PaymentFields): Promise<PaymentInput> {
  const issuer = await findIssuer(db)
  const { parties, ...subject } = await subjectOf(db, payment, issuer)
  return {
    ...subject,
    kind: 'payment',
    is_draft: false,
    number: payment.number,
    issue_on: payment.issue_on,
    due_on: payment.due_on,
    issuer: { ...parties.issuer, logo: issuer.logo },
    buyer: parties.buyer,
    currency: payment.currency,
    untaxed: payment.untaxed,
    taxable: payment.taxable,
    tax_amount: payment.tax_amount,
    amount: payment.amount,
    invoice_number: payment.invoice_number,
    invoice_on: payment.invoice_on,
    note: payment.note,
  }
}

async function subjectOf(db: Db, payment: PaymentFields, issuer: IssuerRow): Promise<Subject> {
  if (payment.quotation !== null) return await orderOf(db, payment.quotation, { payment, issuer })
  return await statementOf(db, payment.statement ?? 0, { issuer })
}

async function orderOf(
  db: Db,
  quotation: number,
  { payment, issuer }: { payment: PaymentFields; issuer: IssuerRow },
): Promise<Subject> {
  const { title, client_po, tax, language, parties, ...order } = await findOrder(db, quotation)
  return {
    title,
    quotation_label: orderLabel(order),
    month: null,
    client_po,
    tax,
    language,
    parties: parties ?? partiesNow(issuer, { name: '', tax_id: '', address: '' }),
    part: partOf(payment, await inForceBeside(db, quotation)),
  }
}

/** Of a month's statement: the parties are frozen with it when the month is locked. */
async function statementOf(db: Db, statement: number, { issuer }: { issuer: IssuerRow }): Promise<Subject> {
  const { month, tax, frozen, name, legal_name, tax_id, address, document_language } = await findStatement(
    db,
    statement,
  )
  const parties = Parties.safeParse(Object(frozen).parties)
  return {
    title: '',
    quotation_label: null,
    month,
    client_po: '',
    tax,
    language: document_language,
    parties: parties.success
      ? parties.data
      : partiesNow(issuer, { name: legal_name || name, tax_id, address }),
    part: null,
  }
}

const partiesNow = (
  { name, tax_id, jp_tax_id, address, phone, bank }: IssuerRow,
  buyer: Parties['buyer'],
): Parties => ({
  issuer: { name, tax_id, jp_tax_id, address, phone, bank },
  buyer,
  advertiser: buyer.name,
})

type Amount = Pick<PaymentFields, 'id' | 'amount'>

/** Which of the order's payments in force it is; null: the only one. */
function partOf(payment: Amount, inForce: readonly Amount[]): PaymentInput['part'] {
  const at = inForce.findIndex(({ id }) => id === payment.id)
  if (at < 0 || inForce.length < 2) return null
  const all = inForce.reduce((sum, { amount }) => sum + amount, 0)
  return { index: at + 1, count: inForce.length, share: Math.round((payment.amount / all) * 10_000) }
}

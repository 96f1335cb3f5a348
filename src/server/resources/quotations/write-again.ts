import type { Person } from '#shared/access.ts'
import type { Trx } from '#server/db/transaction.ts'
import { insertQuotation, listLines, replaceLines, type LineRow, type QuotationFields } from './queries.ts'
import { noteQuotation } from './visible.ts'

interface Writing {
  row: QuotationFields
  user: Person
  now: Date
}

/** A draft with the same number and the next revision. */
export async function reviseQuotation(
  trx: Trx,
  { others, ...writing }: Writing & { others: readonly QuotationFields[] },
): Promise<number> {
  const { row, user, now } = writing
  const { number, owner, client_po } = row
  const revision = Math.max(row.revision, ...others.map(each => each.revision)) + 1
  const id = await writeAgain(trx, { number, revision, revises: row.id, owner, client_po }, writing)
  const detail = { number, revision, revises: row.id }
  await noteQuotation(trx, id, { actor: user.id, action: 'revise', detail, now })
  return id
}

export async function copyQuotation(trx: Trx, writing: Writing): Promise<number> {
  const { row, user, now } = writing
  const id = await writeAgain(trx, { owner: user.id }, writing)
  const detail = { title: row.title, source: row.id, total: row.total }
  await noteQuotation(trx, id, { actor: user.id, action: 'copy', detail, now })
  return id
}

async function writeAgain(
  trx: Trx,
  own: Partial<Pick<QuotationFields, 'number' | 'revision' | 'revises' | 'client_po'>> & { owner: number },
  { row, user, now }: Writing,
): Promise<number> {
  const id = await insertQuotation(
    trx,
    {
      title: row.title,
      advertiser: row.advertiser,
      agent: row.agent,
      bill_to: row.bill_to,
      currency: row.currency,
      tax: row.tax,
      media_billing: row.media_billing,
      language: row.language,
      payment_terms: JSON.stringify(row.payment_terms),
      terms: row.terms,
      internal_note: row.internal_note,
      schedule: JSON.stringify(row.schedule),
      discount: row.discount,
      fee_minimum: row.fee_minimum,
      subtotal: row.subtotal,
      service_fee: row.service_fee,
      minimum_fee: row.minimum_fee,
      untaxed: row.untaxed,
      taxable: row.taxable,
      tax_amount: row.tax_amount,
      total: row.total,
      commission: row.commission,
      created_by: user.id,
      ...own,
    },
    now,
  )
  const lines = await listLines(trx, row.id)
  await replaceLines(trx, id, lines.map(asNew))
  return id
}

const asNew = ({
  id: _id,
  quotation: _quotation,
  position: _position,
  final_spent: _spent,
  final_at: _at,
  ...line
}: LineRow) => line

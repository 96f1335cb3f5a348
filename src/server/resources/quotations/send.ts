import type { Person } from '#shared/access.ts'
import { createHash } from 'node:crypto'
import { orderLabel } from '#shared/order-label.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import type { Effects } from '#server/http/effects.ts'
import { refuse } from '#server/http/refusal.ts'
import { takeNumber } from '#server/resources/payments/number-queries.ts'
import { partiesOf, printedQuotation } from './document.ts'
import { checkDraft, draftOf, type Draft } from './draft.ts'
import { findIssuer, type IssuerRow } from '#server/resources/issuer/queries.ts'
import { findAgent, findCustomer } from './draft-queries.ts'
import { insertFile } from './file-queries.ts'
import { listLines, updateQuotation, type LineRow, type QuotationFields } from './queries.ts'

interface Sending {
  row: QuotationFields
  /** The other revisions of its number. */
  others: readonly QuotationFields[]
  user: Person
  /** In the organisation's zone. */
  today: string
  now: Date
  /** null: it is printed when somebody asks for it, as in the demo. */
  pdf: Effects['pdf'] | null
}

/**
 * Gives a draft its number, freezes its texts and prints it: all of it, or none. The series stays locked
 * while it is printed, since the number is on the paper: a document that cannot be printed takes no number.
 */
export async function sendQuotation(trx: Trx, sending: Sending): Promise<{ number: string; total: number }> {
  const { row, others, today, now, pdf } = sending
  const issuer = await findIssuer(trx)
  const lines = await listLines(trx, row.id)
  const draft = withDays(draftOf(row, lines), { issuer, today })
  if (lines.length === 0) throw refuse('invalid', { fields: { lines: ['field_required'] } })
  if (draft.valid_until < today) throw refuse('invalid', { fields: { valid_until: ['field_invalid'] } })
  const { fields } = await checkDraft(trx, draft, today)
  const parties = await readParties(trx, sending, { draft, issuer })
  const number = row.number ?? (await takeNumber(trx, 'Q', draft.issue_on))
  await updateQuotation(trx, row.id, {
    ...fields,
    number,
    parties: JSON.stringify(parties),
    status: 'sent',
    sent_at: now,
    now,
  })
  for (const { id, status } of others)
    if (status === 'sent') await updateQuotation(trx, id, { status: 'superseded', ended_at: now, now })
  if (pdf) {
    const sent = { ...row, ...draft, ...derivedIn(fields), number, parties }
    await insertFile(trx, await printSent(sent, { lines, logo: issuer.logo, pdf, now }))
  }
  return { number, total: fields.total }
}

type Sent = Pick<QuotationFields, 'id' | 'number' | 'revision'> &
  Omit<Parameters<typeof printedQuotation>[0], 'label' | 'is_draft'>

/** The document of what was sent, to be kept. */
export async function printSent(
  sent: Sent,
  {
    lines,
    logo,
    pdf,
    now,
  }: { lines: readonly LineRow[]; logo: Uint8Array | null; pdf: Effects['pdf']; now: Date },
) {
  const label = orderLabel(sent)
  const printed = printedQuotation({ ...sent, label, is_draft: false }, { lines, logo })
  const { bytes } = await pdf.render(printed)
  return {
    quotation: sent.id,
    kind: 'pdf',
    name: `${label}.pdf`,
    mime: 'application/pdf',
    sha256: sha256Of(bytes),
    bytes,
    created_at: now,
  } as const
}

export const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

/** The days that are left open: today, and as long as the agency's quotations are valid. */
export function withDays(draft: Draft, { issuer, today }: { issuer: IssuerRow; today: string }) {
  const issueDay = draft.issue_on ?? today
  const lastDay = Temporal.PlainDate.from(issueDay).add({ days: issuer.valid_days }).toString()
  return { ...draft, issue_on: issueDay, valid_until: draft.valid_until ?? lastDay }
}

/** As they are at this moment. */
export async function readParties(
  db: Db,
  { user }: Pick<Sending, 'user'>,
  { draft, issuer }: { draft: Draft; issuer: IssuerRow },
) {
  const customer = await findCustomer(db, user, draft.advertiser)
  if (!customer) throw refuse('not_found')
  const agent = await findAgent(db, draft.agent)
  return partiesOf({ bill_to: draft.bill_to, customer, agent, issuer })
}

type Fields = Awaited<ReturnType<typeof checkDraft>>['fields']
const derivedIn = ({ subtotal, service_fee, minimum_fee, untaxed, taxable, tax_amount, total }: Fields) => ({
  subtotal,
  service_fee,
  minimum_fee,
  untaxed,
  taxable,
  tax_amount,
  total,
})

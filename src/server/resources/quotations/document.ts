import type { Parties, Quotation } from '#shared/api/quotations.ts'
import type { PdfInput } from '#server/pdf/renderer.ts'
import type { IssuerRow } from '#server/resources/issuer/queries.ts'
import type { AgentFacts, Customer } from './draft-queries.ts'
import type { LineRow } from './queries.ts'

/** Both sides of a document: who is billed, and the agency. */
export function partiesOf({
  bill_to,
  customer,
  agent,
  issuer,
}: {
  bill_to: Quotation['bill_to']
  customer: Customer
  agent: AgentFacts | undefined
  issuer: IssuerRow
}): Parties {
  const { name, tax_id, jp_tax_id, address, phone, bank } = issuer
  const advertiser = customer.legal_name === '' ? customer.name : customer.legal_name
  return {
    issuer: { name, tax_id, jp_tax_id, address, phone, bank },
    buyer:
      bill_to === 'agent' && agent
        ? { name: agent.name, tax_id: agent.tax_id, address: agent.address }
        : { name: advertiser, tax_id: customer.tax_id, address: customer.address },
    advertiser,
  }
}

type QuotationInput = Extract<PdfInput, { kind: 'quotation' }>

type Printed = Omit<QuotationInput, 'kind' | 'number' | 'issuer' | 'buyer' | 'advertiser' | 'lines'> & {
  /** As printed. */
  label: string | null
  parties: Parties
}

/** What is printed of a quotation. */
export function printedQuotation(
  { label, parties, ...head }: Printed,
  { lines, logo }: { lines: readonly LineRow[]; logo: Uint8Array | null },
): QuotationInput {
  return {
    kind: 'quotation',
    number: label,
    issuer: { ...parties.issuer, logo },
    buyer: parties.buyer,
    advertiser: parties.advertiser,
    is_draft: head.is_draft,
    language: head.language,
    issue_on: head.issue_on,
    currency: head.currency,
    tax: head.tax,
    title: head.title,
    valid_until: head.valid_until,
    payment_terms: head.payment_terms,
    client_po: head.client_po,
    terms: head.terms,
    media_billing: head.media_billing,
    schedule: head.schedule,
    subtotal: head.subtotal,
    service_fee: head.service_fee,
    minimum_fee: head.minimum_fee,
    discount: head.discount,
    taxable: head.taxable,
    untaxed: head.untaxed,
    tax_amount: head.tax_amount,
    total: head.total,
    lines,
  }
}

import type { Person } from '#shared/access.ts'
import type { PaymentTerms } from '#shared/api/money.ts'
import type {
  CreateQuotation,
  Quotation,
  QuotationLine,
  QuotationLineInput,
  UpdateQuotation,
} from '#shared/api/quotations.ts'
import { flatRate, isInForce, agreementFor, type FeeAgreement } from '#shared/billing/fee.ts'
import { quotationSums, type QuotationSums } from '#shared/billing/quotation.ts'
import type { Trx } from '#server/db/transaction.ts'
import { refuse } from '#server/http/refusal.ts'
import { findIssuer } from '#server/resources/issuer/queries.ts'
import { problemsOf } from './draft-rules.ts'
import {
  accountsOf,
  findAgent,
  findCustomer,
  isPossibleOwner,
  listAgreements,
  type AgentFacts,
  type AgreementRow,
  type Customer,
} from './draft-queries.ts'
import type { LineRow, NewLine, QuotationFields } from './queries.ts'

export const headFields = [
  'title',
  'advertiser',
  'agent',
  'bill_to',
  'owner',
  'currency',
  'tax',
  'media_billing',
  'language',
  'issue_on',
  'valid_until',
  'payment_terms',
  'terms',
  'client_po',
  'internal_note',
  'discount',
  'fee_minimum',
  'schedule',
] as const satisfies readonly (keyof Quotation)[]

export type DraftLine = Omit<QuotationLine, 'id' | 'media' | 'fee'>
/** What a person writes of a quotation; the rest is derived. */
export type Draft = Pick<Quotation, (typeof headFields)[number]> & { lines: DraftLine[] }

interface Writing {
  user: Person
  /** In the organisation's zone. */
  today: string
}

/** A new draft: what is left out comes from the advertiser, its agreements and the agency's settings. */
export async function newDraft(trx: Trx, body: CreateQuotation, { user, today }: Writing): Promise<Draft> {
  const customer = await customerFor(trx, user, body.advertiser)
  const issuer = await findIssuer(trx)
  const agent = body.agent === undefined ? customer.agent : body.agent
  const language = body.language ?? customer.document_language
  const currency = body.currency ?? customer.billing_currency ?? issuer.base_currency
  const head = {
    ...body,
    agent,
    language,
    currency,
    owner: body.owner ?? user.id,
    tax: body.tax ?? customer.tax,
    media_billing: body.media_billing ?? customer.media_billing,
    payment_terms: body.payment_terms ?? (await termsOf(trx, { customer, agent, bill_to: body.bill_to })),
    terms: body.terms ?? (language === 'en' ? issuer.terms_en : issuer.terms_zh),
    fee_minimum: body.fee_minimum ?? 0,
  }
  const lines = await linesWithFees(trx, body.lines, { ...head, today })
  return { ...head, lines }
}

/** Whoever is billed has terms. */
async function termsOf(
  trx: Trx,
  { customer, agent, bill_to }: { customer: Customer; agent: number | null } & Pick<Draft, 'bill_to'>,
): Promise<PaymentTerms> {
  const agentFacts = bill_to === 'agent' ? await findAgent(trx, agent) : undefined
  return agentFacts?.payment_terms ?? customer.payment_terms
}

/** The draft with some of it changed. */
export async function changedDraft(
  trx: Trx,
  { draft, changes, user, today }: Writing & { draft: Draft; changes: Omit<UpdateQuotation, 'version'> },
): Promise<Draft> {
  const { lines, ...head } = changes
  const changed = { ...draft, ...withoutUndefined(head) }
  const customer = await customerFor(trx, user, changed.advertiser)
  return {
    ...changed,
    lines: lines
      ? await linesWithFees(trx, lines, { ...changed, advertiser: customer.id, today })
      : draft.lines,
  }
}

/** The keys of which something is said. The cast: what is left has a value. */
const withoutUndefined = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Fields]: Exclude<Fields[Key], undefined>
  }

/** As for one that does not exist: whose advertisers there are is nobody else's business. */
async function customerFor(trx: Trx, user: Person, id: number): Promise<Customer> {
  const customer = await findCustomer(trx, user, id)
  if (!customer) throw refuse('invalid', { fields: { advertiser: ['field_not_available'] } })
  return customer
}

async function linesWithFees(
  trx: Trx,
  lines: readonly QuotationLineInput[],
  { advertiser, currency, today }: Pick<Draft, 'advertiser' | 'currency'> & { today: string },
): Promise<DraftLine[]> {
  const lacksFee = lines.some(line => line.fee_rate === undefined)
  const agreements = lacksFee ? (await listAgreements(trx, advertiser)).map(asAgreement) : []
  return lines.map(line => {
    const month = (line.start || today).slice(0, 7)
    const agreed = agreedFee(agreements, { channel: line.channel, currency, month })
    return {
      ...line,
      accounts: [...new Set(line.accounts)],
      fee_rate: line.fee_rate ?? agreed.fee_rate,
      fee_basis: line.fee_basis ?? (line.fee_rate === undefined ? agreed.fee_basis : 'on_top'),
    }
  })
}

/** A line of no channel has what is agreed for all channels. */
function agreedFee(
  agreements: readonly FeeAgreement[],
  { channel, currency, month }: { channel: DraftLine['channel']; currency: string; month: string },
): Pick<DraftLine, 'fee_rate' | 'fee_basis'> {
  const agreement = channel
    ? agreementFor(agreements, { channel, currency, month })
    : agreements.find(each => each.channel === null && each.currency === currency && isInForce(each, month))
  const rate = agreement ? flatRate(agreement) : null
  return { fee_rate: rate ?? 0, fee_basis: rate === null || !agreement ? 'on_top' : agreement.basis }
}

const asAgreement = (row: AgreementRow): FeeAgreement => ({
  ...row,
  amount: BigInt(row.amount),
  minimum: BigInt(row.minimum),
  tiers: row.tiers.map(({ up_to, rate }) => ({ up_to: up_to === null ? null : BigInt(up_to), rate })),
})

/** What a stored draft says. */
export const draftOf = (row: QuotationFields, lines: readonly LineRow[]): Draft => ({
  ...row,
  lines: lines.map(
    ({ id: _id, quotation: _quotation, position: _position, media: _media, fee: _fee, ...line }) => ({
      ...withoutFinal(line),
    }),
  ),
})

const withoutFinal = <Line extends { final_spent: unknown; final_at: unknown }>({
  final_spent: _spent,
  final_at: _at,
  ...line
}: Line) => line

/** The rows of a draft, with everything that it derives; refused when it may not be one. */
export async function checkDraft(trx: Trx, draft: Draft, today: string) {
  const agent = await findAgent(trx, draft.agent)
  const sums = sumsOf(draft, { agent, today })
  const problems = problemsOf(draft, {
    has_agent: agent !== undefined,
    is_owner: await isPossibleOwner(trx, draft.owner),
    accounts: await accountsOf(
      trx,
      draft.advertiser,
      draft.lines.flatMap(({ accounts }) => accounts),
    ),
    sums,
  })
  if (Object.keys(problems).length > 0) throw refuse('invalid', { fields: problems })
  return { fields: fieldsOf(draft, sums), lines: linesOf(draft, sums) }
}

export function sumsOf(
  draft: Draft,
  { agent, today }: { agent: AgentFacts | undefined; today: string },
): QuotationSums {
  return quotationSums({
    ...draft,
    day: draft.issue_on ?? today,
    discount: BigInt(draft.discount),
    fee_minimum: BigInt(draft.fee_minimum),
    lines: draft.lines.map(line => ({
      ...line,
      unit_price: BigInt(line.unit_price),
      budget: BigInt(line.budget),
    })),
    commission: agent ? { rate: agent.commission_rate, base: agent.commission_base } : null,
  })
}

export function fieldsOf({ lines: _lines, ...head }: Draft, sums: QuotationSums) {
  return {
    title: head.title,
    advertiser: head.advertiser,
    agent: head.agent,
    bill_to: head.bill_to,
    owner: head.owner,
    currency: head.currency,
    tax: head.tax,
    media_billing: head.media_billing,
    language: head.language,
    issue_on: head.issue_on,
    valid_until: head.valid_until,
    payment_terms: JSON.stringify(head.payment_terms),
    terms: head.terms,
    client_po: head.client_po,
    internal_note: head.internal_note,
    discount: head.discount,
    fee_minimum: head.fee_minimum,
    schedule: JSON.stringify(head.schedule),
    subtotal: Number(sums.subtotal),
    service_fee: Number(sums.service_fee),
    minimum_fee: Number(sums.minimum_fee),
    untaxed: Number(sums.untaxed),
    taxable: Number(sums.taxable),
    tax_amount: Number(sums.tax_amount),
    total: Number(sums.total),
    commission: Number(sums.commission),
  }
}

const linesOf = ({ lines }: Draft, sums: QuotationSums): NewLine[] =>
  lines.map((line, index) => {
    const derived = sums.lines[index] ?? { budget: 0n, media: 0n, fee: 0n }
    return {
      ...line,
      budget: Number(derived.budget),
      media: Number(derived.media),
      fee: Number(derived.fee),
    }
  })

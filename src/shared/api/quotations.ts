import { z } from 'zod'
import { languages } from '#shared/language.ts'
import { Day, Id, IdText, Instant, listOf, listQuery } from './list.ts'
import {
  Amount,
  Currency,
  FeeBasis,
  MediaBilling,
  Month,
  PaymentTerms,
  Rate,
  SpendChannel,
  TaxKind,
  TotalAmount,
  Version,
} from './money.ts'
import { name, nameOrNothing, text, textOrNothing } from './names.ts'

export const quotationStates = [
  'draft',
  'sent',
  'expired',
  'accepted',
  'rejected',
  'cancelled',
  'superseded',
] as const
export type QuotationState = (typeof quotationStates)[number]

export const pricings = ['budget', 'cpm', 'cpc', 'cpv', 'day'] as const

const line = {
  /** A line is of a channel, of a publisher, or has a title alone. */
  channel: SpendChannel.nullable(),
  publisher: nameOrNothing(120),
  title: nameOrNothing(120),
  description: textOrNothing(500),
  start: Day,
  end: Day,
  pricing: z.enum(pricings),
  /** Impressions, clicks, views or days; 0 with pricing `budget`. */
  quantity: z.number().int().min(0).max(1_000_000_000_000),
  /** Of one, of a thousand impressions with `cpm`; may be off the step. */
  unit_price: Amount,
  /** Typed with pricing `budget`; else quantity × unit price. */
  budget: Amount,
  fee_rate: Rate,
  fee_basis: FeeBasis,
  /** Ad accounts of the advertiser in which it is delivered. */
  accounts: z.array(Id).max(100),
  /** What a line without accounts has delivered so far; null: not known. */
  typed_spent: Amount.nullable(),
}
export const QuotationLine = z.object({
  id: Id,
  ...line,
  /** What the platforms get, and what the agency gets. */
  media: z.number().int(),
  fee: z.number().int(),
})
export type QuotationLine = z.infer<typeof QuotationLine>

/** Left out: the rate and basis of the advertiser's agreement. */
export const QuotationLineInput = z.strictObject({
  channel: line.channel.default(null),
  publisher: line.publisher.default(''),
  title: line.title.default(''),
  description: line.description.default(''),
  start: line.start,
  end: line.end,
  pricing: line.pricing.default('budget'),
  quantity: line.quantity.default(0),
  unit_price: line.unit_price.default(0),
  budget: line.budget.default(0),
  fee_rate: line.fee_rate.optional(),
  fee_basis: line.fee_basis.optional(),
  accounts: line.accounts.default([]),
  typed_spent: line.typed_spent.default(null),
})
export type QuotationLineInput = z.infer<typeof QuotationLineInput>

/** A share in basis points, due so many days after acceptance or on a day. */
export const SchedulePart = z.union([
  z.strictObject({ share: Rate.min(1), after: z.number().int().min(0).max(400) }),
  z.strictObject({ share: Rate.min(1), due_on: Day }),
])
export type SchedulePart = z.infer<typeof SchedulePart>

const head = {
  title: name(120),
  advertiser: Id,
  agent: Id.nullable(),
  bill_to: z.enum(['advertiser', 'agent']),
  owner: Id,
  currency: Currency,
  tax: TaxKind,
  media_billing: MediaBilling,
  language: z.enum(languages),
  issue_on: Day.nullable(),
  valid_until: Day.nullable(),
  payment_terms: PaymentTerms,
  terms: textOrNothing(4000),
  client_po: nameOrNothing(60),
  internal_note: textOrNothing(4000),
  discount: Amount,
  /** The least service fee; what is missing is a line of its own. */
  fee_minimum: Amount,
  /** Shares of 10000 together; none: all of it by the terms. */
  schedule: z.array(SchedulePart).max(12),
}

/** Both sides of a document as they were when it was sent. */
export const Parties = z.object({
  issuer: z.object({
    name: z.string(),
    tax_id: z.string(),
    jp_tax_id: z.string(),
    address: z.string(),
    phone: z.string(),
    bank: z.string(),
  }),
  buyer: z.object({ name: z.string(), tax_id: z.string(), address: z.string() }),
  /** The advertiser's name, where an agent is billed. */
  advertiser: z.string(),
})
export type Parties = z.infer<typeof Parties>

const sums = {
  subtotal: TotalAmount,
  service_fee: TotalAmount,
  /** What the fees lack to fee_minimum. */
  minimum_fee: TotalAmount,
  untaxed: TotalAmount,
  taxable: TotalAmount,
  tax_amount: TotalAmount,
  total: TotalAmount,
  /** The agent's: on no document. */
  commission: TotalAmount,
}

const actions = ['send', 'accept', 'reject', 'cancel', 'revise', 'copy', 'edit', 'delete'] as const
export type QuotationAction = (typeof actions)[number]

export const Quotation = z.object({
  id: Id,
  version: Version,
  number: z.string().nullable(),
  revision: z.number().int(),
  /** As printed: Q2026-0007-2. */
  label: z.string().nullable(),
  status: z.enum(quotationStates),
  ...head,
  lines: z.array(QuotationLine),
  ...sums,
  advertiser_name: z.string(),
  agent_name: z.string().nullable(),
  owner_name: z.string(),
  parties: Parties.nullable(),
  sent_at: Instant.nullable(),
  accepted_on: Day.nullable(),
  accepted_by: z.string().nullable(),
  /** The signed document is there. */
  has_acceptance_file: z.boolean(),
  /** Of a rejection or cancellation. */
  reason: z.string().nullable(),
  /** All of the number, the newest first; of a draft that was never sent itself alone. */
  revisions: z.array(
    z.object({
      id: Id,
      revision: z.number().int(),
      status: z.enum(quotationStates),
      total: TotalAmount,
      sent_at: Instant.nullable(),
    }),
  ),
  /** What the caller may do with it now. */
  may: z.array(z.enum(actions)),
  created_at: Instant,
  last_modified_at: Instant,
})
export type Quotation = z.infer<typeof Quotation>

/** A line of the list. */
export const QuotationSummary = Quotation.pick({
  id: true,
  version: true,
  number: true,
  revision: true,
  label: true,
  status: true,
  title: true,
  advertiser: true,
  advertiser_name: true,
  agent: true,
  agent_name: true,
  owner: true,
  owner_name: true,
  currency: true,
  total: true,
  issue_on: true,
  valid_until: true,
  client_po: true,
  last_modified_at: true,
}).extend({
  /** From the first day of a line to the last. */
  start: Day.nullable(),
  end: Day.nullable(),
  /** Whether a payment of it is. */
  is_overdue: z.boolean(),
})
export type QuotationSummary = z.infer<typeof QuotationSummary>

export const QuotationQuery = listQuery(
  ['id', 'number', 'title', 'total', 'issue_on', 'valid_until', 'last_modified_at'],
  '-id',
).extend({
  status: z.enum(quotationStates).optional(),
  advertiser: IdText.optional(),
  agent: IdText.optional(),
  owner: IdText.optional(),
  currency: Currency.optional(),
  /** Days of issue. */
  from: Day.optional(),
  to: Day.optional(),
})
/** `sums`: of all that the filters find but that of the state, by state and currency. */
export const QuotationList = listOf(QuotationSummary).extend({
  sums: z.array(
    z.object({
      status: z.enum(quotationStates),
      currency: z.string(),
      count: z.number().int(),
      total: TotalAmount,
    }),
  ),
})

/** What is left out comes from the advertiser, its agreement and the agency's settings. */
export const CreateQuotation = z.strictObject({
  title: head.title,
  advertiser: head.advertiser,
  agent: head.agent.optional(),
  bill_to: head.bill_to.default('advertiser'),
  owner: head.owner.optional(),
  currency: head.currency.optional(),
  tax: head.tax.optional(),
  media_billing: head.media_billing.optional(),
  language: head.language.optional(),
  issue_on: head.issue_on.default(null),
  valid_until: head.valid_until.default(null),
  payment_terms: head.payment_terms.optional(),
  terms: head.terms.optional(),
  client_po: head.client_po.default(''),
  internal_note: head.internal_note.default(''),
  discount: head.discount.default(0),
  fee_minimum: head.fee_minimum.optional(),
  schedule: head.schedule.default([]),
  lines: z.array(QuotationLineInput).max(100).default([]),
})
export type CreateQuotation = z.infer<typeof CreateQuotation>

/** `lines` replaces all of them. Of a sent one only valid_until, owner and internal_note may be changed. */
export const UpdateQuotation = z
  .strictObject({ ...head, lines: z.array(QuotationLineInput).max(100) })
  .partial()
  .extend({ version: Version })
export type UpdateQuotation = z.infer<typeof UpdateQuotation>

/** Of a signed document. */
export const MOST_ACCEPTANCE_BYTES = 10 * 1024 * 1024

/** As JSON, or as a form with the signed document as `file` (PDF, PNG or JPEG, at most 10 MiB). */
export const AcceptQuotation = z.strictObject({
  version: z.union([Version, IdText]),
  accepted_on: Day,
  accepted_by: name(120),
  client_po: nameOrNothing(60).optional(),
  file: z.file().optional(),
})
export const RejectQuotation = z.strictObject({ version: Version, reason: text(500) })
export const CancelQuotation = z.strictObject({ version: Version, reason: textOrNothing(500).default('') })

/** What lines without accounts have delivered so far, of a draft or an accepted order; null: not known. */
export const NoteSpent = z.strictObject({
  version: Version,
  lines: z
    .array(z.strictObject({ line: Id, typed_spent: Amount.nullable() }))
    .min(1)
    .max(100),
})

// Delivery.

const delivered = {
  /** Cost of the accounts from start to yesterday, in the order's currency; null: not known. */
  spent: TotalAmount.nullable(),
  /** Media × days over ÷ days. */
  expected: TotalAmount,
  /** spent ÷ expected to three decimals, 1 is on pace; null before the first day or without spend. */
  pace: z.number().nullable(),
  verdict: z.enum(['under', 'on_pace', 'over']).nullable(),
  forecast: TotalAmount.nullable(),
}
export const Delivery = z.object({
  currency: z.string(),
  /** The last day that counts. */
  through: Day,
  lines: z.array(
    z.object({
      line: Id,
      media: TotalAmount,
      start: Day,
      end: Day,
      days: z.number().int(),
      days_over: z.number().int(),
      ...delivered,
      is_final: z.boolean(),
      /** Why it is not known: `rate_missing`, or `days_missing` while days of an account are not fetched. */
      code: z.enum(['rate_missing', 'days_missing']).nullable(),
    }),
  ),
  total: z.object({ media: TotalAmount, ...delivered }),
  /** By month: ordered, delivered, asked for (payments issued), received. */
  months: z.array(
    z.object({
      month: Month,
      ordered: TotalAmount,
      delivered: TotalAmount.nullable(),
      asked: TotalAmount,
      received: TotalAmount,
    }),
  ),
})
export type Delivery = z.infer<typeof Delivery>

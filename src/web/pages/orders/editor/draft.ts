import type { z } from 'zod'
import type { Advertiser } from '#shared/api/advertisers.ts'
import type { SpendChannel } from '#shared/api/money.ts'
import type {
  CreateQuotation,
  Quotation,
  QuotationLine,
  QuotationLineInput,
  SchedulePart,
} from '#shared/api/quotations.ts'
import { spendChannels } from '#shared/billing/spend-channels.ts'
import type { TypedAmount } from '#web/ui/money.ts'
import type { TypedRate } from '#web/ui/rate.ts'
import type { TypedTerms } from '#web/ui/terms-input.tsx'

/** What a line is of: an own channel, somebody else's medium, or anything with a title. */
export type LineKind = SpendChannel | 'publisher' | 'other'
export const lineKinds: readonly LineKind[] = [...spendChannels, 'publisher', 'other']

/** A line while it is written: fields that are not filled in are null. */
export interface LineDraft {
  /** Of this page alone: stays with the line wherever it moves. */
  key: number
  kind: LineKind
  publisher: string
  title: string
  description: string
  start: string
  end: string
  pricing: QuotationLine['pricing']
  quantity: TypedAmount
  unit_price: TypedAmount
  budget: TypedAmount
  /** null: as the advertiser's agreement has it. */
  fee_rate: TypedRate
  /** null: as the agreement has it, or on top. */
  fee_basis: QuotationLine['fee_basis'] | null
  accounts: readonly number[]
  typed_spent: TypedAmount
  /** Texts that were pasted and could not be read, by field. */
  unread: Readonly<Partial<Record<LineField, string>>>
}
export type LineField = Exclude<keyof LineDraft, 'key' | 'unread'>

export interface PartDraft {
  key: number
  share: TypedRate
  /** Days after acceptance, or a day. */
  kind: 'after' | 'due_on'
  after: string
  due_on: string
}

export interface Draft {
  title: string
  advertiser: number | null
  agent: number | null
  bill_to: Quotation['bill_to']
  /** null: whoever saves it. */
  owner: number | null
  currency: string
  tax: Quotation['tax']
  media_billing: Quotation['media_billing']
  language: Quotation['language']
  issue_on: string
  valid_until: string
  payment_terms: TypedTerms
  /** null: those of the agency. */
  terms: string | null
  client_po: string
  internal_note: string
  discount: TypedAmount
  fee_minimum: TypedAmount
  lines: readonly LineDraft[]
  /** None: all of it by the terms. */
  schedule: readonly PartDraft[]
}

let lastKey = 0
export const nextKey = () => (lastKey += 1)

export const emptyDraft = (): Draft => ({
  title: '',
  advertiser: null,
  agent: null,
  bill_to: 'advertiser',
  owner: null,
  currency: 'TWD',
  tax: 'tw_vat',
  media_billing: 'agency',
  language: 'zh-TW',
  issue_on: '',
  valid_until: '',
  payment_terms: { kind: 'days', days: 30 },
  terms: null,
  client_po: '',
  internal_note: '',
  discount: null,
  fee_minimum: null,
  lines: [],
  schedule: [],
})

/** What a quotation takes from its advertiser as soon as it is chosen. */
export const ofAdvertiser = (advertiser: Advertiser): Partial<Draft> => ({
  advertiser: advertiser.id,
  agent: advertiser.agent,
  bill_to: 'advertiser',
  ...(advertiser.billing_currency !== null && { currency: advertiser.billing_currency }),
  tax: advertiser.tax,
  media_billing: advertiser.media_billing,
  language: advertiser.document_language,
  payment_terms: advertiser.payment_terms,
})

export const draftOf = (quotation: Quotation): Draft => ({
  title: quotation.title,
  advertiser: quotation.advertiser,
  agent: quotation.agent,
  bill_to: quotation.bill_to,
  owner: quotation.owner,
  currency: quotation.currency,
  tax: quotation.tax,
  media_billing: quotation.media_billing,
  language: quotation.language,
  issue_on: quotation.issue_on ?? '',
  valid_until: quotation.valid_until ?? '',
  payment_terms: quotation.payment_terms,
  terms: quotation.terms,
  client_po: quotation.client_po,
  internal_note: quotation.internal_note,
  discount: orNull(quotation.discount),
  fee_minimum: orNull(quotation.fee_minimum),
  lines: quotation.lines.map(lineOf),
  schedule: quotation.schedule.map(partOf),
})

const lineOf = (line: QuotationLine): LineDraft => ({
  key: nextKey(),
  kind: line.channel ?? (line.publisher === '' ? 'other' : 'publisher'),
  publisher: line.publisher,
  title: line.title,
  description: line.description,
  start: line.start,
  end: line.end,
  pricing: line.pricing,
  quantity: orNull(line.quantity),
  unit_price: orNull(line.unit_price),
  budget: line.pricing === 'budget' ? line.budget : null,
  fee_rate: line.fee_rate,
  fee_basis: line.fee_basis,
  accounts: line.accounts,
  typed_spent: line.typed_spent,
  unread: {},
})

const partOf = (part: SchedulePart): PartDraft => ({
  key: nextKey(),
  share: part.share,
  kind: 'after' in part ? 'after' : 'due_on',
  after: 'after' in part ? String(part.after) : '',
  due_on: 'due_on' in part ? part.due_on : '',
})

const orNull = (amount: number) => (amount === 0 ? null : amount)

/** The next line after `before`: of the same days and price, so that a media plan is written quickly. */
export function lineAfter(before: LineDraft | undefined): LineDraft {
  const first = before === undefined
  return {
    key: nextKey(),
    kind: before?.kind ?? 'fb',
    publisher: '',
    title: '',
    description: '',
    start: before?.start ?? '',
    end: before?.end ?? '',
    pricing: before?.pricing ?? 'budget',
    quantity: null,
    unit_price: null,
    budget: null,
    fee_rate: first ? null : before.fee_rate === 'invalid' ? null : before.fee_rate,
    fee_basis: before?.fee_basis ?? null,
    accounts: [],
    typed_spent: null,
    unread: {},
  }
}

/** What is sent: whole, so that the draft is afterwards as it is on the screen. */
export function bodyOf(draft: Draft): z.input<typeof CreateQuotation> {
  const { advertiser, owner, payment_terms, terms, lines, schedule, ...head } = draft
  return {
    ...head,
    advertiser: advertiser ?? 0,
    ...(owner !== null && { owner }),
    ...(payment_terms !== 'invalid' && { payment_terms }),
    ...(terms !== null && { terms }),
    issue_on: head.issue_on || null,
    valid_until: head.valid_until || null,
    discount: amountOf(head.discount),
    fee_minimum: amountOf(head.fee_minimum),
    lines: lines.map(inputOf),
    schedule: schedule.map(part => ({
      share: typeof part.share === 'number' ? part.share : 0,
      ...(part.kind === 'after' ? { after: Number(part.after) } : { due_on: part.due_on }),
    })) as SchedulePart[],
  }
}

function inputOf(line: LineDraft): z.input<typeof QuotationLineInput> {
  const isBudget = line.pricing === 'budget'
  return {
    channel: channelOf(line.kind),
    publisher: line.kind === 'publisher' ? line.publisher : '',
    title: line.title,
    description: line.description,
    start: line.start,
    end: line.end,
    pricing: line.pricing,
    quantity: isBudget ? 0 : amountOf(line.quantity),
    unit_price: isBudget ? 0 : amountOf(line.unit_price),
    budget: isBudget ? amountOf(line.budget) : 0,
    ...(typeof line.fee_rate === 'number' && { fee_rate: line.fee_rate }),
    ...(line.fee_basis !== null && { fee_basis: line.fee_basis }),
    accounts: channelOf(line.kind) === null ? [] : [...line.accounts],
    typed_spent: typeof line.typed_spent === 'number' ? line.typed_spent : null,
  }
}

export const channelOf = (kind: LineKind): SpendChannel | null =>
  kind === 'publisher' || kind === 'other' ? null : kind

const amountOf = (amount: TypedAmount) => (typeof amount === 'number' ? amount : 0)

import { agreementFor, feeOf, isInForce, type FeeAgreement } from './fee.ts'
import { chargeOf, type Charge, type MediaBilling } from './media-billing.ts'
import { mediaLines, totalOf, type MediaLine, type MediaRequest } from './media-line.ts'
import { shareOut } from './shares.ts'
import { spendChannels, type SpendChannel } from './spend-channels.ts'
import { stepOf } from './step.ts'
import { taxOn, type Tax } from './tax.ts'

export interface StatementRequest extends MediaRequest {
  /** yyyy-MM */
  month: string
  /** null: each account's own. */
  billing_currency: string | null
  tax: Tax
  media_billing: MediaBilling
  /** Of the advertiser: those of other months and currencies do no harm. */
  agreements: readonly FeeAgreement[]
}

/** Where an amount that it depends on is not known, here or in another line, an amount is null. */
export interface StatementLine extends MediaLine {
  fee: bigint | null
  tax_amount: bigint | null
  /** What is charged of media and fee, with the tax. */
  total: bigint | null
}

/** What an advertiser owes for a month in one currency. A sum of which a part is not known is null. */
export interface Statement {
  month: string
  currency: string
  media: bigint | null
  fee: bigint | null
  untaxed: bigint | null
  taxable: bigint | null
  tax_amount: bigint | null
  total: bigint | null
  lines: StatementLine[]
  warnings: StatementWarning[]
}

/** A channel whose media nobody has agreed a fee for. */
export interface StatementWarning {
  code: 'no_agreement'
  channel: SpendChannel
}

/** One statement, or one for each currency where accounts are billed in their own; none without a line. */
export function statementOf(request: StatementRequest): Statement[] {
  return billingCurrencies(request)
    .map(currency => inCurrency(request, currency))
    .filter(({ lines }) => lines.length > 0)
}

function billingCurrencies(request: StatementRequest): string[] {
  const { billing_currency, accounts, adjustments, agreements, month } = request
  if (billing_currency !== null) return [billing_currency]
  const inForce = agreements.filter(agreement => isInForce(agreement, month))
  return [...new Set([...accounts, ...adjustments, ...inForce].map(({ currency }) => currency))].toSorted()
}

function inCurrency(request: StatementRequest, currency: string): Statement {
  const { month, billing_currency, media_billing } = request
  const agreementOf = (channel: SpendChannel) =>
    agreementFor(request.agreements, { channel, currency, month })
  const isOwn = billing_currency === null
  const media = mediaLines(request, currency).filter(line => !isOwn || line.currency === currency)
  const groups = Map.groupBy(withIdleLines(media, { currency, agreementOf }), ({ channel }) =>
    agreementOf(channel),
  )
  const lines = withTaxes(withFees(groups, currency), { request, currency })
  return {
    month,
    currency,
    ...sumsOf(lines, media_billing),
    lines,
    warnings: warningsOf(groups.get(null) ?? []),
  }
}

type AgreementOf = (channel: SpendChannel) => FeeAgreement | null

/**
 * The lines with one of no media for each agreement that has none and charges a fee all the same: of its
 * channel, or of the first without an agreement of its own.
 */
function withIdleLines(
  lines: readonly MediaLine[],
  { currency, agreementOf }: { currency: string; agreementOf: AgreementOf },
): MediaLine[] {
  const busy = new Set(lines.map(({ channel }) => agreementOf(channel)))
  const all = [...lines]
  for (const channel of spendChannels) {
    const agreement = agreementOf(channel)
    if (agreement === null || busy.has(agreement) || feeOf(agreement, 0n) === 0n) continue
    busy.add(agreement)
    all.push({
      channel,
      currency,
      spend: 0n,
      invoiced: null,
      adjusted: 0n,
      rate: null,
      billed: 0n,
      code: null,
    })
  }
  return all.toSorted(byChannel)
}

type FeeLine = MediaLine & Pick<StatementLine, 'fee'>

/** Each agreement's fee is worked out once, on all media under it, and shared out to its lines. */
function withFees(groups: ReadonlyMap<FeeAgreement | null, MediaLine[]>, currency: string): FeeLine[] {
  const lines = [...groups].flatMap(([agreement, group]): FeeLine[] => {
    const media = totalOf(group.map(({ billed }) => billed))
    if (agreement === null) return group.map(line => ({ ...line, fee: 0n }))
    if (media === null) return group.map(line => ({ ...line, fee: null }))
    const weights = group.map(({ billed }) => billed ?? 0n)
    const fees = shareOut(feeOf(agreement, media), weights, stepOf(currency))
    return group.map((line, index) => ({ ...line, fee: fees[index] ?? 0n }))
  })
  return lines.toSorted(byChannel)
}

const byChannel = (one: MediaLine, other: MediaLine) =>
  spendChannels.indexOf(one.channel) - spendChannels.indexOf(other.channel)

/** Tax is worked out once and shared out, so that the lines add up to the statement. */
function withTaxes(
  lines: readonly FeeLine[],
  { request, currency }: { request: StatementRequest; currency: string },
): StatementLine[] {
  const charges = lines.map(line => chargeOfLine(line, request.media_billing))
  const taxable = totalOf(charges.map(charge => charge && charge.taxable))
  if (taxable === null) return lines.map(line => ({ ...line, tax_amount: null, total: null }))
  // The rate of the month's last day; of shorter months this is no day, and only compared with days.
  const tax = taxOn(request.tax, taxable, { day: `${request.month}-31`, currency })
  const weights = charges.map(charge => charge?.taxable ?? 0n)
  const taxes = shareOut(tax, weights, stepOf(currency))
  return lines.map((line, index) => {
    const taxAmount = taxes[index] ?? 0n
    const charge = charges[index]
    return {
      ...line,
      tax_amount: taxAmount,
      total: charge ? charge.untaxed + charge.taxable + taxAmount : null,
    }
  })
}

const chargeOfLine = ({ billed, fee }: FeeLine, mediaBilling: MediaBilling): Charge | null =>
  billed === null || fee === null ? null : chargeOf[mediaBilling]({ media: billed, fee })

function sumsOf(lines: readonly StatementLine[], mediaBilling: MediaBilling) {
  const charges = lines.map(line => chargeOfLine(line, mediaBilling))
  return {
    media: totalOf(lines.map(({ billed }) => billed)),
    fee: totalOf(lines.map(({ fee }) => fee)),
    untaxed: totalOf(charges.map(charge => charge && charge.untaxed)),
    taxable: totalOf(charges.map(charge => charge && charge.taxable)),
    tax_amount: totalOf(lines.map(({ tax_amount }) => tax_amount)),
    total: totalOf(lines.map(({ total }) => total)),
  }
}

function warningsOf(lines: readonly MediaLine[]): StatementWarning[] {
  const channels = new Set(lines.filter(({ billed }) => billed !== 0n).map(({ channel }) => channel))
  return [...channels].map(channel => ({ code: 'no_agreement', channel }))
}

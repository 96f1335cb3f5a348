import type { AccountCost, Adjustment } from '#shared/billing/media-line.ts'
import type { StatementRequest } from '#shared/billing/statement.ts'
import { by, fraction, isEqual, plus, textOf, times, total, ZERO, type Fraction } from './fraction.ts'
import { decimals, type InText, type Oracle } from './oracle.ts'

export type TextStatementRequest = InText<StatementRequest>

interface Scope {
  channel: string
  currency: string
}

interface Line extends Scope {
  adjusted: Fraction
  billed: Fraction | null
  code: string | null
}

const channelOrder = ['fb', 'aw', 'yg', 'tt', 'ln'] as const

/** The statements of a month. */
export function oracleStatements(oracle: Oracle, request: TextStatementRequest) {
  const currencies =
    request.billing_currency === null ? Object.keys(decimals).toSorted() : [request.billing_currency]
  return currencies
    .map(currency => statementIn(oracle, request, currency))
    .filter(({ lines }) => lines.length > 0)
}

function statementIn(oracle: Oracle, request: TextStatementRequest, currency: string) {
  const { media_billing, month } = request
  const lines = linesIn(oracle, request, currency)
  const fees = feesOf(oracle, { request, lines, currency })
  const isKnown = lines.every((line, index) => line.billed !== null && fees[index] !== null)
  const media = lines.map(({ billed }) => billed ?? ZERO)
  const untaxed = media.map(each => (media_billing === 'advance' ? each : ZERO))
  const taxable = media.map((each, index) => {
    const fee = fees[index] ?? ZERO
    return media_billing === 'agency' ? plus(each, fee) : fee
  })
  const tax = oracle.tax(request.tax, total(taxable), { day: `${month}-28`, currency })
  const taxes = oracle.shares(tax, taxable, currency)
  const known = (...amounts: readonly (Fraction | undefined)[]) =>
    isKnown ? textOf(total(amounts.map(amount => amount ?? ZERO))) : null
  return {
    month,
    currency,
    media: sumText(lines.map(({ billed }) => billed)),
    fee: sumText(fees),
    untaxed: known(...untaxed),
    taxable: known(...taxable),
    tax_amount: known(tax),
    total: known(...untaxed, ...taxable, tax),
    lines: lines.map(({ adjusted, billed, ...line }, index) => ({
      ...line,
      adjusted: textOf(adjusted),
      billed: sumText([billed]),
      fee: sumText([fees[index] ?? null]),
      tax_amount: known(taxes[index]),
      total: known(untaxed[index], taxable[index], taxes[index]),
    })),
  }
}

const sumText = (amounts: readonly (Fraction | null)[]) =>
  amounts.includes(null) ? null : textOf(total(amounts.map(amount => amount ?? ZERO)))

function linesIn(oracle: Oracle, request: TextStatementRequest, currency: string): Line[] {
  const entries: (InText<AccountCost> | InText<Adjustment>)[] = [...request.accounts, ...request.adjustments]
  const own = request.billing_currency === null ? [currency] : Object.keys(decimals).toSorted()
  const lines = channelOrder.flatMap(channel =>
    own
      .filter(each => entries.some(isOf({ channel, currency: each })))
      .map(each => lineOf(oracle, request, { channel, currency: each, to: currency })),
  )
  for (const agreement of inForce(request, currency)) {
    const channel = channelOrder.find(each => agreementOf(request, each, currency) === agreement)
    const isBusy = lines.some(line => agreementOf(request, line.channel, currency) === agreement)
    if (channel && !isBusy && !isEqual(oracle.fee(agreement, ZERO), ZERO))
      lines.push({ channel, currency, adjusted: ZERO, billed: ZERO, code: null })
  }
  const order = (line: Line) => channelOrder.findIndex(channel => channel === line.channel)
  return lines.toSorted((one, other) => order(one) - order(other))
}

const isOf = (line: Scope) => (entry: Scope) =>
  entry.channel === line.channel && entry.currency === line.currency

function lineOf(
  oracle: Oracle,
  { accounts, adjustments, rates }: TextStatementRequest,
  { channel, currency, to }: Scope & { to: string },
): Line {
  const costs = accounts
    .filter(isOf({ channel, currency }))
    .map(({ reported, invoice }) => invoice ?? reported)
  const adjusted = total(
    adjustments.filter(isOf({ channel, currency })).map(({ amount }) => fraction(amount)),
  )
  const [from, other] = currency === to ? ['1', '1'] : [rates.get(currency), rates.get(to)]
  const line = { channel, currency, adjusted, billed: null }
  if (costs.includes(null)) return { ...line, code: 'days_unknown' }
  if (from === undefined || other === undefined) return { ...line, code: 'rate_missing' }
  const amount = total([...costs.map(cost => fraction(cost ?? 0)), adjusted])
  const exact = times(amount, by(fraction(from), fraction(other)))
  return { ...line, billed: oracle.rounded(exact, to), code: null }
}

const inForce = ({ agreements, month }: TextStatementRequest, currency: string) =>
  agreements.filter(
    agreement =>
      agreement.currency === currency &&
      agreement.from_month <= month &&
      month <= (agreement.to_month ?? '9999-12'),
  )

function agreementOf(request: TextStatementRequest, channel: string, currency: string) {
  const agreements = inForce(request, currency)
  return agreements.find(each => each.channel === channel) ?? agreements.find(each => each.channel === null)
}

function feesOf(
  oracle: Oracle,
  { request, lines, currency }: { request: TextStatementRequest; lines: readonly Line[]; currency: string },
): (Fraction | null)[] {
  return lines.map(line => {
    const agreement = agreementOf(request, line.channel, currency)
    if (!agreement) return ZERO
    const group = lines.filter(each => agreementOf(request, each.channel, currency) === agreement)
    if (group.some(({ billed }) => billed === null)) return null
    const weights = group.map(({ billed }) => billed ?? ZERO)
    const shares = oracle.shares(oracle.fee(agreement, total(weights)), weights, currency)
    return shares[group.indexOf(line)] ?? ZERO
  })
}

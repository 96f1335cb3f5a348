import type { FeeAgreement } from '#shared/billing/fee.ts'
import type { Quotation } from '#shared/billing/quotation.ts'
import type { StatementRequest } from '#shared/billing/statement.ts'
import type { TextStatementRequest } from './month-oracle.ts'
import type { TextAgreement } from './oracle.ts'
import type { TextQuotation } from './order-oracle.ts'

// Between decimal text in units and the product's millionths; by moving the point, without arithmetic.

export function millionths(text: string): bigint {
  const [whole = '', decimals = ''] = text.split('.')
  return BigInt(whole + decimals.padEnd(6, '0'))
}

export function decimalText(amount: bigint): string {
  const digits = String(amount).replace('-', '').padStart(7, '0')
  const text = `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '')
  return amount < 0n ? `-${text}` : text
}

/** Whatever holds amounts, with decimal text instead. */
export function inText(value: unknown): unknown {
  if (typeof value === 'bigint') return decimalText(value)
  if (Array.isArray(value)) return value.map(inText)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inText(inner)]))
}

const orNull = (text: string | null) => (text === null ? null : millionths(text))

export const quotationOf = (order: TextQuotation): Quotation => ({
  ...order,
  discount: millionths(order.discount),
  fee_minimum: millionths(order.fee_minimum),
  lines: order.lines.map(line => ({
    ...line,
    unit_price: millionths(line.unit_price),
    budget: millionths(line.budget),
  })),
})

export const agreementOf = (agreement: TextAgreement): FeeAgreement => ({
  ...agreement,
  amount: millionths(agreement.amount),
  minimum: millionths(agreement.minimum),
  tiers: agreement.tiers.map(({ up_to, rate }) => ({ up_to: orNull(up_to), rate })),
})

export const requestOf = (request: TextStatementRequest): StatementRequest => ({
  ...request,
  accounts: request.accounts.map(account => ({
    ...account,
    reported: orNull(account.reported),
    invoice: orNull(account.invoice),
  })),
  adjustments: request.adjustments.map(adjustment => ({
    ...adjustment,
    amount: millionths(adjustment.amount),
  })),
  agreements: request.agreements.map(agreementOf),
})

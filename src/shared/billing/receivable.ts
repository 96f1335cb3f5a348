import { sumOf } from './step.ts'
import type { TaxCountry } from './tax-id.ts'

export const paymentStatuses = ['due', 'overdue', 'paid', 'void'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

/** Money that came for a payment; one that was reversed is none. */
export interface Receipt {
  amount: bigint
  /** Kept back by the bank (匯費): the customer has paid it, too. */
  bank_fee: bigint
}

export interface Receivable {
  amount: bigint
  receipts: readonly Receipt[]
  due_on: string
  is_void: boolean
}

/** What has been paid so far. */
export const receivedOf = (receipts: readonly Receipt[]): bigint =>
  sumOf(receipts.map(({ amount, bank_fee }) => amount + bank_fee))

export function paymentStatus(
  { amount, receipts, due_on, is_void }: Receivable,
  today: string,
): PaymentStatus {
  if (is_void) return 'void'
  if (receivedOf(receipts) >= amount) return 'paid'
  return due_on < today ? 'overdue' : 'due'
}

/** Why one more receipt is refused: it exceeds what is still to be paid. */
export const whyNotReceipt = (
  receipt: Receipt,
  { amount, receipts }: Pick<Receivable, 'amount' | 'receipts'>,
): 'receipt_too_large' | null => (receivedOf([...receipts, receipt]) > amount ? 'receipt_too_large' : null)

/** Days since a payment was due, in the groups of the chart. */
export const ages = ['not_due', '0_30', '31_60', '61_90', 'over_90'] as const
export type Age = (typeof ages)[number]

export function ageOf(dueOn: string, today: string): Age {
  const { days } = Temporal.PlainDate.from(dueOn).until(today, { largestUnit: 'days' })
  if (days < 0) return 'not_due'
  if (days <= 30) return '0_30'
  if (days <= 60) return '31_60'
  return days <= 90 ? '61_90' : 'over_90'
}

/** Taiwan's uniform invoices (統一發票) have a track of two letters and eight digits. */
const invoiceNumbers: Record<TaxCountry, RegExp> = {
  TW: /^[A-Z]{2}\d{8}$/,
  JP: /^.{1,30}$/su,
  other: /^.{1,30}$/su,
}

/** What is wrong with an invoice's number by itself. */
export const whyNotInvoiceNumber = (country: TaxCountry, number: string): 'field_invalid' | null =>
  invoiceNumbers[country].test(number) && number.trim() !== '' ? null : 'field_invalid'

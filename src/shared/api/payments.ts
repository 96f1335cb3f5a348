import { z } from 'zod'
import { Day, Id, IdText, Instant, listOf, listQuery } from './list.ts'
import { Amount, Currency, Month, TotalAmount, Version } from './money.ts'
import { name, nameOrNothing, text, textOrNothing } from './names.ts'

export const paymentStates = ['due', 'overdue', 'paid', 'void'] as const
export type PaymentState = (typeof paymentStates)[number]
export const receiptMethods = ['transfer', 'cheque', 'cash', 'card', 'offset'] as const

export const Receipt = z.object({
  id: Id,
  on: Day,
  amount: Amount,
  bank_fee: Amount,
  method: z.enum(receiptMethods),
  reference: z.string(),
  created_by: Id.nullable(),
  created_at: Instant,
  reversed_at: Instant.nullable(),
  reason: z.string().nullable(),
})
export type Receipt = z.infer<typeof Receipt>

/** What a customer is asked for: of an order, or of a month's statement. */
export const Payment = z.object({
  id: Id,
  version: Version,
  number: z.string(),
  quotation: Id.nullable(),
  /** As printed. */
  quotation_label: z.string().nullable(),
  statement: Id.nullable(),
  /** The statement's month. */
  month: Month.nullable(),
  advertiser: Id,
  advertiser_name: z.string(),
  untaxed: TotalAmount,
  taxable: TotalAmount,
  tax_amount: TotalAmount,
  amount: TotalAmount,
  /** Of receipts with their bank fees, without the reversed ones. */
  received: TotalAmount,
  currency: z.string(),
  issue_on: Day,
  due_on: Day,
  invoice_number: z.string().nullable(),
  invoice_on: Day.nullable(),
  note: z.string(),
  status: z.enum(paymentStates),
  paid_on: Day.nullable(),
  /** Why it is void. */
  reason: z.string().nullable(),
  receipts: z.array(Receipt),
  /** What the caller may do with it now. */
  may: z.array(z.enum(['edit', 'void', 'receipt'])),
  created_at: Instant,
  last_modified_at: Instant,
})
export type Payment = z.infer<typeof Payment>

export const PaymentQuery = listQuery(
  ['id', 'number', 'due_on', 'issue_on', 'amount', 'last_modified_at'],
  '-id',
).extend({
  status: z.enum(paymentStates).optional(),
  advertiser: IdText.optional(),
  quotation: IdText.optional(),
  currency: Currency.optional(),
  due_from: Day.optional(),
  due_to: Day.optional(),
})
/**
 * `sums`: of everything that the filters find, by state and currency (without the filter of state). `ages`:
 * what is not paid, by days over the due day.
 */
export const PaymentList = listOf(Payment).extend({
  sums: z.array(
    z.object({
      status: z.enum(paymentStates),
      currency: z.string(),
      count: z.number().int(),
      amount: TotalAmount,
      /** What has not been received of it. */
      open: TotalAmount,
    }),
  ),
  ages: z.array(
    z.object({
      age: z.enum(['not_due', '0_30', '31_60', '61_90', 'over_90']),
      currency: z.string(),
      count: z.number().int(),
      open: TotalAmount,
    }),
  ),
})

/** Asks again for what voided payments have left open of an accepted order. */
export const CreatePayment = z.strictObject({ quotation: Id, due_on: Day })
export const UpdatePayment = z.strictObject({
  version: Version,
  due_on: Day.optional(),
  invoice_number: nameOrNothing(30).nullable().optional(),
  invoice_on: Day.nullable().optional(),
  note: textOrNothing(2000).optional(),
})
export const VoidPayment = z.strictObject({ version: Version, reason: text(500) })
export const CreateReceipt = z.strictObject({
  version: Version,
  on: Day,
  amount: Amount,
  bank_fee: Amount.default(0),
  method: z.enum(receiptMethods).default('transfer'),
  reference: nameOrNothing(120).default(''),
})
export const ReverseReceipt = z.strictObject({ version: Version, reason: name(500) })
export const ReceiptPath = z.object({ id: IdText, rid: IdText })

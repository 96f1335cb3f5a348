import { mayReach, type Person } from '#shared/access.ts'
import type { Payment, PaymentState } from '#shared/api/payments.ts'
import { paymentStatus } from '#shared/billing/receivable.ts'
import type { PaymentFields } from './queries.ts'

type PaymentAction = Payment['may'][number]

export const stateOf = (
  { amount, received, due_on, status }: Pick<PaymentFields, 'amount' | 'received' | 'due_on' | 'status'>,
  today: string,
): PaymentState =>
  paymentStatus(
    {
      amount: BigInt(amount),
      receipts: [{ amount: BigInt(received), bank_fee: 0n }],
      due_on,
      is_void: status === 'void',
    },
    today,
  )

/** Neither invoiced nor received in part: it can be undone. */
export const isUntouched = ({ received, invoice_number }: PaymentFields): boolean =>
  received === 0 && invoice_number === null

const allows: Record<PaymentAction, (payment: PaymentFields) => boolean> = {
  edit: ({ status }) => status !== 'void',
  void: payment => payment.status === 'due' && isUntouched(payment),
  receipt: ({ status }) => status === 'due',
}

/** What may be done with a payment in its state. */
export const allowedActions = (payment: PaymentFields): PaymentAction[] =>
  (['edit', 'void', 'receipt'] as const).filter(action => allows[action](payment))

/** Payments are the business of directors and finance. */
export const actionsOf = (person: Person, payment: PaymentFields): PaymentAction[] =>
  mayReach(person, 'director_or_finance') ? allowedActions(payment) : []

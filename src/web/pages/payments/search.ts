import { isId, listSearch, textOf, type ListSearch, type Raw } from '#web/client/search.ts'

/** What the list is divided into: by what is to be done next. */
export const paymentGroups = ['overdue', 'week', 'due', 'paid', 'void'] as const
export type PaymentGroup = (typeof paymentGroups)[number]

/** The URL parameters of the list of payments. */
export interface PaymentsSearch extends ListSearch {
  group?: PaymentGroup
  advertiser?: number
  currency?: string
  due_from?: string
  due_to?: string
  /** The open one. */
  payment?: number
}

const read = listSearch(['number', 'due_on', 'issue_on', 'amount', 'last_modified_at'])
const DAY = /^\d{4}-\d{2}-\d{2}$/

export function paymentsSearch(raw: Raw): PaymentsSearch {
  const group = paymentGroups.find(name => name === raw.group)
  const [currency, from, to] = [textOf(raw.currency), textOf(raw.due_from), textOf(raw.due_to)]
  return {
    ...read(raw),
    ...(group && { group }),
    ...(isId(raw.advertiser) && { advertiser: raw.advertiser }),
    ...(/^[A-Z]{3}$/.test(currency) && { currency }),
    ...(DAY.test(from) && { due_from: from }),
    ...(DAY.test(to) && { due_to: to }),
    ...(isId(raw.payment) && { payment: raw.payment }),
  }
}

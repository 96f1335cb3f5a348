import { isId, listSearch, textOf, type ListSearch, type Raw } from '#web/client/search.ts'

// As in shared/api/quotations.ts, whose schemas would come along to the first page.
export const orderStates = [
  'draft',
  'sent',
  'expired',
  'accepted',
  'rejected',
  'cancelled',
  'superseded',
] as const

/** The URL parameters of the list of insertion orders. */
export interface OrdersSearch extends ListSearch {
  status?: (typeof orderStates)[number]
  advertiser?: number
  agent?: number
  owner?: number
  currency?: string
  /** Days of issue. */
  from?: string
  to?: string
}

const read = listSearch(['number', 'title', 'total', 'issue_on', 'valid_until', 'last_modified_at'])
const DAY = /^\d{4}-\d{2}-\d{2}$/

export function ordersSearch(raw: Raw): OrdersSearch {
  const status = orderStates.find(name => name === raw.status)
  const [currency, from, to] = [textOf(raw.currency), textOf(raw.from), textOf(raw.to)]
  return {
    ...read(raw),
    ...(status && { status }),
    ...(isId(raw.advertiser) && { advertiser: raw.advertiser }),
    ...(isId(raw.agent) && { agent: raw.agent }),
    ...(isId(raw.owner) && { owner: raw.owner }),
    ...(/^[A-Z]{3}$/.test(currency) && { currency }),
    ...(DAY.test(from) && { from }),
    ...(DAY.test(to) && { to }),
  }
}

/** A new quotation, of an advertiser whose page led here. */
export const newOrderSearch = ({ advertiser }: Raw): { advertiser?: number } =>
  isId(advertiser) ? { advertiser } : {}

const dialogs = ['send', 'accept'] as const

/** What is about to be done with an order, and the revision that it is compared with. */
export interface OrderSearch {
  do?: (typeof dialogs)[number]
  compare?: number
  payment?: number
}

export function orderSearch(raw: Raw): OrderSearch {
  const dialog = dialogs.find(name => name === raw.do)
  return {
    ...(dialog && { do: dialog }),
    ...(isId(raw.compare) && { compare: raw.compare }),
    ...(isId(raw.payment) && { payment: raw.payment }),
  }
}

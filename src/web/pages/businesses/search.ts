import { accountStatuses, warnings, type Warning } from '#shared/account-statuses.ts'
import { isId, listSearch, type ListSearch, type Raw } from '#web/client/search.ts'

/** The URL parameters of the page of business managers. */
export interface BusinessesSearch extends ListSearch {
  /** The open tab; left out: the first. */
  business?: number
  relation?: 'owned' | 'client'
  status?: number
  advertiser?: number
  warn?: Warning | 'urgent'
  /** The one that is open beside the list. */
  account?: number
}

const readList = listSearch(['urgency', 'name', 'cap_used', 'amount_spent', 'status'])

export function businessesSearch(raw: Raw): BusinessesSearch {
  const warn = [...warnings, 'urgent' as const].find(name => name === raw.warn)
  const status = accountStatuses.find(number => number === raw.status)
  return {
    ...readList(raw),
    ...(isId(raw.business) && { business: raw.business }),
    ...((raw.relation === 'owned' || raw.relation === 'client') && { relation: raw.relation }),
    ...(status !== undefined && { status }),
    ...(isId(raw.advertiser) && { advertiser: raw.advertiser }),
    ...(warn && { warn }),
    ...(isId(raw.account) && { account: raw.account }),
  }
}

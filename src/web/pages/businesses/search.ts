import type { Warning } from '#shared/account-standing.ts'
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

// Named here once more, since the texts beside them in account-standing.ts would come before any page.
const warnings = ['stopped', 'cap', 'unassigned', 'urgent'] as const satisfies (Warning | 'urgent')[]

const readList = listSearch(['urgency', 'name', 'cap_used', 'amount_spent', 'status'])

export function businessesSearch(raw: Raw): BusinessesSearch {
  const warn = warnings.find(name => name === raw.warn)
  return {
    ...readList(raw),
    ...(isId(raw.business) && { business: raw.business }),
    ...((raw.relation === 'owned' || raw.relation === 'client') && { relation: raw.relation }),
    ...(isId(raw.status) && { status: raw.status }),
    ...(isId(raw.advertiser) && { advertiser: raw.advertiser }),
    ...(warn && { warn }),
    ...(isId(raw.account) && { account: raw.account }),
  }
}

import { isId, listSearch, type ListSearch, type Raw } from '#web/client/search.ts'

export const stateNames = ['open', 'in_progress', 'answered', 'closed'] as const

/** The URL parameters of the list of issues. */
export interface SupportSearch extends ListSearch {
  status?: (typeof stateNames)[number]
  /** The open issue. */
  issue?: number
  /** A new one is being written, about this report. */
  report?: number
}

const orderings = ['id', 'last_modified_at']

export const supportSearch = (raw: Raw): SupportSearch => {
  const status = stateNames.find(name => name === raw.status)
  return {
    ...listSearch(orderings)(raw),
    ...(status && { status }),
    ...(isId(raw.issue) && { issue: raw.issue }),
    ...(isId(raw.report) && { report: raw.report }),
  }
}

import { isId, listSearch, type ListSearch, type Raw } from '#web/client/search.ts'

/** The URL parameters of the list. */
export interface SitesSearch extends ListSearch {
  /** The one that is open beside the list. */
  site?: number
}

const readList = listSearch(['name', 'url', 'advertiser', 'platform', 'last_modified_at'])

export const sitesSearch = (raw: Raw): SitesSearch => ({
  ...readList(raw),
  ...(isId(raw.site) && { site: raw.site }),
})

import { isId, listSearch, type ListSearch, type Raw } from '#web/client/search.ts'

/** The URL parameters of the list. */
export interface LinksSearch extends ListSearch {
  /** The one that is open beside the list. */
  link?: number
}

const readList = listSearch([
  'name',
  'advertiser',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'ga4_channel',
  'last_modified_at',
])

export const linksSearch = (raw: Raw): LinksSearch => ({
  ...readList(raw),
  ...(isId(raw.link) && { link: raw.link }),
})

import { isId, listSearch, textOf, type ListSearch, type Raw } from '#web/client/search.ts'

/**
 * The URL parameters of the list. Every page loads this file, and would load the names of platforms and
 * channels with it: unknown ones are left out where they are used (list-query.ts).
 */
export interface LinksSearch extends ListSearch {
  advertiser?: number
  platform?: string
  ga4_channel?: string
  /** Those that use it. */
  site?: number
  publisher?: number
  image?: number
  file?: number
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
  ...(isId(raw.advertiser) && { advertiser: raw.advertiser }),
  ...(textOf(raw.platform) !== '' && { platform: textOf(raw.platform) }),
  ...(textOf(raw.ga4_channel) !== '' && { ga4_channel: textOf(raw.ga4_channel) }),
  ...(isId(raw.site) && { site: raw.site }),
  ...(isId(raw.publisher) && { publisher: raw.publisher }),
  ...(isId(raw.image) && { image: raw.image }),
  ...(isId(raw.file) && { file: raw.file }),
  ...(isId(raw.link) && { link: raw.link }),
})

import { sitePlatforms, type SitePlatform } from '#shared/materials/sites.ts'
import { isId, listSearch, type ListSearch, type Raw } from '#web/client/search.ts'

/** The URL parameters of the list. */
export interface SitesSearch extends ListSearch {
  advertiser?: number
  platform?: SitePlatform
  is_active?: boolean
  /** The one that is open beside the list. */
  site?: number
}

const readList = listSearch(['name', 'url', 'advertiser', 'platform', 'last_modified_at'])

export function sitesSearch(raw: Raw): SitesSearch {
  const platform = sitePlatforms.find(name => name === raw.platform)
  return {
    ...readList(raw),
    ...(isId(raw.advertiser) && { advertiser: raw.advertiser }),
    ...(platform && { platform }),
    ...(typeof raw.is_active === 'boolean' && { is_active: raw.is_active }),
    ...(isId(raw.site) && { site: raw.site }),
  }
}

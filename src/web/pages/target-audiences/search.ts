import { isId, listSearch, type ListSearch, type Raw } from '#web/client/search.ts'

/** The URL parameters of the list. */
export interface TargetAudiencesSearch extends ListSearch {
  advertiser?: number
  /** The one that is open beside the list. */
  target_audience?: number
}

const readList = listSearch(['name', 'advertiser', 'age_min', 'last_modified_at'])

export const targetAudiencesSearch = (raw: Raw): TargetAudiencesSearch => ({
  ...readList(raw),
  ...(isId(raw.advertiser) && { advertiser: raw.advertiser }),
  ...(isId(raw.target_audience) && { target_audience: raw.target_audience }),
})

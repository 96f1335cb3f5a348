import { isId, listSearch, type ListSearch, type Raw } from '#web/client/search.ts'

/** The URL parameters of the list. */
export interface ImagesSearch extends ListSearch {
  /** The one that is open beside the list. */
  image?: number
}

const readList = listSearch(['name', 'advertiser', 'size', 'width', 'last_modified_at'])

export const imagesSearch = (raw: Raw): ImagesSearch => ({
  ...readList(raw),
  ...(isId(raw.image) && { image: raw.image }),
})

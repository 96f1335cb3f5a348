import { isId, listSearch, type ListSearch, type Raw } from '#web/client/search.ts'

/** The URL parameters of the list. */
export interface PublishersSearch extends ListSearch {
  /** The one that is open beside the list. */
  publisher?: number
}

const readList = listSearch(['name', 'type', 'channel', 'last_modified_at'])

export const publishersSearch = (raw: Raw): PublishersSearch => ({
  ...readList(raw),
  ...(isId(raw.publisher) && { publisher: raw.publisher }),
})

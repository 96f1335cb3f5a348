import { isId, listSearch, type ListSearch, type Raw } from '#web/client/search.ts'

/** The URL parameters of the list. */
export interface FilesSearch extends ListSearch {
  /** The one that is open beside the list. */
  file?: number
}

const readList = listSearch(['name', 'advertiser', 'size', 'mime', 'last_modified_at'])

export const filesSearch = (raw: Raw): FilesSearch => ({
  ...readList(raw),
  ...(isId(raw.file) && { file: raw.file }),
})

import { isId, type Raw } from '#web/client/search.ts'
import { materialSearch, type MaterialSearch } from '#web/pages/materials/search.ts'

/** The URL parameters of the list. */
export interface FilesSearch extends MaterialSearch {
  /** The one that is open beside the list. */
  file?: number
}

const readList = materialSearch(['id', 'name', 'advertiser', 'size', 'mime', 'last_modified_at'])

export const filesSearch = (raw: Raw): FilesSearch => ({
  ...readList(raw),
  ...(isId(raw.file) && { file: raw.file }),
})

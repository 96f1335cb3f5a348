import { isId, listSearch, textOf, type ListSearch, type Raw } from '#web/client/search.ts'

/** What both lists are filtered by. */
export interface MaterialSearch extends ListSearch {
  advertiser?: number
  /** Only what is the agency's own. */
  is_agency?: true
  tag?: string
  /** Whether a link has it. */
  is_used?: boolean
}

export const materialSearch = (orderings: readonly string[]) => {
  const readList = listSearch(orderings)
  return (raw: Raw): MaterialSearch => ({
    ...readList(raw),
    ...(raw.is_agency === true
      ? { is_agency: true }
      : isId(raw.advertiser) && { advertiser: raw.advertiser }),
    ...(textOf(raw.tag) !== '' && { tag: textOf(raw.tag).slice(0, LONGEST_TAG) }),
    ...(typeof raw.is_used === 'boolean' && { is_used: raw.is_used }),
  })
}

const LONGEST_TAG = 40

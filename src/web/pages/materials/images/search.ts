import { isId, textOf, type Raw } from '#web/client/search.ts'
import { materialSearch, type MaterialSearch } from '#web/pages/materials/search.ts'

export const layouts = ['grid', 'table'] as const
export type Layout = (typeof layouts)[number]

/**
 * The URL parameters of the list. Every page loads this file, and would load the formats with it: an unknown
 * one is left out where it is used (data.ts).
 */
export interface ImagesSearch extends MaterialSearch {
  /** What it must meet. */
  format?: string
  /** Left out: the one that was chosen last in this browser. */
  layout?: Layout
  /** The one that is open beside the list. */
  image?: number
}

const readList = materialSearch(['id', 'name', 'advertiser', 'size', 'width', 'last_modified_at'])

export function imagesSearch(raw: Raw): ImagesSearch {
  const layout = layouts.find(known => known === raw.layout)
  return {
    ...readList(raw),
    ...(textOf(raw.format) !== '' && { format: textOf(raw.format) }),
    ...(layout && { layout }),
    ...(isId(raw.image) && { image: raw.image }),
  }
}

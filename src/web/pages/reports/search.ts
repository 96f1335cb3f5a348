import { isId, isNatural, textOf, type Raw } from '#web/app/search.ts'

// What stands in the addresses of the report pages. A value that makes no sense counts as left out.

/** The list: the folder (0 is the root), and the state of the table. */
export const reportListSearch = (raw: Raw) => ({
  p: isNatural(raw.p) ? raw.p : 0,
  search: textOf(raw.search),
  page: isId(raw.page) ? raw.page : 1,
})

/** The editor: without an id a new report, in the folder `folder`. */
export const reportEditorSearch = ({ id, folder }: Raw): { id?: number; folder?: number } => ({
  ...(isId(id) && { id }),
  ...(isId(folder) && { folder }),
})

/** A page about one report. */
export const reportSearch = ({ id }: Raw): { id?: number } => (isId(id) ? { id } : {})

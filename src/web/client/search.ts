/**
 * What an address carries behind its `?`, before it is checked. Small functions read it, since zod would
 * weigh more than the page.
 */
export type Raw = Record<string, unknown>

export const isNatural = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0
export const isId = (value: unknown): value is number => isNatural(value) && value > 0
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

/** A change of URL parameters. A value of undefined removes the field. */
export type Change<Search> = { [Field in keyof Search]?: Search[Field] | undefined }

/** The URL parameters of a list; an invalid value counts as left out. */
export interface ListSearch {
  search: string
  page: number
  /** A field, `-` first for descending. */
  ordering?: string
}

export const listSearch =
  (orderings: readonly string[]) =>
  (raw: Raw): ListSearch => {
    const ordering = textOf(raw.ordering)
    return {
      search: textOf(raw.search),
      page: isId(raw.page) ? raw.page : 1,
      ...(orderings.includes(ordering.replace(/^-/, '')) && { ordering }),
    }
  }

/**
 * Reads the URL parameters by `read` and by nothing else. The router merges what a route has read into the
 * raw parameters, so a value that `read` leaves out would still come through as it is; here each of them is
 * removed first.
 */
export function only<Search extends object>(read: (raw: Raw) => Search): (raw: Raw) => Search {
  return raw => ({ ...Object.fromEntries(Object.keys(raw).map(name => [name, undefined])), ...read(raw) })
}

/** What an address carries behind its `?`, before it is checked. Small functions read it, since zod would weigh more than the page. */
export type Raw = Record<string, unknown>

export const isNatural = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0
export const isId = (value: unknown): value is number => isNatural(value) && value > 0
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

/**
 * Reads an address by `read` and by nothing else. The router lays what a route has read over what the address says, so a value that `read`
 * leaves out would still come through as it is; here each of them is wiped out first.
 */
export function only<Search extends object>(read: (raw: Raw) => Search): (raw: Raw) => Search {
  return raw => ({ ...Object.fromEntries(Object.keys(raw).map(name => [name, undefined])), ...read(raw) })
}

/** What an address carries behind its `?`, before it is checked. Small functions read it, since zod would weigh more than the page. */
export type Raw = Record<string, unknown>

export const isNatural = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0
export const isId = (value: unknown): value is number => isNatural(value) && value > 0
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

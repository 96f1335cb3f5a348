import type { ErrorCode } from './errors.ts'

/**
 * What the codes say in one language: to everybody, and to the agency's own people, for whom the text says
 * more.
 */
export interface ErrorTexts {
  external: Record<ErrorCode, string>
  internal: Partial<Record<ErrorCode, string>>
}

/** What a code says to this reader. */
export const errorText = (texts: ErrorTexts, code: ErrorCode, audience: 'internal' | 'external'): string =>
  (audience === 'internal' ? texts.internal[code] : undefined) ?? texts.external[code]

import type { ErrorCode } from './errors.ts'

/** The texts of the codes in one language: for everybody, and for internal people, where it says more. */
export interface ErrorTexts {
  external: Record<ErrorCode, string>
  internal: Partial<Record<ErrorCode, string>>
}

/** What a code says to this reader. */
export const errorText = (texts: ErrorTexts, code: ErrorCode, audience: 'internal' | 'external'): string =>
  (audience === 'internal' ? texts.internal[code] : undefined) ?? texts.external[code]

import type { ErrorCode } from '#shared/errors.ts'
import { isPlain } from '#shared/plain-text.ts'
import { partsOf } from './placeholders.ts'
import type { LinkPlatform } from './platforms.ts'

/** Why a value may not be in a link. */
export function whyNotValue(
  value: string,
  { platform, most }: { platform: LinkPlatform | null; most: number },
): ErrorCode | null {
  const problem = whyNotName(value, most)
  if (problem) return problem
  if (partsOf(value, platform).some(({ kind }) => kind === 'unknown')) return 'placeholder_unknown'
  return hasPersonalData(value) ? 'personal_data' : null
}

/** As the API reads names, so that a page says the same before. */
export function whyNotName(text: string, most: number): ErrorCode | null {
  if (text.length > most) return 'field_too_long'
  return isPlain(text) ? null : 'field_characters'
}

/**
 * Whether a text has an e-mail address, or a phone number with its country: analytics must not receive
 * either. Full-width characters and encoded ones say the same.
 */
const hasPersonalData = (text: string): boolean =>
  [text, decoded(text)].some(form => {
    const plain = form.normalize('NFKC')
    return EMAIL.test(plain) || (plain.match(PHONES) ?? []).some(isPhone)
  })

const EMAIL = /[^\s@]@[^\s@]+\.\p{L}{2}/u
/** Something that is added to a word, as in `shoes+20261101`, is no number that one can call. */
const PHONES = /(?<![\p{L}\p{N}])\+[1-9][\d\s().-]*\d/gu

/** E.164 has at most 15 digits; no country's numbers have less than seven with its code. */
function isPhone(text: string): boolean {
  const { length } = text.replaceAll(/\D/g, '')
  return length >= 8 && length <= 15
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

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
    return EMAIL.test(plain) || PHONE.test(plain)
  })

const EMAIL = /[^\s@]@[^\s@]+\.\p{L}{2}/u
const BETWEEN = String.raw`[\p{Pd}\p{Zs}\p{Cf}().\-_/·]*`
const digits = (least: number) => String.raw`\+${BETWEEN}[1-9](?:${BETWEEN}\d){${least - 1}}`
/** Not added to a word or a placeholder, as in `shoes+20261101` or `shoes + 20261101`. */
const NOT_ADDED = String.raw`(?<![\p{L}\p{N}}_%])(?!(?<=\p{Zs})\+\p{Zs})`
/**
 * No country's numbers have less than eight digits with its code, and no date has more. What follows them may
 * be anything, such as a date. Behind a digit it is an offer: 1+1 20261101-20261130.
 */
const PHONE = new RegExp(String.raw`${NOT_ADDED}${digits(8)}|(?<!\p{N})${digits(10)}`, 'u')

/** Escape by escape: those that mean nothing stay as they are. */
const decoded = (text: string): string =>
  text.replaceAll(/%[0-7][\da-f]|(?:%[89a-f][\da-f])+/gi, escaped => {
    try {
      return decodeURIComponent(escaped)
    } catch {
      return escaped
    }
  })

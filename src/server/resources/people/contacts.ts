import { z } from 'zod'
import type { Contact } from '#shared/api/people.ts'
import type { ErrorCode } from '#shared/errors.ts'

/**
 * Contacts as they are stored, and which of them do not fit their type. One that the person has already is
 * kept as it is: older ones were stored without these rules.
 */
export function settleContacts(entered: readonly Contact[], stored: readonly Contact[]) {
  const isStored = ({ type, value }: Contact) =>
    stored.some(known => known.type === type && known.value === value)
  const values = entered.map(contact => (isStored(contact) ? contact.value : settle(contact)))
  const fields = values.flatMap((value, index): [string, ErrorCode[]][] =>
    value === null ? [[`contacts.${index}.value`, ['contact_invalid']]] : [],
  )
  return {
    contacts: entered.map((contact, index) => ({ ...contact, value: values[index] ?? contact.value })),
    fields: Object.fromEntries(fields),
  }
}

/** The value as it is stored; null when it is none of its type. */
function settle({ type, value }: Contact): string | null {
  if (type === MOBILE) return asE164(value)
  const pattern = patterns[type]
  return pattern && !pattern.test(value) ? null : value
}

const MOBILE = 1
const patterns: Record<number, RegExp> = {
  2: z.regexes.email,
  // The number of a profile, or the name in its address.
  3: /^[a-zA-Z0-9.]+$/,
  4: /^[a-z0-9._-]{1,20}$/,
}

/**
 * A mobile number as it is typed, as E.164 (+886912345678); null when it is none. Without a country it is one
 * of Taiwan: 09 and eight digits. A spreadsheet drops the zero of those.
 */
export function asE164(typed: string): string | null {
  const dialled = typed
    .normalize('NFKC')
    .replaceAll(/[\s().‐-―-]/g, '')
    .replace(/^00/, '+')
  const [, local] = /^(?:0|\+?8860?)?(9\d{8})$/.exec(dialled) ?? []
  if (local !== undefined) return `+886${local}`
  // Of Japan: 70, 80 or 90, which people write with the zero that is dialled within the country.
  const [, japanese] = /^\+810?([789]0\d{8})$/.exec(dialled) ?? []
  if (japanese !== undefined) return `+81${japanese}`
  return /^\+(?!886|81)[1-9]\d{7,14}$/.test(dialled) ? dialled : null
}

import { hash } from 'node:crypto'

// The people whom audience lists are matched with: a hundred thousand, each with an e-mail and a phone. Which
// of them a platform knows depends on their number alone.

export const MAIL_PEOPLE = 100_000

export type MatchingPlatform = 'meta' | 'google' | 'tiktok' | 'line'
/** How many of ten people a platform knows: those whose number ends below it. */
const KNOWN_OF_TEN: Record<MatchingPlatform, number> = { meta: 7, google: 6, tiktok: 5, line: 8 }

/** The forms of an identifier that are sent to platforms, hashed. */
export type IdentifierForm = 'email' | 'phone' | 'phone_e164'

const sha256 = (text: string) => hash('sha256', text)

const textOf = {
  email: (person: number) => `person.${person}@mail.demo`,
  phone: (person: number) => `88691${String(person).padStart(7, '0')}`,
  phone_e164: (person: number) => `+88691${String(person).padStart(7, '0')}`,
} as const satisfies Record<IdentifierForm, (person: number) => string>

/** What a person's identifier is hashed to, lower-case hex. */
export const hashedIdentifier = (person: number, form: IdentifierForm): string => sha256(textOf[form](person))

/** Finds people by hashed identifiers; each form is hashed when it is first looked for. */
export function createPeopleIndex(): {
  /** The number of the person whom the platform knows by it; null: nobody whom it knows. */
  find(platform: MatchingPlatform, form: IdentifierForm, hashed: string): number | null
} {
  return {
    find(platform, form, hashed) {
      const person = personOf(form, hashed)
      return person !== null && person % 10 < KNOWN_OF_TEN[platform] ? person : null
    },
  }
}

/**
 * By form, one for all platforms: a hash table of 1 MB. A map from the hashes has 12 MB, for each platform.
 */
const tables = new Map<IdentifierForm, Uint32Array>()
const SLOTS = 2 ** 18
/** Above them an entry has further digits of the hash, and it is 0 where there is nobody. */
const PERSON_BITS = 17

function personOf(form: IdentifierForm, hashed: string): number | null {
  const table = tableOf(form)
  for (let slot = slotOf(hashed); ; slot = (slot + 1) % SLOTS) {
    const entry = table[slot] ?? 0
    if (entry === 0) return null
    if (entry >>> PERSON_BITS !== tagOf(hashed)) continue
    const person = (entry % 2 ** PERSON_BITS) - 1
    if (hashedIdentifier(person, form) === hashed) return person
  }
}

function tableOf(form: IdentifierForm): Uint32Array {
  const known = tables.get(form)
  if (known) return known
  const table = new Uint32Array(SLOTS)
  for (let person = 0; person < MAIL_PEOPLE; person += 1) {
    const hashed = hashedIdentifier(person, form)
    let slot = slotOf(hashed)
    while (table[slot] !== 0) slot = (slot + 1) % SLOTS
    table[slot] = tagOf(hashed) * 2 ** PERSON_BITS + person + 1
  }
  tables.set(form, table)
  return table
}

const slotOf = (hashed: string) => Number.parseInt(hashed.slice(0, 5), 16) % SLOTS
const tagOf = (hashed: string) => Number.parseInt(hashed.slice(5, 9), 16) >>> 1

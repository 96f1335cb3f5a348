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
  const forms = new Map<IdentifierForm, Map<string, number>>()
  const indexOf = (form: IdentifierForm) => {
    const known = forms.get(form)
    if (known) return known
    const made = new Map<string, number>()
    for (let person = 0; person < MAIL_PEOPLE; person += 1) made.set(hashedIdentifier(person, form), person)
    forms.set(form, made)
    return made
  }
  return {
    find(platform, form, hashed) {
      const person = indexOf(form).get(hashed)
      return person !== undefined && person % 10 < KNOWN_OF_TEN[platform] ? person : null
    },
  }
}

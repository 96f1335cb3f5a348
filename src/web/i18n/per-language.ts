import type { Language } from '#shared/language.ts'

/**
 * What is made once for each language and then used again, such as the formats of Intl: making one takes up
 * to a millisecond on a slow machine.
 */
export function perLanguage<Made>(make: (language: Language) => Made): (language: Language) => Made {
  const made = new Map<Language, Made>()
  return language => {
    const known = made.get(language) ?? make(language)
    made.set(language, known)
    return known
  }
}

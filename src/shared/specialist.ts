import type { Language } from './language.ts'

/** A member of the agency who serves a client. */
export interface Specialist {
  name: string
  email: string | null
}

/** What texts to clients call them. */
const words = { en: /your service specialist/i, 'zh-TW': /您的服務專員/ } as const

/** Says in a text who that is; as long as nobody is known it stays as it is. */
export function nameSpecialists(
  text: string,
  specialists: readonly Specialist[],
  language: Language,
): string {
  if (specialists.length === 0 || !words[language].test(text)) return text
  const names = specialists.map(({ name, email }) =>
    email === null ? name : language === 'en' ? `${name} (${email})` : `${name}（${email}）`,
  )
  const list = new Intl.ListFormat(language, { type: 'disjunction' }).format(names)
  return text.replace(words[language], title => (language === 'en' ? `${title} ${list}` : title + list))
}

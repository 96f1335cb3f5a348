import { languages, type Language } from '#shared/language.ts'
import type { en } from './en.ts'
import type { Texts } from './translate.ts'

/** Where the last language is kept for the pages before signing in; afterwards the profile says it. */
const KEPT_AS = 'sheetcast.language'

/** The language of the interface and its texts by page. */
export interface Spoken {
  language: Language
  texts: Readonly<Record<keyof typeof en, Texts>>
}

let spoken: Spoken | null = null
const listeners = new Set<() => void>()

/** For `useTranslation`; `startI18n` has run before anything is drawn. */
export function nowSpoken(): Spoken {
  if (spoken === null) throw new Error('startI18n has not run')
  return spoken
}

export function whenSwitched(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Loads the language that was last used here; English the first time. */
export const startI18n = () => switchLanguage(keptLanguage())

/** Switches the whole interface; loads the texts of the language the first time. */
export async function switchLanguage(language: Language) {
  if (spoken?.language === language) return
  spoken = { language, texts: await load[language]() }
  document.documentElement.lang = language === 'zh-TW' ? 'zh-Hant-TW' : language
  localStorage.setItem(KEPT_AS, language)
  for (const listener of listeners) listener()
}

const load: Record<Language, () => Promise<Spoken['texts']>> = {
  en: async () => (await import('./en.ts')).en,
  'zh-TW': async () => (await import('./zh-TW.ts')).zhTW,
}

function keptLanguage(): Language {
  const kept = localStorage.getItem(KEPT_AS)
  return languages.find(language => language === kept) ?? languages[0]
}

import type { ErrorTexts } from '#shared/error-texts.ts'
import { languages, type Language } from '#shared/language.ts'
import type { en } from './en.ts'
import type { Texts } from './translate.ts'

type Page = keyof typeof en
/** By page; those of the pages that nobody has opened yet are missing. */
type Known = Readonly<Partial<Record<Page, Texts>>>

/** Where the last language is kept for the pages before signing in; afterwards the profile says it. */
const KEPT_AS = 'sheetcast.language'

/** The language of the interface and its texts by page. */
export interface Spoken {
  language: Language
  texts: Known
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

/** Switches the whole interface, once the texts that are in use are there. */
export async function switchLanguage(language: Language) {
  if (spoken?.language === language) return
  const texts = await (isAllWanted ? all : first)[language]()
  if (areErrorsWanted) await learnErrors(language)
  speak({ language, texts })
  document.documentElement.lang = language === 'zh-TW' ? 'zh-Hant-TW' : language
  localStorage.setItem(KEPT_AS, language)
}

let isAllWanted = false

/** Loads the texts of every page: what the pages beyond the first ones need before they are drawn. */
export async function loadAllTexts() {
  if (isAllWanted) return
  const { language } = nowSpoken()
  const [texts] = await Promise.all([all[language](), loadErrorTexts()])
  isAllWanted = true
  // Somebody may have switched meanwhile.
  if (nowSpoken().language === language) speak({ language, texts })
  else speak({ ...nowSpoken(), texts: await all[nowSpoken().language]() })
}

let areErrorsWanted = false
const errorTexts: Partial<Record<Language, ErrorTexts>> = {}

/** Loads what the server's codes say: apart, since on the first pages hardly ever one is shown. */
export async function loadErrorTexts() {
  areErrorsWanted = true
  await learnErrors(nowSpoken().language)
}

/** What they say in a language that is or was spoken; undefined before `loadErrorTexts`. */
export const errorTextsIn = (language: Language): ErrorTexts | undefined => errorTexts[language]

async function learnErrors(language: Language) {
  errorTexts[language] ??= await errors[language]()
}

function speak(next: Spoken) {
  spoken = next
  for (const listener of listeners) listener()
}

/** Of the pages that are loaded first; all the others come in a second file. */
const first: Record<Language, () => Promise<Known>> = {
  en: async () => (await import('./en-first.ts')).enFirst,
  'zh-TW': async () => (await import('./zh-TW-first.ts')).zhTWFirst,
}
const all: Record<Language, () => Promise<Known>> = {
  en: async () => (await import('./en.ts')).en,
  'zh-TW': async () => (await import('./zh-TW.ts')).zhTW,
}
const errors: Record<Language, () => Promise<ErrorTexts>> = {
  en: async () => (await import('#shared/errors-en.ts')).errorsEn,
  'zh-TW': async () => (await import('#shared/errors-zh-TW.ts')).errorsZhTW,
}

function keptLanguage(): Language {
  const kept = localStorage.getItem(KEPT_AS)
  return languages.find(language => language === kept) ?? languages[0]
}

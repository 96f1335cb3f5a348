import { readCookie } from '#shared/cookies.ts'
import type { ErrorTexts } from '#shared/error-texts.ts'
import { languages, type Language } from '#shared/language.ts'
import { LANGUAGE_COOKIE } from '#shared/session-cookies.ts'
import type { Specialist } from '#shared/specialist.ts'
import { perVisit } from '#web/visit/per-visit.ts'
import type { enBusiness } from './en-business.ts'
import type { en } from './en.ts'
import type { Texts } from './translate.ts'

type Page = keyof typeof en | keyof typeof enBusiness | 'editing'
/** By page; those of the pages that nobody has opened yet are missing. */
type Known = Readonly<Partial<Record<Page, Texts>>>

/** The language of the interface and its texts by page. */
export interface Spoken {
  language: Language
  texts: Known
  /** Whom texts to a client name; empty before it is known who reads. */
  specialists: readonly Specialist[]
}

interface State {
  spoken: Spoken | null
  listeners: Set<() => void>
  starting: Promise<void> | null
  requested: Set<Pack>
  areErrorsRequested: boolean
}

const ofVisit = perVisit((): State => ({
  spoken: null,
  listeners: new Set(),
  starting: null,
  requested: new Set(['first']),
  areErrorsRequested: false,
}))

/** For `useTranslation`; `startI18n` has run before anything is drawn. */
export function nowSpoken(): Spoken {
  const { spoken } = ofVisit()
  if (spoken === null) throw new Error('startI18n has not run')
  return spoken
}

export function whenSwitched(listener: () => void) {
  const { listeners } = ofVisit()
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Loads the language that was last used here; English the first time. Further calls wait for the same load.
 */
export const startI18n = () => (ofVisit().starting ??= switchLanguage(storedLanguage()))

/** Switches the whole interface, once the texts that are in use are there. */
export async function switchLanguage(language: Language) {
  const state = ofVisit()
  if (state.spoken?.language === language) return
  let texts: Known
  let loaded: string
  // The texts of other pages may be requested while the first ones load.
  do {
    loaded = String([...state.requested])
    ;[texts] = await Promise.all([load(language), state.areErrorsRequested && learnErrors(language)])
  } while (loaded !== String([...state.requested]))
  speak({ language, texts })
  document.documentElement.lang = language === 'zh-TW' ? 'zh-Hant-TW' : language
  document.cookie = `${LANGUAGE_COOKIE}=${language}; path=/; max-age=${COOKIE_MAX_AGE_S}; samesite=strict`
}

/** The files that the texts of a language come in. */
type Pack = 'first' | 'later' | 'inner' | 'business' | 'editor'

/** Everything that is in use. The inner pages bring the texts of the first ones along. */
async function load(language: Language): Promise<Known> {
  const { requested } = ofVisit()
  const needed = [...requested].filter(
    pack => !requested.has('inner') || (pack !== 'first' && pack !== 'later'),
  )
  return Object.assign({}, ...(await Promise.all(needed.map(pack => packs[pack][language]()))))
}

/** Loads what the overview shows after its first part. */
export const loadOverviewTexts = async () => {
  if (!ofVisit().requested.has('inner')) await request('later')
}

/** Loads the texts that the pages beyond the first ones need before they are drawn. */
export const loadInnerTexts = async () => {
  await Promise.all([request('inner'), loadErrorTexts()])
}

/** Loads the texts of customers, insertion orders and spending. */
export const loadBusinessTexts = () => request('business')

/** Loads what the editor and the versions of a report say beside the other pages. */
export const loadEditorTexts = () => request('editor')

/** Everything, for the server: what a page requests when its code is loaded, others there have loaded. */
export const loadAllTexts = async () => {
  await Promise.all([loadInnerTexts(), loadBusinessTexts(), loadEditorTexts()])
}

async function request(pack: Pack) {
  const state = ofVisit()
  if (state.requested.has(pack)) return
  // A page may need its texts before the first ones have loaded.
  if (state.spoken === null) await startI18n()
  const { language } = nowSpoken()
  const texts = await packs[pack][language]()
  state.requested.add(pack)
  // Somebody may have switched meanwhile.
  if (nowSpoken().language === language) speak({ texts: { ...nowSpoken().texts, ...texts } })
  else speak({ texts: await load(nowSpoken().language) })
}

/** The same for everybody. */
const errorTexts: Partial<Record<Language, ErrorTexts>> = {}

/**
 * Loads the texts of the server's codes: separately, since signing in hardly ever shows one. May be called
 * before `startI18n` has run.
 */
export async function loadErrorTexts() {
  const state = ofVisit()
  state.areErrorsRequested = true
  await learnErrors(state.spoken?.language ?? storedLanguage())
}

/** What they say in a language that is or was spoken; undefined before `loadErrorTexts`. */
export const errorTextsIn = (language: Language): ErrorTexts | undefined => errorTexts[language]

async function learnErrors(language: Language) {
  errorTexts[language] ??= await errors[language]()
}

/** From here on, texts to this reader name those who serve them. */
export const speakOf = (specialists: readonly Specialist[]) => speak({ specialists })

function speak(next: Partial<Spoken>) {
  const state = ofVisit()
  const { language = languages[0], texts = {}, specialists = [] } = { ...state.spoken, ...next }
  state.spoken = { language, texts, specialists }
  for (const listener of state.listeners) listener()
}

const packs: Record<Pack, Record<Language, () => Promise<Known>>> = {
  first: {
    en: async () => (await import('./en-first.ts')).enFirst,
    'zh-TW': async () => (await import('./zh-TW-first.ts')).zhTWFirst,
  },
  later: {
    en: async () => {
      const { overview_later } = await import('./en/overview-later.ts')
      return { overview_later }
    },
    'zh-TW': async () => {
      const { overview_later } = await import('./zh-TW/overview-later.ts')
      return { overview_later }
    },
  },
  inner: {
    en: async () => (await import('./en.ts')).en,
    'zh-TW': async () => (await import('./zh-TW.ts')).zhTW,
  },
  business: {
    en: async () => (await import('./en-business.ts')).enBusiness,
    'zh-TW': async () => (await import('./zh-TW-business.ts')).zhTWBusiness,
  },
  editor: {
    en: async () => {
      const { editing } = await import('./en/editing.ts')
      return { editing }
    },
    'zh-TW': async () => {
      const { editing } = await import('./zh-TW/editing.ts')
      return { editing }
    },
  },
}
const errors: Record<Language, () => Promise<ErrorTexts>> = {
  en: async () => (await import('#shared/errors-en.ts')).errorsEn,
  'zh-TW': async () => (await import('#shared/errors-zh-TW.ts')).errorsZhTW,
}

const COOKIE_MAX_AGE_S = 365 * 24 * 60 * 60

/** For the pages before signing in, and while the user is unknown; afterwards the profile decides. */
function storedLanguage(): Language {
  const stored = readCookie(document.cookie, LANGUAGE_COOKIE)
  return languages.find(language => language === stored) ?? languages[0]
}

/** The interface's languages; the first is the default. */
export const languages = ['en', 'zh-TW'] as const
export type Language = (typeof languages)[number]

/** One text in every language. */
export type Text = Record<Language, string>

/** Several names in a sentence or a line: A, B, C. */
export const listText = (names: readonly string[], language: Language) =>
  names.join(language === 'en' ? ', ' : '、')

/** Each language in its own words. */
export const languageNames: Record<Language, string> = { en: 'English', 'zh-TW': '繁體中文' }

/** The interface's languages; the first is the default. */
export const languages = ['en', 'zh-TW'] as const
export type Language = (typeof languages)[number]

/** One text in every language. */
export type Text = Record<Language, string>

/** Each language in its own words. */
export const languageNames: Record<Language, string> = { en: 'English', 'zh-TW': '繁體中文' }

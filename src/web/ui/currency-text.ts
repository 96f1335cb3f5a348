import type { Language } from '#shared/language.ts'

/** "TWD New Taiwan Dollar" */
export function currencyText(code: string, language: Language) {
  const name = new Intl.DisplayNames(language, { type: 'currency' }).of(code)
  return name === undefined || name === code ? code : `${code} ${name}`
}

import type { Language } from '#shared/language.ts'
import { perLanguage } from '#web/i18n/per-language.ts'

/** What people speak where campaigns go, by BCP 47; the commonest first. */
export const languageTags =
  `zh-Hant zh-Hans yue en ja ko vi th id ms fil my km hi bn ta ur ne si fr de es es-419 pt pt-BR it nl sv nb da
  fi pl cs sk hu ro bg el tr ru uk he ar fa`.split(/\s+/)

const names = perLanguage(language => new Intl.DisplayNames(language, { type: 'language' }))

export const languageName = (tag: string, language: Language): string => names(language).of(tag) ?? tag

import { perLanguage } from '#web/i18n/per-language.ts'

/** How names of folders are ordered: as people of the language do it, "Week 2" before "Week 10". */
export const folderOrder = perLanguage(language => new Intl.Collator(language, { numeric: true }).compare)

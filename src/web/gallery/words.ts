import { useLanguage } from '#web/i18n/use-translation.ts'

/** Words of the gallery's own: `say('Name', '名稱')`. */
export function useWords() {
  const language = useLanguage()
  return (en: string, zh: string) => (language === 'zh-TW' ? zh : en)
}

export const nothing = () => {}

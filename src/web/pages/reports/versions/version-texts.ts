import type { ReportVersion } from '#shared/api/report-versions.ts'
import { listText } from '#shared/language.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { instantText } from '#web/ui/times.ts'

/** What a version is called, and what it has changed, in words. */
export function useVersionTexts() {
  const { t, language } = useTranslation('versions')
  return {
    changeText({ changed, restores, version }: ReportVersion): string {
      if (changed.length === 0) return t(version === 1 ? 'created' : 'earliest')
      const parts = listText(
        changed.map(part => t(`part.${part}`)),
        language,
      )
      return restores === null ? capitalized(parts) : t('restored', { version: restores, parts })
    },
    nameOf: ({ version, saved_at, is_current }: ReportVersion): string =>
      t(is_current ? 'name_current' : 'name_at', { version, when: instantText(saved_at, language) }),
  }
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

import type { ReportVersion } from '#shared/api/report-versions.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { instantText } from '#web/ui/times.ts'

/** What a version is called, and what it has changed, in words. */
export function useVersionTexts() {
  const { t, language } = useTranslation('versions')
  const listed = new Intl.ListFormat(language, { type: 'unit', style: 'short' })
  return {
    changeText({ changed, restores, version }: ReportVersion): string {
      if (changed.length === 0) return t(version === 1 ? 'created' : 'earliest')
      const parts = listed.format(changed.map(part => t(`part.${part}`)))
      return restores === null ? parts : t('restored', { version: restores, parts })
    },
    nameOf: ({ version, saved_at, is_current }: ReportVersion): string =>
      t(is_current ? 'name_current' : 'name_at', { version, when: instantText(saved_at, language) }),
  }
}

import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { PageHeader } from '#web/ui/page-header.tsx'

export function Publishers() {
  const { t } = useTranslation('publishers')
  usePageTitle(t('title'))
  return <PageHeader title={t('title')} />
}

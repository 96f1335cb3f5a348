import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { PageHeader } from '#web/ui/page-header.tsx'

export function Files() {
  const { t } = useTranslation('files')
  usePageTitle(t('title'))
  return <PageHeader title={t('title')} />
}

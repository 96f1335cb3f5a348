import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { PageHeader } from '#web/ui/page-header.tsx'

export function TargetAudiences() {
  const { t } = useTranslation('target_audiences')
  usePageTitle(t('title'))
  return <PageHeader title={t('title')} />
}

import { IconReportAnalytics } from '@tabler/icons-react'
import { LinkButton } from '#web/client/links.tsx'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

/** A page about one report, opened without naming one. */
export function ReportMissing({ page }: { page: 'run_history' | 'report_versions' | 'permission_settings' }) {
  const { t } = useTranslation('runs')
  const { t: tApp } = useTranslation('app')
  usePageTitle(tApp(`crumb.${page}`))
  return (
    <>
      <PageHeader title={tApp(`crumb.${page}`)} />
      <Card>
        <EmptyState
          icon={IconReportAnalytics}
          title={t('history.no_report')}
          actions={
            <LinkButton to="/gs-template" search={{ p: 0, search: '', page: 1 }}>
              {t('history.to_list')}
            </LinkButton>
          }
        />
      </Card>
    </>
  )
}

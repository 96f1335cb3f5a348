import { IconReportAnalytics } from '@tabler/icons-react'
import { LinkButton } from '#web/app/links.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

/** A page about one report, opened without saying which. */
export function ReportMissing() {
  const { t } = useTranslation('runs')
  return (
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
  )
}

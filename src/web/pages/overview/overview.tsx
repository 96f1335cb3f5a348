import { Skeleton } from '@mantine/core'
import { IconCalendarTime, IconCircleCheck, IconReportAnalytics } from '@tabler/icons-react'
import { LaterProblem } from '#web/app/later-problem.tsx'
import { LinkButton } from '#web/app/links.tsx'
import { useMe } from '#web/app/me.ts'
import { usePageTitle } from '#web/app/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { outlookOf, useMyReports } from './data.ts'
import styles from './overview.module.css'
import { DueLines, FailedLines, RecentLines } from './report-lines.tsx'
import { Tiles } from './tiles.tsx'

/** What happened to my reports, what is to come, and what needs me. */
export function Overview() {
  const { t } = useTranslation('overview')
  const me = useMe()
  usePageTitle(t('title'))
  return (
    <>
      <PageHeader
        title={t('greeting', { name: me.full_name || me.username })}
        actions={
          <LinkButton to="/gs-template" search={{ p: 0, search: '', page: 1 }} variant="default">
            {t('all_reports')}
          </LinkButton>
        }
      />
      <Outlook />
    </>
  )
}

function Outlook() {
  const { t } = useTranslation('overview')
  const reports = useMyReports()
  if (reports.error) return <LaterProblem code={reports.error.code} onRetry={() => void reports.refetch()} />
  if (!reports.data) return <OutlookLoading />
  if (reports.data.count === 0)
    return (
      <Card>
        <EmptyState
          icon={IconReportAnalytics}
          title={t('empty_title')}
          detail={t('empty_detail')}
          actions={<LinkButton to="/gs-template/template">{t('empty_action')}</LinkButton>}
        />
      </Card>
    )
  const outlook = outlookOf(reports.data.results)
  return (
    <div className={styles.page}>
      <Tiles outlook={outlook} />
      <Card title={t('failures_title')} padding="flush">
        {outlook.failed.length === 0 ? (
          <EmptyState icon={IconCircleCheck} title={t('nothing_failed')} />
        ) : (
          <FailedLines reports={outlook.failed} />
        )}
      </Card>
      <Card title={t('next_title')} padding="flush">
        {outlook.due.length === 0 ? (
          <EmptyState icon={IconCalendarTime} title={t('nothing_due')} />
        ) : (
          <DueLines reports={outlook.due} />
        )}
      </Card>
      <div className={styles.wide}>
        <Card title={t('recent_title')} padding="flush">
          <RecentLines reports={reports.data.results} />
        </Card>
      </div>
    </div>
  )
}

function OutlookLoading() {
  return (
    <div className={styles.page} aria-busy>
      <div className={styles.tiles}>
        {['fine', 'failed', 'running', 'due'].map(tile => (
          <Skeleton key={tile} height={86} radius="md" />
        ))}
      </div>
      <Skeleton height={260} radius="md" />
      <Skeleton height={260} radius="md" />
    </div>
  )
}

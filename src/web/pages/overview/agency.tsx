import { IconCalendarTime, IconCircleCheck } from '@tabler/icons-react'
import type { Overview } from '#shared/api/overview.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { EndingStrip } from '#web/pages/reports/bulk-changes/ending-strip.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FailedLines } from './failed-lines.tsx'
import styles from './overview.module.css'
import { DueLines, RecentLines } from './report-lines.tsx'
import { LazySpend } from './lazy-spend.tsx'
import { Tiles } from './tiles.tsx'

/** The overview of the agency's own people: what needs them first. */
export function Agency({ overview }: { overview: Overview }) {
  const { t } = useTranslation('overview')
  const { failures, due, recent, ending } = overview
  return (
    <div className={styles.page}>
      {ending.soon + ending.ended > 0 && (
        <div className={styles.wide}>
          <EndingStrip counts={ending} />
        </div>
      )}
      <Tiles overview={overview} />
      <Card
        title={failures.count > 0 ? t('failures_count', { count: failures.count }) : t('failures_title')}
        padding="flush"
      >
        {failures.count === 0 ? (
          <EmptyState icon={IconCircleCheck} title={t('nothing_failed')} />
        ) : (
          <FailedLines reports={failures.reports} />
        )}
      </Card>
      <Card title={t('next_title')} padding="flush">
        {due.length === 0 ? (
          <EmptyState icon={IconCalendarTime} title={t('nothing_due')} />
        ) : (
          <DueLines reports={due} />
        )}
      </Card>
      <div className={styles.wide}>
        <LazySpend />
      </div>
      <div className={styles.wide}>
        <Card title={t('recent_title')} padding="flush">
          <RecentLines reports={recent.reports} />
        </Card>
      </div>
    </div>
  )
}

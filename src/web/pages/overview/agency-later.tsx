import { IconCalendarTime } from '@tabler/icons-react'
import type { Overview } from '#shared/api/overview.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { EndingStrip } from '#web/pages/reports/bulk-changes/ending-strip.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FirstStepsCard } from './first-steps-card.tsx'
import { LazySpend } from './lazy-spend.tsx'
import { OrdersStrip } from './orders-strip.tsx'
import styles from './overview.module.css'
import { DueLines, RecentLines } from './report-lines.tsx'
import { UnknownZone } from './unknown-zone.tsx'

/** What comes next and what changed last, and what the channels cost. */
export function AgencyLater({ overview }: { overview: Overview }) {
  const { t } = useTranslation('overview_later')
  const { due, recent, ending } = overview
  return (
    <>
      <UnknownZone overview={overview} />
      <FirstStepsCard />
      <OrdersStrip />
      {ending.soon + ending.ended > 0 && (
        <div className={styles.wide}>
          <EndingStrip counts={ending} />
        </div>
      )}
      <Card title={t('next_title')} padding="flush">
        {due.length === 0 ? (
          <EmptyState icon={IconCalendarTime} title={t('nothing_due')} />
        ) : (
          <DueLines reports={due} />
        )}
      </Card>
      <Card title={t('recent_title')} padding="flush">
        <RecentLines reports={recent.reports} />
      </Card>
      <div className={styles.wide}>
        <LazySpend />
      </div>
    </>
  )
}

import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CatchBoundary, useSearch, type ErrorComponentProps } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useIsPageIdle } from '#web/client/page-idle.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { PartError } from '#web/pages/part-error.tsx'
import { Card } from '#web/ui/card.tsx'
import { loadChart } from '#web/ui/chart/lazy-chart.tsx'
import { lazy } from '#web/visit/lazy.ts'
import styles from './overview.module.css'
import { periodDays, periodOf } from './spend-periods.ts'
import { spendQuery } from './spend-query.ts'

/** With the chart that it will draw. */
const SpendCard = lazy(async () => {
  const [{ SpendCard: drawn }] = await Promise.all([import('./spend-card.tsx'), loadChart()])
  return { default: drawn }
})

/** The spend by channel, below the fold: its code loads when it is drawn. */
export function LazySpend() {
  const { t } = useTranslation('ui')
  const period = periodOf(useSearch({ from: '/shell/' }).period)
  const days = periodDays(period, Temporal.Now.plainDateISO().toString())
  const spend = useQuery(spendQuery(days))
  const loading = (
    <output aria-label={t('loading')} className={styles.spendLoading}>
      <Skeleton height="100%" radius="md" />
    </output>
  )
  if (!useIsPageIdle()) return loading
  return (
    <CatchBoundary getResetKey={() => 'spend'} errorComponent={SpendMissing}>
      <Suspense fallback={loading}>
        <SpendCard spend={spend} period={period} days={days} />
      </Suspense>
    </CatchBoundary>
  )
}

function SpendMissing({ error }: ErrorComponentProps) {
  const { t } = useTranslation('overview_later')
  return (
    <Card title={t('spend_title')}>
      <div className={styles.spend}>
        <PartError error={error} />
      </div>
    </Card>
  )
}

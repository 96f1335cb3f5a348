import { CatchBoundary } from '@tanstack/react-router'
import type { Run } from '#shared/api/executions.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { PartError } from '#web/pages/part-error.tsx'
import { Card } from '#web/ui/card.tsx'
import { LazyChart } from '#web/ui/chart/lazy-chart.tsx'
import { useLatestRuns } from './data.ts'
import { pointsOf } from './history-points.ts'
import styles from './history-list.module.css'

/**
 * Rows and duration of the latest runs that wrote a table; nothing while there are too few to draw a line.
 */
export function HistoryCharts({ report }: { report: number }) {
  const { t, language } = useTranslation('history')
  const { data } = useLatestRuns(report)
  const runs = (data?.results ?? []).filter(({ status }) => status === 'completed').toReversed()
  if (runs.length < 2) return null
  const { points, tickOf } = pointsOf(
    runs.map(({ queued_at }) => queued_at),
    language,
  )
  const chart = (key: 'rows' | 'duration', valueOf: (run: Run) => number | null) => (
    <LazyChart
      data={{ kind: 'line', points, series: [{ key, name: t(`chart_${key}`), values: runs.map(valueOf) }] }}
      words={{
        label: t(`chart_${key}`),
        points_label: t('chart_runs'),
        format: value => value.toLocaleString(language),
        pointTick: tickOf,
      }}
      height={170}
      empty={t('chart_empty')}
    />
  )
  return (
    <Card title={t('over_time')}>
      <CatchBoundary getResetKey={() => 'charts'} errorComponent={PartError}>
        <div className={styles.charts}>
          {chart('rows', run => run.rows)}
          {chart('duration', secondsOf)}
        </div>
      </CatchBoundary>
    </Card>
  )
}

function secondsOf({ started_at, finished_at }: Run): number | null {
  if (!started_at || !finished_at) return null
  return Math.round((Date.parse(finished_at) - Date.parse(started_at)) / 100) / 10
}

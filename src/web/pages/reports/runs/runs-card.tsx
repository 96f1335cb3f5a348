import { IconHistory } from '@tabler/icons-react'
import type { Run } from '#shared/api/executions.ts'
import type { Report } from '#shared/api/reports.ts'
import { isErrorCode } from '#shared/errors.ts'
import { useIsInternal } from '#web/app/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { DataTable, type Column } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { problemText } from '#web/ui/problem-text.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { instantText } from '#web/ui/times.ts'
import { HISTORY_PAGE, useRuns } from './data.ts'
import { durationText } from './duration.ts'
import { RunBadge } from './run-badge.tsx'
import { isMoving } from './run-state.ts'
import { RowProgress } from './row-progress.tsx'
import styles from './runs-card.module.css'

interface RunsCardProps {
  report: Report
  page: number
  /** The one whose details are open. */
  run: string | undefined
  onPage: (page: number) => void
  onRun: (run: string) => void
}

/** The runs of a report, newest first. */
export function RunsCard({ report, page, run, onPage, onRun }: RunsCardProps) {
  const { t, language } = useTranslation('runs')
  const internal = useIsInternal()
  const runs = useRuns(report.id, page)
  if (runs.error)
    return (
      <Problem
        code={runs.error.code}
        request_id={runs.error.request_id}
        onRetry={() => void runs.refetch()}
      />
    )
  if (!runs.data)
    return (
      <Card padding="flush">
        <TableLoading rows={HISTORY_PAGE} />
      </Card>
    )
  if (runs.data.count === 0)
    return (
      <Card>
        <EmptyState icon={IconHistory} title={t('history.empty_title')} detail={t('history.empty_detail')} />
      </Card>
    )
  return (
    <Card padding="flush">
      <DataTable
        label={t('history.table')}
        columns={columnsOf({ t, language, internal, open: run, onRun })}
        rows={runs.data.results}
        rowKey={each => each.id}
        rowName={each => instantText(each.queued_at, language)}
        stale={runs.isPlaceholderData}
      />
      <Pager page={page} page_size={HISTORY_PAGE} count={runs.data.count} onPage={onPage} />
    </Card>
  )
}

interface Facts {
  t: ReturnType<typeof useTranslation<'runs'>>['t']
  language: ReturnType<typeof useTranslation<'runs'>>['language']
  internal: boolean
  open: string | undefined
  onRun: (run: string) => void
}

function columnsOf({ t, language, internal, open, onRun }: Facts): Column<Run>[] {
  return [
    {
      key: 'when',
      header: t('history.when'),
      cell: run => (
        <button
          type="button"
          className={styles.when}
          aria-expanded={run.id === open}
          aria-label={t('history.show', { when: instantText(run.queued_at, language) })}
          onClick={() => onRun(run.id)}
        >
          {instantText(run.started_at ?? run.queued_at, language)}
        </button>
      ),
    },
    {
      key: 'trigger',
      header: t('history.trigger'),
      room: 'some',
      cell: run => t(`trigger.${run.trigger}`),
    },
    {
      key: 'status',
      header: t('history.status'),
      cell: run =>
        isMoving(run.status) ? (
          <RowProgress report={run.report} run={run.id} />
        ) : (
          <span className={styles.outcome}>
            <RunBadge status={run.status} partial={run.partial} />
            {run.code !== null && isErrorCode(run.code) && (
              <small>{problemText(run.code, internal ? 'internal' : 'external', language)}</small>
            )}
          </span>
        ),
    },
    {
      key: 'range',
      header: t('history.range'),
      room: 'some',
      cell: run => run.range && `${run.range.start} – ${run.range.end}`,
    },
    {
      key: 'rows',
      header: t('history.rows'),
      align: 'end',
      // A failed run has written none of its rows.
      cell: run => (run.status === 'completed' && run.rows?.toLocaleString(language)) || '–',
    },
    {
      key: 'took',
      header: t('history.took'),
      align: 'end',
      room: 'some',
      cell: run =>
        run.started_at && run.finished_at ? durationText(t, run.started_at, run.finished_at) : '–',
    },
  ]
}

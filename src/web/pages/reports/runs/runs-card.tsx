import { Button } from '@mantine/core'
import { IconFilterOff, IconHistory } from '@tabler/icons-react'
import type { Report } from '#shared/api/reports.ts'
import { useIsInternal } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { instantText } from '#web/ui/times.ts'
import { HISTORY_PAGE, useRuns, type RunsView } from './data.ts'
import { columnsOf } from './runs-columns.tsx'

interface RunsCardProps {
  report: Report
  view: RunsView
  onPage: (page: number) => void
  onRun: (run: string) => void
  /** Given when filters hide some. */
  onClear?: () => void
}

/** The runs of a report, newest first. */
export function RunsCard({ report, view, onPage, onRun, onClear }: RunsCardProps) {
  const { t, language } = useTranslation('runs')
  const { t: tHistory } = useTranslation('history')
  const internal = useIsInternal()
  return (
    <PagedList
      list={useRuns(report.id, view)}
      page={view.page}
      pageSize={HISTORY_PAGE}
      onPage={onPage}
      empty={<NoRuns {...(onClear && { onClear })} />}
    >
      {(runs, stale) => (
        <DataTable
          label={t('history.table')}
          columns={columnsOf({ t, history: tHistory, language, internal, onRun })}
          rows={runs}
          rowKey={run => run.id}
          rowName={run => instantText(run.queued_at, language)}
          stale={stale}
        />
      )}
    </PagedList>
  )
}

function NoRuns({ onClear }: Pick<RunsCardProps, 'onClear'>) {
  const { t } = useTranslation('runs')
  const { t: tHistory } = useTranslation('history')
  if (!onClear)
    return (
      <EmptyState icon={IconHistory} title={t('history.empty_title')} detail={t('history.empty_detail')} />
    )
  return (
    <EmptyState
      icon={IconFilterOff}
      title={tHistory('none_title')}
      detail={tHistory('none_detail')}
      actions={<Button onClick={onClear}>{tHistory('clear')}</Button>}
    />
  )
}

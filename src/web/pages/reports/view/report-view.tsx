import { Button } from '@mantine/core'
import { IconCopy, IconHistory, IconTable } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import type { Run } from '#shared/api/executions.ts'
import type { Report } from '#shared/api/reports.ts'
import { gapText } from '#shared/gap-names.ts'
import { LinkButton, LinkText } from '#web/client/links.tsx'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { OpenSpreadsheet } from '#web/pages/reports/open-spreadsheet.tsx'
import { useLatestRuns } from '#web/pages/reports/runs/data.ts'
import { RowProgress } from '#web/pages/reports/runs/row-progress.tsx'
import { RunButton } from '#web/pages/reports/runs/run-button.tsx'
import { RunTable } from '#web/pages/reports/runs/run-table.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { PageLoading } from '#web/ui/page-loading.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { lazy } from '#web/visit/lazy.ts'
import { ReportSettings } from './report-settings.tsx'
import styles from './report-view.module.css'

/** A report for people who may only view it: its table first, and how it is made below. */
export function ReportView({ report }: { report: Report }) {
  const { t } = useTranslation('reports')
  usePageTitle(report.name, true)
  const runs = useLatestRuns(report.id)
  const latest = runs.data?.results
  const complete = latest?.find(({ status }) => status === 'completed')
  return (
    <div className={styles.page}>
      <ViewHeader report={report} complete={complete} />
      {report.task !== null && <RowProgress report={report.id} run={report.task} />}
      {report.gaps.length > 0 && <NotSetUp report={report} />}
      {report.last_run?.status === 'error' && <LastFailed report={report.id} run={report.last_run.id} />}
      {runs.error && <Problem code={runs.error.code} onRetry={() => void runs.refetch()} />}
      {runs.isPending && <PageLoading />}
      {complete && <RunTable report={report.id} run={complete.id} />}
      {latest && !complete && (
        <EmptyState icon={IconTable} title={t('viewing.no_table')} detail={t('viewing.no_table_detail')} />
      )}
      <ReportSettings report={report} />
    </div>
  )
}

/** By whom it is shared, and how fresh its table is. */
function ViewHeader({ report, complete }: { report: Report; complete: Run | undefined }) {
  const { t } = useTranslation('reports')
  const { t: tRuns } = useTranslation('runs')
  const [copying, setCopying] = useState(false)
  const from = t('shared_by', { name: report.shared_by ?? report.owner_name })
  return (
    <>
      <PageHeader
        title={report.name}
        detail={
          <>
            {from}
            {complete?.finished_at && (
              <>
                {` · ${t('column.last_run')} `}
                <RelativeTime at={complete.finished_at} />
              </>
            )}
            {complete?.range && ` · ${t('viewing.data_until', { day: complete.range.end })}`}
          </>
        }
        actions={
          <>
            <LinkButton
              to="/gs-template/history"
              search={{ id: report.id }}
              variant="default"
              leftSection={<IconHistory size={16} stroke={1.6} />}
            >
              {tRuns('history.title')}
            </LinkButton>
            <Button
              variant="default"
              leftSection={<IconCopy size={16} stroke={1.6} />}
              onClick={() => setCopying(true)}
            >
              {t('action.copy')}
            </Button>
            <OpenSpreadsheet url={report.spreadsheet_url} sheet_id={report.sheet_id} />
            <RunButton report={report} onStarted={() => {}} />
          </>
        }
      />
      {copying && (
        <Suspense>
          <ReportActionDialog
            action={{ kind: 'copy', reports: [report] }}
            onDone={() => setCopying(false)}
            onClose={() => setCopying(false)}
          />
        </Suspense>
      )}
    </>
  )
}

/** Why it cannot run, and who can end that. */
function NotSetUp({ report }: { report: Report }) {
  const { t, language } = useTranslation('reports')
  const { owner_name: owner } = report
  return (
    <InlineAlert severity="info">
      {t('viewing.ask_owner', { why: gapText(report, language), owner })}
    </InlineAlert>
  )
}

/** The table below is of an earlier run. */
function LastFailed({ report, run }: { report: number; run: string }) {
  const { t } = useTranslation('reports')
  return (
    <InlineAlert severity="warning">
      {t('viewing.last_failed')}{' '}
      <LinkText to="/gs-template/history" search={{ id: report, run }}>
        {t('viewing.why')}
      </LinkText>
    </InlineAlert>
  )
}

const ReportActionDialog = lazy(async () => ({
  default: (await import('#web/pages/reports/list/report-action.tsx')).ReportActionDialog,
}))

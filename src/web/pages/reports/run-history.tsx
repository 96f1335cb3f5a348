import { Button } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { mayDo } from '#shared/access.ts'
import type { Report } from '#shared/api/reports.ts'
import { LinkButton } from '#web/client/links.tsx'
import { useFailureText } from '#web/client/failure-text.ts'
import { showToast } from '#web/client/toasts.ts'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { OfReport } from './of-report.tsx'
import { OpenSpreadsheet } from './open-spreadsheet.tsx'
import { ReportMissing } from './report-missing.tsx'
import { useStart } from './runs/data.ts'
import { HistoryList } from './runs/history-list.tsx'
import { RunDetails } from './runs/run-details.tsx'
import { useRunEvents } from './runs/use-run-events.ts'
import { useGoToGap } from './use-go-to-gap.ts'

/** The runs of a report with their outcomes, and all details of one of them. */
export function RunHistory() {
  const { id } = useSearch({ from: '/shell/gs-template/history' })
  useRunEvents()
  return (
    <OfReport id={id} missing={<ReportMissing page="run_history" />}>
      {report => <History report={report} />}
    </OfReport>
  )
}

function History({ report }: { report: Report }) {
  const { t } = useTranslation('runs')
  const { run } = useSearch({ from: '/shell/gs-template/history' })
  const navigate = useNavigate({ from: '/gs-template/history' })
  const open = (id: string) => void navigate({ search: before => ({ ...before, id: report.id, run: id }) })
  usePageTitle(`${t('history.title')} · ${report.name}`)
  return (
    <>
      <PageHeader
        title={report.name}
        detail={t('history.title')}
        actions={
          <>
            <LinkButton to="/gs-template/template" search={{ id: report.id }} variant="default">
              {t('history.edit')}
            </LinkButton>
            <OpenSpreadsheet url={report.spreadsheet_url} sheet_id={report.sheet_id} />
            <RunButton report={report} onStarted={open} />
          </>
        }
      />
      {run === undefined ? (
        <HistoryList report={report} onRun={open} />
      ) : (
        <RunDetails key={run} report={report} run={run} onRun={open} />
      )}
    </>
  )
}

function RunButton({ report, onStarted }: { report: Report; onStarted: (run: string) => void }) {
  const { t } = useTranslation('runs')
  const { t: tReports } = useTranslation('reports')
  const goToGap = useGoToGap()
  const failureText = useFailureText()
  const start = useStart()
  const isIncomplete = report.gaps.length > 0 && !mayDo(report.access, 'change')
  return (
    <Button
      leftSection={<IconPlayerPlay size={16} stroke={1.7} />}
      disabled={isIncomplete || report.task !== null}
      loading={start.isPending}
      onClick={() =>
        start.mutate(
          { reports: [report.id] },
          {
            onSuccess: ({ reports: [started] }) => {
              if (started) onStarted(started.run)
            },
            onError: problem => {
              if (!goToGap(report.id, problem))
                showToast({ severity: 'error', message: failureText(problem) ?? tReports('failed') })
            },
          },
        )
      }
    >
      {t('history.run')}
    </Button>
  )
}

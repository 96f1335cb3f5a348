import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Report } from '#shared/api/reports.ts'
import { LinkButton } from '#web/client/links.tsx'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { OfReport } from './of-report.tsx'
import { OpenSpreadsheet } from './open-spreadsheet.tsx'
import { ReportMissing } from './report-missing.tsx'
import { HistoryList } from './runs/history-list.tsx'
import { RunButton } from './runs/run-button.tsx'
import { RunDetails } from './runs/run-details.tsx'
import { useRunEvents } from './runs/use-run-events.ts'

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

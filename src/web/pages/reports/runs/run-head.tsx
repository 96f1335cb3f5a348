import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { mayDo } from '#shared/access.ts'
import type { RunDetail } from '#shared/api/executions.ts'
import type { Report } from '#shared/api/reports.ts'
import { isErrorCode } from '#shared/errors.ts'
import { mayRunAgainHelp } from '#shared/failure-actions.ts'
import { useFailureText } from '#web/client/failure-text.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { OpenSpreadsheet } from '#web/pages/reports/open-spreadsheet.tsx'
import { useGoToGap } from '#web/pages/reports/use-go-to-gap.ts'
import { useRetry } from './data.ts'
import { Meter } from './meter.tsx'
import { RunBadge } from './run-badge.tsx'
import styles from './run-details.module.css'
import { RunForecast } from './run-forecast.tsx'
import { isMoving, shareDone } from './run-state.ts'
import { RunTrigger } from './run-trigger.tsx'
import { UndoButton } from './undo-button.tsx'

interface RunHeadProps {
  report: Report
  run: RunDetail
  onRun: (run: string) => void
}

/** The state of the run, and what can be done about it. */
export function RunHead({ report, run, onRun }: RunHeadProps) {
  const { t } = useTranslation('runs')
  return (
    <>
      <div className={styles.head} aria-live="polite">
        <RunBadge status={run.status} partial={run.partial} />
        {run.status === 'completed' && run.rows !== null && (
          <span data-tabular>
            {t('rows', { count: run.rows })}
            {run.columns !== null && ` · ${t('columns', { count: run.columns })}`}
          </span>
        )}
        <RunTrigger run={run} />
      </div>
      {isMoving(run.status) && <Meter done={shareDone(run)} label={t(`status.${run.status}`)} />}
      {run.forecast && <RunForecast status={run.status} forecast={run.forecast} />}
      <div className={styles.actions}>
        {run.status === 'completed' && (
          <OpenSpreadsheet url={report.spreadsheet_url} sheet_id={report.sheet_id} />
        )}
        {(run.status === 'error' || run.status === 'cancelled') && mayHelp(report, run) && (
          <RetryButton report={report} run={run} onRun={onRun} />
        )}
        <UndoButton report={report} run={run} onStarted={onRun} />
      </div>
    </>
  )
}

/** Nothing has changed since, and what failed does not pass: the same run would fail again. */
const mayHelp = ({ last_modified_at }: Report, { code, finished_at }: RunDetail) =>
  code === null || !isErrorCode(code) || mayRunAgainHelp(code) || last_modified_at > (finished_at ?? '')

function RetryButton({ report, run, onRun }: RunHeadProps) {
  const { t } = useTranslation('runs')
  const { t: tReports } = useTranslation('reports')
  const failureText = useFailureText()
  const goToGap = useGoToGap()
  const retry = useRetry(report.id)
  return (
    <Button
      variant="light"
      leftSection={<IconRefresh size={16} stroke={1.7} />}
      loading={retry.isPending}
      disabled={report.gaps.length > 0 && !mayDo(report.access, 'change')}
      onClick={() =>
        retry.mutate(run.id, {
          onSuccess: ({ reports: [started] }) => {
            if (started) onRun(started.run)
          },
          onError: problem => {
            if (goToGap(report.id, problem)) return
            showToast({ severity: 'error', message: failureText(problem) ?? tReports('failed') })
          },
        })
      }
    >
      {t('details.retry')}
    </Button>
  )
}

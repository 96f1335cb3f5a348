import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { mayDo } from '#shared/access.ts'
import type { Report } from '#shared/api/reports.ts'
import { isErrorCode } from '#shared/errors.ts'
import { mayRunAgainHelp } from '#shared/failure-actions.ts'
import { LinkText } from '#web/client/links.tsx'
import { useIsInternal } from '#web/client/me.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { FailureAction } from '#web/pages/reports/runs/failure-action.tsx'
import { useGoToGap } from '#web/pages/reports/use-go-to-gap.ts'
import { problemText, ProblemText } from '#web/ui/problem-text.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { useRunAgain } from './data.ts'
import styles from './overview.module.css'

/** The reports whose last run failed: each with its cause, a link to the fix, and a retry. */
export const FailedLines = ({ reports }: { reports: readonly Report[] }) => (
  <ul className={styles.lines}>
    {reports.map(report => (
      <FailedLine key={report.id} report={report} />
    ))}
  </ul>
)

function FailedLine({ report }: { report: Report }) {
  const { t } = useTranslation('overview')
  const audience = useIsInternal() ? 'internal' : 'external'
  const { id, last_run, task } = report
  const code = last_run?.code && isErrorCode(last_run.code) ? last_run.code : 'internal_error'
  return (
    <li className={styles.failed}>
      <div className={styles.what}>
        <LinkText
          to="/gs-template/history"
          search={{ id, ...(last_run && { run: last_run.id }) }}
          fw={550}
          c="inherit"
        >
          {report.name}
        </LinkText>
        <span className={styles.cause}>
          <ProblemText code={code} audience={audience} />
        </span>
        <small>{last_run?.finished_at && <RelativeTime at={last_run.finished_at} />}</small>
      </div>
      <span className={styles.actions}>
        {task === null ? (
          <>
            <FailureAction code={code} report={report} />
            {mayRunAgainHelp(code) && <RunAgain report={report} />}
          </>
        ) : (
          <span className={styles.when}>{t('running_again')}</span>
        )}
      </span>
    </li>
  )
}

function RunAgain({ report }: { report: Report }) {
  const goToGap = useGoToGap()
  const { t, language } = useTranslation('overview')
  const internal = useIsInternal()
  const again = useRunAgain(report)
  const run = () =>
    again.mutate(undefined, {
      onSuccess: () => showToast({ severity: 'success', message: t('started', { name: report.name }) }),
      onError: problem => {
        if (goToGap(report.id, problem)) return
        const message = problemText(problem.code, internal ? 'internal' : 'external', language)
        showToast({ severity: 'error', message })
      },
    })
  return (
    <Button
      size="xs"
      variant="light"
      leftSection={<IconRefresh size={14} stroke={1.7} aria-hidden />}
      loading={again.isPending}
      disabled={report.gaps.length > 0 && !mayDo(report.access, 'change')}
      onClick={run}
      aria-label={t('run_again_of', { name: report.name })}
    >
      {t('run_again')}
    </Button>
  )
}

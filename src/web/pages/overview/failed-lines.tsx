import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { mayDo } from '#shared/access.ts'
import type { Report } from '#shared/api/reports.ts'
import { errorFacts, isErrorCode, type Offer } from '#shared/errors.ts'
import { LinkButton, LinkText } from '#web/client/links.tsx'
import { useIsInternal } from '#web/client/me.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
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
            <FixLink report={report} offer={errorFacts(code).offer} />
            <RunAgain report={report} />
          </>
        ) : (
          <span className={styles.when}>{t('running_again')}</span>
        )}
      </span>
    </li>
  )
}

/** The page where it can be fixed, if there is one that this person may open. */
function FixLink({ report, offer }: { report: Report; offer: Offer }) {
  const { t } = useTranslation('errors')
  const page = pages[offer]
  if (!page || !mayDo(report.access, 'change')) return null
  return (
    <LinkButton
      to={page}
      search={{ id: report.id }}
      size="xs"
      variant="default"
      aria-label={`${t(`offer.${page === '/gs-template/setting' ? 'permission_settings' : 'edit_report'}`)}: ${report.name}`}
    >
      {t(`offer.${page === '/gs-template/setting' ? 'permission_settings' : 'edit_report'}`)}
    </LinkButton>
  )
}

const pages: Partial<Record<Offer, '/gs-template/setting' | '/gs-template/template'>> = {
  permission_settings: '/gs-template/setting',
  share_spreadsheet: '/gs-template/setting',
  field: '/gs-template/template',
  edit_report: '/gs-template/template',
  fewer_cells: '/gs-template/template',
}

function RunAgain({ report }: { report: Report }) {
  const { t, language } = useTranslation('overview')
  const internal = useIsInternal()
  const again = useRunAgain(report)
  const run = () =>
    again.mutate(undefined, {
      onSuccess: () => showToast({ severity: 'success', message: t('started', { name: report.name }) }),
      onError: ({ code }) =>
        showToast({
          severity: 'error',
          message: problemText(code, internal ? 'internal' : 'external', language),
        }),
    })
  return (
    <Button
      size="xs"
      variant="light"
      leftSection={<IconRefresh size={14} stroke={1.7} aria-hidden />}
      loading={again.isPending}
      disabled={report.gaps.length > 0}
      onClick={run}
      aria-label={t('run_again_of', { name: report.name })}
    >
      {t('run_again')}
    </Button>
  )
}

import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { mayDo } from '#shared/access.ts'
import type { AttentionReport } from '#shared/api/overview.ts'
import type { Report } from '#shared/api/reports.ts'
import { isErrorCode } from '#shared/errors.ts'
import { mayRunAgainHelp } from '#shared/failure-actions.ts'
import { gapText } from '#shared/gap-names.ts'
import { LinkButton, LinkText } from '#web/client/links.tsx'
import { useIsInternal } from '#web/client/me.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { FailureAction } from '#web/pages/reports/runs/failure-action.tsx'
import { pageOfGap, useGoToGap } from '#web/pages/reports/use-go-to-gap.ts'
import { problemText } from '#web/ui/problem-text.tsx'
import { useRunAgain } from './data.ts'
import styles from './overview.module.css'
import { reportStateOf } from './report-state.ts'
import { StateText } from './state-text.tsx'

/** Reports that need attention: each with why, since when, and the one action that mends it. */
export const AttentionLines = ({ reports }: { reports: readonly AttentionReport[] }) => (
  <ul className={styles.lines}>
    {reports.map(each => (
      <AttentionLine key={each.report.id} needing={each} />
    ))}
  </ul>
)

function AttentionLine({ needing }: { needing: AttentionReport }) {
  const { report, outcome, reason } = needing
  const { id, name } = report
  const hasFailed = reason === 'failure' || reason === 'scheduled_failure'
  return (
    <li className={styles.failed}>
      <div className={styles.what}>
        {hasFailed && outcome ? (
          <LinkText to="/gs-template/history" search={{ id, run: outcome.run }} fw={550} c="inherit">
            {name}
          </LinkText>
        ) : (
          <LinkText to="/gs-template/template" search={{ id }} fw={550} c="inherit">
            {name}
          </LinkText>
        )}
        <span className={styles.cause}>
          <Cause {...needing} />
        </span>
        <small>
          <StateText state={reportStateOf(needing)} />
        </small>
      </div>
      {report.task === null && (
        <span className={styles.actions}>
          <Action {...needing} />
        </span>
      )}
    </li>
  )
}

/** Why it needs attention, in a sentence. */
function Cause({ report, outcome, reason, ending }: AttentionReport) {
  const { t, language } = useTranslation('overview')
  const audience = useIsInternal() ? 'internal' : 'external'
  if (reason === 'gap') return gapText(report, language)
  if (reason === 'ending' && ending)
    return t(ending.state === 'ended' ? 'attention.ended' : 'attention.ends', { day: ending.ends_on })
  return problemText(codeOf(outcome), audience, language)
}

const codeOf = (outcome: AttentionReport['outcome']) =>
  outcome?.code && isErrorCode(outcome.code) ? outcome.code : 'internal_error'

/** What mends it, if this person may do that; what failed for a passing reason is run again. */
function Action({ report, outcome, reason }: AttentionReport) {
  const { t } = useTranslation('overview')
  const mayChange = mayDo(report.access, 'change')
  if (reason === 'ending')
    return (
      <LinkButton to="/gs-template/care" search={{ do: 'ending' }} {...small(t('attention.extend'), report)}>
        {t('attention.extend')}
      </LinkButton>
    )
  if (report.gaps.length > 0) return mayChange && <SetUp report={report} />
  const code = codeOf(outcome)
  const [only, next] = report.channels
  return (
    <>
      <FailureAction code={code} report={report} {...(only && next === undefined && { of: only.channel })} />
      {mayRunAgainHelp(code) && <RunAgain report={report} />}
    </>
  )
}

/** Leads to the first thing that is not set. */
function SetUp({ report }: { report: Report }) {
  const { t } = useTranslation('overview')
  const [gap] = report.gaps
  return (
    gap && (
      <LinkButton {...pageOfGap[gap]} search={{ id: report.id }} {...small(t('attention.set_up'), report)}>
        {t('attention.set_up')}
      </LinkButton>
    )
  )
}

/** Many of them on one page: each is called by its report too. */
const small = (label: string, { name }: Report) =>
  ({ size: 'xs', variant: 'default', 'aria-label': `${label}: ${name}` }) as const

function RunAgain({ report }: { report: Report }) {
  const { t, language } = useTranslation('overview')
  const internal = useIsInternal()
  const again = useRunAgain(report)
  const goToGap = useGoToGap()
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
      onClick={run}
      aria-label={t('run_again_of', { name: report.name })}
    >
      {t('run_again')}
    </Button>
  )
}

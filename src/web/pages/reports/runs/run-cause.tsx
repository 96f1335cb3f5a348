import type { RunDetail } from '#shared/api/executions.ts'
import type { Report } from '#shared/api/reports.ts'
import { isErrorCode } from '#shared/errors.ts'
import { useIsInternal } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { detailLines } from './detail-lines.ts'
import { FailureAction } from './failure-action.tsx'
import { PlatformMessage } from './platform-message.tsx'
import styles from './run-details.module.css'

/** Why it failed, waits or lacks output, what that means for the spreadsheet, and what to do. */
export function RunCause({ report, run }: { report: Report; run: RunDetail }) {
  const { t, language } = useTranslation('runs')
  const { t: tHistory } = useTranslation('history')
  const audience = useIsInternal() ? 'internal' : 'external'
  if (run.code === null || !isErrorCode(run.code))
    return run.partial ? <InlineAlert severity="warning">{t('details.partial')}</InlineAlert> : null
  const block = run.blocks.find(({ code }) => code === run.code)
  return (
    <Problem
      code={run.code}
      audience={audience}
      action={
        run.status === 'error' && (
          <FailureAction
            code={run.code}
            report={report}
            {...(block && { channel: run.blocks.indexOf(block), of: block.channel })}
          />
        )
      }
    >
      <DetailList lines={detailLines(run.detail, { t, language, audience })} />
      {messageOf(run) !== null && <PlatformMessage message={messageOf(run) ?? ''} />}
      {run.status === 'error' && <p className={styles.untouched}>{t('details.untouched')}</p>}
      {run.status === 'error' && (
        <CopyButton text={detailsOf(report, run)} label={tHistory('copy_details')} />
      )}
    </Problem>
  )
}

/** In the service's own words, unless its channel says them already. */
function messageOf({ detail, blocks }: RunDetail): string | null {
  const message = detail?.platform_message ?? detail?.service_message
  if (typeof message !== 'string' || message === '') return null
  return blocks.some(({ platform_message }) => platform_message === message) ? null : message
}

function DetailList({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <ul className={styles.about}>
      {lines.map(line => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}

/** The details that support needs. */
const detailsOf = (report: Report, run: RunDetail) =>
  JSON.stringify(
    { report: report.id, run: run.id, code: run.code, at: run.finished_at, detail: run.detail },
    null,
    2,
  )

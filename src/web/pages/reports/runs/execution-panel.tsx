import { ActionIcon, Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import type { Execution } from '#shared/api/executions.ts'
import { isErrorCode } from '#shared/errors.ts'
import { mayRunAgainHelp } from '#shared/failure-actions.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { useCancel, useExecution } from './data.ts'
import styles from './execution-panel.module.css'
import { ExecutionReportLine } from './execution-report-line.tsx'
import { Meter } from './meter.tsx'
import { shareDone } from './run-state.ts'
import { SkippedReports } from './skipped-reports.tsx'
import { skippedText } from './skipped-text.ts'

interface ExecutionPanelProps {
  id: string
  /** Runs these reports again. */
  onRetry?: (reports: readonly number[]) => void
  onClose: () => void
}

/** One execution and its progress. Its id is in the URL, so that it survives a reload. */
export function ExecutionPanel({ id, onRetry, onClose }: ExecutionPanelProps) {
  const { t } = useTranslation('runs')
  const execution = useExecution(id)
  const close = (
    <ActionIcon onClick={onClose} aria-label={t('panel.close')}>
      <IconX size={18} stroke={1.6} />
    </ActionIcon>
  )
  return (
    <Card title={t('panel.title')} actions={close}>
      {execution.error ? (
        execution.error.code === 'not_found' ? (
          <InlineAlert severity="info">{t('panel.gone')}</InlineAlert>
        ) : (
          <Problem code={execution.error.code} onRetry={() => void execution.refetch()} />
        )
      ) : (
        execution.data && <ExecutionBody execution={execution.data} {...(onRetry && { onRetry })} />
      )}
    </Card>
  )
}

const AT_FIRST = 6

function ExecutionBody({
  execution,
  onRetry,
}: { execution: Execution } & Pick<ExecutionPanelProps, 'onRetry'>) {
  const { t } = useTranslation('runs')
  const [all, setAll] = useState(false)
  const { total, reports, error, pending, skipped } = execution
  const done = reports.reduce((sum, report) => sum + shareDone(report), 0) / Math.max(1, reports.length)
  const visible = all ? reports : reports.slice(0, AT_FIRST)
  return (
    <div className={styles.body}>
      <div className={styles.head}>
        <Counts execution={execution} />
        <small className={styles.started}>
          {t('panel.started')} <RelativeTime at={execution.created_at} />
        </small>
        {pending > 0 && <CancelButton id={execution.id} />}
        {pending === 0 && error > 0 && onRetry && <RetryButton execution={execution} onRetry={onRetry} />}
      </div>
      {pending > 0 ? (
        <Meter done={done} label={t('panel.title')} />
      ) : total === 0 ? (
        skipped.length > 0 && <InlineAlert severity="warning">{t('skipped.nothing_started')}</InlineAlert>
      ) : (
        <InlineAlert severity={error > 0 || isPartial(execution) ? 'warning' : 'success'}>
          {t(error > 0 || isPartial(execution) ? 'panel.some_failed' : 'panel.all_done')}
        </InlineAlert>
      )}
      <ul className={styles.reports}>
        {visible.map(report => (
          <ExecutionReportLine key={report.run} report={report} open={total === 1} />
        ))}
      </ul>
      {reports.length > AT_FIRST && !all && (
        <Button variant="subtle" size="xs" onClick={() => setAll(true)}>
          {`+ ${reports.length - AT_FIRST}`}
        </Button>
      )}
      {skipped.length > 0 && <SkippedReports skipped={skipped} />}
    </div>
  )
}

/** Total, completed, error and pending, announced to screen readers when they change. */
function Counts({ execution }: { execution: Execution }) {
  const { t } = useTranslation('runs')
  const { total, completed, error, pending, skipped } = execution
  return (
    <>
      <output className={styles.spoken} aria-live="polite">
        {t('panel.counts', { total, completed, error, pending })}
        {skipped.length > 0 && ` ${skippedText(t, skipped)}`}
      </output>
      <dl className={styles.counts} aria-hidden>
        <Count name={t('panel.total')} value={total} />
        <Count name={t('panel.completed')} value={completed} tone="good" />
        <Count name={t('panel.error')} value={error} tone="bad" />
        <Count name={t('panel.pending')} value={pending} tone="accent" />
        {skipped.length > 0 && <Count name={t('skipped.count')} value={skipped.length} tone="warn" />}
      </dl>
    </>
  )
}

function Count({
  name,
  value,
  tone,
}: {
  name: string
  value: number
  tone?: 'good' | 'bad' | 'accent' | 'warn'
}) {
  return (
    <div data-tone={value > 0 ? tone : undefined}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

/** The failed reports, without those that were cancelled, and those that would only fail again. */
function RetryButton({
  execution,
  onRetry,
}: {
  execution: Execution
  onRetry: (reports: readonly number[]) => void
}) {
  const { t } = useTranslation('actions')
  const failed = execution.reports.filter(
    ({ status, code }) =>
      status === 'error' && (code === null || !isErrorCode(code) || mayRunAgainHelp(code)),
  )
  if (failed.length === 0) return null
  return (
    <Button size="xs" variant="default" onClick={() => onRetry(failed.map(({ report }) => report))}>
      {t('retry_failed', { count: failed.length })}
    </Button>
  )
}

function CancelButton({ id }: { id: string }) {
  const { t } = useTranslation('runs')
  const cancel = useCancel()
  return (
    <Button
      size="xs"
      variant="default"
      loading={cancel.isPending}
      onClick={() =>
        cancel.mutate(id, {
          onSuccess: () => showToast({ severity: 'info', message: t('panel.cancelled') }),
        })
      }
    >
      {t('panel.cancel')}
    </Button>
  )
}

const isPartial = ({ reports }: Execution) =>
  reports.some(report => report.blocks.some(block => block.status === 'error' || block.status === 'no_data'))

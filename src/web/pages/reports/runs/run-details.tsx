import { ActionIcon, Button, Skeleton } from '@mantine/core'
import { IconRefresh, IconX } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { Run } from '#shared/api/executions.ts'
import type { Report } from '#shared/api/reports.ts'
import { isErrorCode } from '#shared/errors.ts'
import { useIsInternal } from '#web/app/me.ts'
import { notify } from '#web/app/notices.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { instantText } from '#web/ui/times.ts'
import { OpenSpreadsheet } from '../open-spreadsheet.tsx'
import { BlockLines } from './block-line.tsx'
import { useRetry, useRun } from './data.ts'
import { Meter } from './meter.tsx'
import { RunBadge } from './run-badge.tsx'
import styles from './run-details.module.css'
import { RunFacts } from './run-facts.tsx'
import { RunNotes } from './run-notes.tsx'
import { isMoving, shareDone } from './run-state.ts'

interface RunDetailsProps {
  report: Report
  run: string
  onClose: () => void
  onRetried: (run: string) => void
}

/** Everything that is known of one run. */
export function RunDetails({ report, run: id, onClose, onRetried }: RunDetailsProps) {
  const { t, language } = useTranslation('runs')
  const run = useRun(report.id, id)
  return (
    <Card
      title={run.data ? t('details.title', { when: instantText(run.data.queued_at, language) }) : ''}
      actions={
        <ActionIcon onClick={onClose} aria-label={t('details.close')}>
          <IconX size={18} stroke={1.6} />
        </ActionIcon>
      }
    >
      {run.error && <Problem code={run.error.code} onRetry={() => void run.refetch()} />}
      {run.isPending && <Skeleton height={220} />}
      {run.data && <Details report={report} run={run.data} onRetried={onRetried} />}
    </Card>
  )
}

interface DetailsProps {
  report: Report
  run: Run
  onRetried: (run: string) => void
}

function Details({ report, run, onRetried }: DetailsProps) {
  const { t } = useTranslation('runs')
  return (
    <div className={styles.details}>
      <div className={styles.head} aria-live="polite">
        <RunBadge status={run.status} partial={run.partial} />
        {run.status === 'completed' && run.rows !== null && (
          <span data-tabular>
            {t('rows', { count: run.rows })}
            {run.columns !== null && ` · ${t('columns', { count: run.columns })}`}
          </span>
        )}
        {run.status === 'completed' && (
          <OpenSpreadsheet url={report.spreadsheet_url} sheet_id={report.sheet_id} size="xs" />
        )}
      </div>
      {isMoving(run.status) && <Meter done={shareDone(run)} label={t(`status.${run.status}`)} />}
      <Cause report={report} run={run} />
      {(run.status === 'error' || run.status === 'cancelled') && (
        <RetryButton report={report} run={run} onRetried={onRetried} />
      )}
      <section>
        <h3>{t('details.blocks')}</h3>
        <BlockLines blocks={run.blocks} />
      </section>
      <RunNotes notes={run.notes} blocks={run.blocks} />
      <RunFacts run={run} />
    </div>
  )
}

/** Why it failed or lacks output, what that means for the sheet, and what to do. */
function Cause({ report, run }: Omit<DetailsProps, 'onRetried'>) {
  const { t } = useTranslation('runs')
  const internal = useIsInternal()
  const navigate = useNavigate()
  const toSettings = () => void navigate({ to: '/gs-template/setting', search: { id: report.id } })
  const toEditor = () => void navigate({ to: '/gs-template/template', search: { id: report.id } })
  if (run.code !== null && isErrorCode(run.code))
    return (
      <Problem
        code={run.code}
        audience={internal ? 'internal' : 'external'}
        offers={{
          permission_settings: toSettings,
          share_spreadsheet: toSettings,
          edit_report: toEditor,
          fewer_cells: toEditor,
        }}
      >
        {internal && <DetailList detail={run.detail} />}
        {run.status === 'error' && <p className={styles.untouched}>{t('details.untouched')}</p>}
      </Problem>
    )
  if (run.partial) return <InlineAlert severity="warning">{t('details.partial')}</InlineAlert>
  return null
}

/** What the code is about, for example which range or how many cells. */
function DetailList({ detail }: { detail: Run['detail'] }) {
  const entries = Object.entries(detail ?? {}).filter(([, value]) => value !== null && value !== '')
  if (entries.length === 0) return null
  return (
    <ul className={styles.about}>
      {entries.map(([name, value]) => (
        <li key={name}>
          <code>{name}</code> {typeof value === 'object' ? JSON.stringify(value) : String(value)}
        </li>
      ))}
    </ul>
  )
}

function RetryButton({ report, run, onRetried }: DetailsProps) {
  const { t } = useTranslation('runs')
  const words = useTranslation('reports')
  const retry = useRetry(report.id)
  return (
    <Button
      variant="light"
      leftSection={<IconRefresh size={16} stroke={1.7} />}
      loading={retry.isPending}
      disabled={report.gaps.length > 0}
      onClick={() =>
        retry.mutate(run.id, {
          onSuccess: ({ reports: [started] }) => {
            if (started) onRetried(started.run)
          },
          onError: () => notify({ severity: 'error', message: words.t('failed') }),
        })
      }
    >
      {t('details.retry')}
    </Button>
  )
}

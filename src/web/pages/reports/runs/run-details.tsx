import { Skeleton } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useSearch } from '@tanstack/react-router'
import type { RunDetail } from '#shared/api/executions.ts'
import type { Report } from '#shared/api/reports.ts'
import { LinkButton } from '#web/client/links.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { instantText } from '#web/ui/times.ts'
import { BlockLines } from './block-line.tsx'
import { RunChanges } from './changes/run-changes.tsx'
import { useRun } from './data.ts'
import { RunCause } from './run-cause.tsx'
import styles from './run-details.module.css'
import { RunEffort } from './run-effort.tsx'
import { RunFacts } from './run-facts.tsx'
import { RunHead } from './run-head.tsx'
import { RunNotes } from './run-notes.tsx'
import { RestoredNotice } from './restored-notice.tsx'
import { RunTable } from './run-table.tsx'
import { RunTimeline } from './timeline/run-timeline.tsx'

interface RunDetailsProps {
  report: Report
  run: string
  /** Shows another run of the report. */
  onRun: (run: string) => void
}

/** All details of one run. */
export function RunDetails({ report, run: id, onRun }: RunDetailsProps) {
  const { t } = useTranslation('history')
  const { run: _run, ...list } = useSearch({ from: '/shell/gs-template/history' })
  const run = useRun(report.id, id)
  return (
    <>
      <LinkButton
        to="/gs-template/history"
        search={list}
        variant="subtle"
        size="xs"
        className={styles.back}
        leftSection={<IconArrowLeft size={15} stroke={1.7} aria-hidden />}
      >
        {t('all_runs')}
      </LinkButton>
      {run.error && !run.data && <Problem code={run.error.code} onRetry={() => void run.refetch()} />}
      {run.isPending && <Skeleton height={320} />}
      {run.data && <Details report={report} run={run.data} onRun={onRun} />}
    </>
  )
}

function Details({ report, run, onRun }: { report: Report; run: RunDetail; onRun: (run: string) => void }) {
  const { t, language } = useTranslation('runs')
  const hasTable = run.status === 'completed' && run.rows !== null
  return (
    <div className={styles.page}>
      <div className={styles.main}>
        <Card title={t('details.title', { when: instantText(run.queued_at, language) })}>
          <div className={styles.details}>
            <RunHead report={report} run={run} onRun={onRun} />
            <RunCause report={report} run={run} />
            {run.table === 'current' && <RestoredNotice report={report} />}
            {run.blocks.length > 0 && (
              <section>
                <h3>{t('details.blocks')}</h3>
                <BlockLines blocks={run.blocks} wait={run} {...(run.code === null && { report })} />
              </section>
            )}
            <RunNotes notes={run.notes} blocks={run.blocks} />
          </div>
        </Card>
        {run.rows !== null && <RunTable report={report.id} run={run.id} />}
        {hasTable && <RunChanges report={report.id} run={run.id} />}
      </div>
      <div className={styles.side}>
        <RunTimeline run={run} />
        <Card>
          <div className={styles.details}>
            <RunEffort run={run} />
            <RunFacts run={run} />
          </div>
        </Card>
      </div>
    </div>
  )
}

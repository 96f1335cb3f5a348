import type { Run } from '#shared/api/executions.ts'
import { isErrorCode } from '#shared/errors.ts'
import type { useTranslation } from '#web/i18n/use-translation.ts'
import type { Column } from '#web/ui/data-table.tsx'
import { problemText } from '#web/ui/problem-text.tsx'
import { instantText } from '#web/ui/times.ts'
import { durationText, spanText } from './duration.ts'
import { RowProgress } from './row-progress.tsx'
import { RunBadge } from './run-badge.tsx'
import { isMoving } from './run-state.ts'
import { RunTrigger } from './run-trigger.tsx'
import styles from './runs-card.module.css'

interface Facts {
  t: ReturnType<typeof useTranslation<'runs'>>['t']
  history: ReturnType<typeof useTranslation<'history'>>['t']
  language: ReturnType<typeof useTranslation<'runs'>>['language']
  internal: boolean
  onRun: (run: string) => void
}

/** When, how long it waited, by whom, its outcome, its size and duration. */
export function columnsOf(facts: Facts): Column<Run>[] {
  const { t, history, language } = facts
  return [
    { key: 'when', header: t('history.when'), cell: run => <When run={run} {...facts} /> },
    {
      key: 'waited',
      header: history('waited'),
      align: 'end',
      room: 'much',
      cell: run => span(t, run.due_at ?? run.queued_at, run.started_at),
    },
    { key: 'trigger', header: t('history.trigger'), room: 'some', cell: run => <RunTrigger run={run} /> },
    {
      key: 'status',
      header: t('history.status'),
      cell: run =>
        isMoving(run.status) ? (
          <RowProgress report={run.report} run={run.id} />
        ) : (
          <Outcome run={run} {...facts} />
        ),
    },
    {
      key: 'range',
      header: t('history.range'),
      room: 'much',
      cell: run => run.range && `${run.range.start} – ${run.range.end}`,
    },
    {
      key: 'rows',
      header: t('history.rows'),
      align: 'end',
      // A failed run has written none of its rows.
      cell: run => (run.status === 'completed' && run.rows?.toLocaleString(language)) || '–',
    },
    {
      key: 'cells',
      header: history('cells'),
      align: 'end',
      room: 'much',
      cell: run => cellsOf(run, language),
    },
    {
      key: 'requests',
      header: history('requests'),
      align: 'end',
      room: 'much',
      cell: run => (run.platform_requests + run.spreadsheet_requests).toLocaleString(language),
    },
    {
      key: 'took',
      header: t('history.took'),
      align: 'end',
      room: 'some',
      cell: run => span(t, run.started_at, run.finished_at),
    },
  ]
}

const span = (t: Facts['t'], from: string | null, to: string | null) =>
  from && to ? <span className={styles.short}>{durationText(t, from, to)}</span> : '–'

/** Late enough to be shown: the scheduler runs once a second. */
const LATE_MS = 60_000

/** The way to the run's page; of a scheduled one that began late, by how much. */
function When({ run, t, history, language, onRun }: { run: Run } & Facts) {
  const late_ms = run.due_at && run.started_at ? Date.parse(run.started_at) - Date.parse(run.due_at) : 0
  return (
    <span className={styles.outcome}>
      <button
        type="button"
        className={styles.when}
        aria-label={t('history.show', { when: instantText(run.queued_at, language) })}
        onClick={() => onRun(run.id)}
      >
        {instantText(run.started_at ?? run.queued_at, language)}
      </button>
      {run.due_at && late_ms > LATE_MS && (
        <small>
          {history('due', { when: instantText(run.due_at, language) })}
          {' · '}
          {history('late', { duration: spanText(t, late_ms) })}
        </small>
      )}
    </span>
  )
}

function Outcome({ run, internal, language }: { run: Run } & Facts) {
  return (
    <span className={styles.outcome}>
      <RunBadge status={run.status} partial={run.partial} />
      {run.code !== null && isErrorCode(run.code) && (
        <small>{problemText(run.code, internal ? 'internal' : 'external', language)}</small>
      )}
    </span>
  )
}

/** With the header. */
function cellsOf({ status, rows, columns }: Run, language: string): string {
  if (status !== 'completed' || rows === null || columns === null) return '–'
  return ((rows + 1) * columns).toLocaleString(language)
}

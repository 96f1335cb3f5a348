import { ActionIcon } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useId, useState } from 'react'
import type { Execution } from '#shared/api/executions.ts'
import { isErrorCode } from '#shared/errors.ts'
import { LinkText } from '#web/client/links.tsx'
import { useIsInternal } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { OpenSpreadsheet } from '#web/pages/reports/open-spreadsheet.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { BlockLines } from './block-line.tsx'
import { useRun } from './data.ts'
import styles from './execution-panel.module.css'
import { RunBadge } from './run-badge.tsx'
import { RunNotes } from './run-notes.tsx'
import { isMoving, isProven } from './run-state.ts'

type ExecutionReport = Execution['reports'][number]

/** One report of a click: its state, and on demand each of its channels. */
export function ExecutionReportLine({ report, open }: { report: ExecutionReport; open: boolean }) {
  const { t } = useTranslation('runs')
  const internal = useIsInternal()
  const id = useId()
  const [opened, setOpened] = useState(open)
  const partial = report.blocks.some(block => block.status === 'error' || block.status === 'no_data')
  const Chevron = opened ? IconChevronDown : IconChevronRight
  return (
    <li className={styles.report}>
      <div className={styles.line}>
        <ActionIcon
          size="sm"
          aria-expanded={opened}
          aria-controls={id}
          aria-label={report.name}
          onClick={() => setOpened(!opened)}
        >
          <Chevron size={16} stroke={1.6} />
        </ActionIcon>
        <LinkText
          to="/gs-template/history"
          search={{ id: report.report, run: report.run }}
          className={styles.name}
          fz="sm"
        >
          {report.name}
        </LinkText>
        <RunBadge status={report.status} partial={partial} />
      </div>
      {opened && (
        <div id={id} className={styles.inner}>
          {report.code !== null && isErrorCode(report.code) && (
            <p className={styles.why}>
              <ProblemText code={report.code} audience={internal ? 'internal' : 'external'} />{' '}
              {t('details.untouched')}
            </p>
          )}
          <BlockLines blocks={report.blocks} />
          {report.status === 'completed' && <Outcome report={report} />}
          {isMoving(report.status) && report.blocks.length === 0 && (
            <p className={styles.why}>{t(`status.${report.status}`)}</p>
          )}
        </div>
      )}
    </li>
  )
}

/** "42,180 rows · 8 columns · open spreadsheet" */
function Outcome({ report }: { report: ExecutionReport }) {
  const { t } = useTranslation('runs')
  const { data: run } = useRun(report.report, report.run)
  return (
    <div className={styles.outcome}>
      <span data-tabular>
        {t('rows', { count: report.rows ?? 0 })}
        {typeof run?.columns === 'number' && ` · ${t('columns', { count: run.columns })}`}
        {report.blocks.length > 1 && isProven(report.blocks) && ` · ${t('proof.run_matches')}`}
      </span>
      <OpenSpreadsheet url={report.spreadsheet_url} sheet_id={report.sheet_id} size="xs" />
      {run && run.notes.length > 0 && (
        <div className={styles.notes}>
          <RunNotes notes={run.notes} blocks={run.blocks} />
        </div>
      )}
    </div>
  )
}

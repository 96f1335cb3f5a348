import { ActionIcon } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { mayDo } from '#shared/access.ts'
import type { Report } from '#shared/api/reports.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './report-table.module.css'

/**
 * Runs the report of a row with one click; with gaps that goes to the first of them, for people who can close
 * it. A run that is under way has its progress in the row.
 */
export function RowRun({ report, onRun }: { report: Report; onRun: (ids: readonly number[]) => void }) {
  const { t } = useTranslation('reports')
  const { id, access, gaps, task } = report
  if (task !== null || (gaps.length > 0 && !mayDo(access, 'change'))) return null
  const label = t('run_report', { name: report.name })
  return (
    <ActionIcon className={styles.run} aria-label={label} title={label} onClick={() => onRun([id])}>
      <IconPlayerPlay size={17} stroke={1.6} aria-hidden />
    </ActionIcon>
  )
}

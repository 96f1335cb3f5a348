import { Skeleton } from '@mantine/core'
import type { FirstRows } from '#shared/api/first-rows.ts'
import { parseStartCell } from '#shared/cell.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { PreviewTable } from '#web/pages/reports/preview/preview-table.tsx'
import { Card } from '#web/ui/card.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { useFirstRows } from './data.ts'
import styles from './run-details.module.css'

/** The first rows that the run has stored, as they are in the spreadsheet. */
export function RunTable({ report, run }: { report: number; run: string }) {
  const { t } = useTranslation('history')
  const rows = useFirstRows(report, run)
  return (
    <Card title={t('table.title')}>
      {rows.error && <Problem code={rows.error.code} onRetry={() => void rows.refetch()} />}
      {rows.isPending && <Skeleton height={160} />}
      {rows.data && <Rows rows={rows.data} />}
    </Card>
  )
}

function Rows({ rows }: { rows: FirstRows }) {
  const { t } = useTranslation('history')
  const { t: tPreview } = useTranslation('preview')
  if (rows.status !== 'stored') return <p className={styles.quiet}>{t(`table.${rows.status}`)}</p>
  const count = rows.rows.length
  const cell = parseStartCell(rows.start_cell)
  return (
    <div className={styles.table}>
      <p className={styles.quiet} data-tabular>
        {count === rows.row_count
          ? tPreview('all_rows', { count })
          : tPreview('first_of', { shown: count, rows: rows.row_count })}
      </p>
      <PreviewTable table={rows} {...(typeof cell === 'string' ? { row: 0, column: 0 } : cell)} />
    </div>
  )
}

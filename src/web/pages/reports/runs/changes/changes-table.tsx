import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Compared } from '#shared/api/run-changes.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { DataTable, type Column } from '#web/ui/data-table.tsx'
import { changeLines, differenceText, valueText, type ChangeLine } from './change-lines.ts'
import styles from './run-changes.module.css'

/** Lines that are shown at first. */
const FEW = 10

/** Day, metric, before, after and the difference. */
export function ChangesTable({ changes }: { changes: Compared }) {
  const { t, language } = useTranslation('history')
  const [all, setAll] = useState(false)
  const lines = changeLines(changes)
  return (
    <div className={styles.table}>
      <DataTable
        label={t('changes.table')}
        columns={columnsOf(t, language, changes.by)}
        rows={all ? lines : lines.slice(0, FEW)}
        rowKey={line => line.id}
        rowName={line => line.key}
      />
      {lines.length > FEW && (
        <Button variant="subtle" size="xs" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t('changes.show_less') : t('changes.show_more', { count: lines.length })}
        </Button>
      )}
    </div>
  )
}

type Words = ReturnType<typeof useTranslation<'history'>>

function columnsOf(t: Words['t'], language: Words['language'], by: Compared['by']): Column<ChangeLine>[] {
  const value = ({ cell }: ChangeLine, which: 'before' | 'after') =>
    cell && (cell[which] === '' ? <i>{t('changes.empty')}</i> : valueText(cell[which], cell.column, language))
  return [
    { key: 'key', header: t(`changes.${by}`), cell: line => line.key || t('changes.all_rows') },
    {
      key: 'metric',
      header: t('changes.metric'),
      cell: line => line.cell?.column.title ?? wholeText(line, by, t),
    },
    { key: 'before', header: t('changes.before'), align: 'end', cell: line => value(line, 'before') },
    {
      key: 'after',
      header: t('changes.after'),
      align: 'end',
      cell: line => (
        <>
          {value(line, 'after')}
          <small className={styles.difference}>{line.cell && differenceText(line.cell, language)}</small>
        </>
      ),
    },
  ]
}

/** Days or rows that are new or missing as a whole, and days whose rows changed while their sums did not. */
function wholeText({ kind, rows }: ChangeLine, by: Compared['by'], t: Words['t']): string {
  const isRow = by === 'row'
  if (kind === 'added')
    return isRow ? t('changes.rows_added', { count: 1 }) : t('changes.rows_added', { count: rows.added })
  if (kind === 'removed')
    return isRow
      ? t('changes.rows_removed', { count: 1 })
      : t('changes.rows_removed', { count: rows.removed })
  const count = rows.changed + rows.added + rows.removed
  return `${t('changes.rows_changed', { count })} · ${t('changes.sums_alike')}`
}

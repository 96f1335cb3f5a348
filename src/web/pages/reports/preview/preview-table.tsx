import { memo } from 'react'
import type { Preview } from '#shared/api/preview.ts'
import { columnName } from '#shared/cell.ts'
import { cellText } from '#shared/cell-text.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './preview.module.css'

interface PreviewTableProps {
  table: Pick<Preview, 'columns' | 'rows'>
  /** The target cell, counted from 0. */
  row: number
  column: number
}

/** Beyond this many columns nobody scrolls, and rendering them would block the page. */
const MOST_COLUMNS = 80

/**
 * The first rows as the cells will look, with the letters and numbers that they will have in the spreadsheet.
 */
export const PreviewTable = memo(function PreviewTable({ table, row, column }: PreviewTableProps) {
  const { t } = useTranslation('preview')
  const columns = table.columns.slice(0, MOST_COLUMNS)
  const rest = table.columns.length - columns.length
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, by keys too
    <div className={styles.scroll} role="region" aria-label={t('region')} tabIndex={0}>
      <table className={styles.table}>
        <caption>{t('caption', { rows: table.rows.length, columns: table.columns.length })}</caption>
        <thead>
          <tr className={styles.letters} aria-hidden>
            {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- purely visual */}
            <td className={styles.corner} />
            {columns.map((_, at) => (
              <td key={at}>{columnName(column + at)}</td>
            ))}
          </tr>
          <tr>
            <td className={styles.number} aria-hidden>
              {row + 1}
            </td>
            {/* Two columns may have the same title. */}
            {columns.map(({ title }, at) => (
              <th key={at} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((cells, index) => (
            <tr key={index}>
              <td className={styles.number} aria-hidden>
                {row + index + 2}
              </td>
              {columns.map(({ format }, at) => (
                <td key={at} data-align={format.kind === 'text' ? undefined : 'end'}>
                  {cellText(cells[at] ?? '', format)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rest > 0 && <p className={styles.quiet}>{t('more_columns', { count: rest })}</p>}
    </div>
  )
})

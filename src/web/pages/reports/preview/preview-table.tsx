import { Button } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { memo, useState } from 'react'
import type { ColumnFormat, Preview } from '#shared/api/preview.ts'
import { columnName } from '#shared/cell.ts'
import { cellText } from '#shared/cell-text.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useFrozenColumns } from './frozen-columns.ts'
import styles from './preview.module.css'
import { nextOrder, orderedRows, type RowOrder } from './row-order.ts'

interface PreviewTableProps {
  table: Pick<Preview, 'columns' | 'rows'>
  /** The target cell, counted from 0. */
  row: number
  column: number
  /** Beneath the rows, and not part of the table. */
  totals?: { cells: readonly (string | number)[]; label: string } | null
  /** What the table itself is sorted by. */
  sorted?: RowOrder | null
  /** Left out: rows can be looked at in another order, and no more; so it is with columns that it cannot. */
  keeping?: { can: (column: number) => boolean; keep: (order: RowOrder) => void }
}

/** Beyond this many columns nobody scrolls, and rendering them would block the page. */
const MOST_COLUMNS = 80

/**
 * The first rows as the cells will look, with the letters and numbers that they will have in the spreadsheet.
 * The first columns stay while the others scroll, and a click on a title shows the rows in its order.
 */
export const PreviewTable = memo(function PreviewTable(props: PreviewTableProps) {
  const { table, row, column, totals = null, sorted = null, keeping } = props
  const { t } = useTranslation('preview')
  const [order, setOrder] = useState<RowOrder | null>(null)
  const columns = table.columns.slice(0, MOST_COLUMNS)
  const rest = table.columns.length - columns.length
  const current = order && order.column < columns.length ? order : null
  const labels = leadingLabels(columns)
  const { scroll, header, cellOf, totalCell } = useFrozenColumns(
    columns.slice(0, labels).map(({ format }) => format.kind === 'text'),
  )
  return (
    <div className={styles.frame}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, by keys too */}
      <div ref={scroll} className={styles.scroll} role="region" aria-label={t('region')} tabIndex={0}>
        <table className={styles.table}>
          <caption>{t('caption', { rows: table.rows.length, columns: table.columns.length })}</caption>
          <thead>
            <tr className={styles.letters} aria-hidden>
              {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- purely visual */}
              <td className={styles.corner} />
              {columns.map((_, at) => (
                <td key={at} {...cellOf(at)}>
                  {columnName(column + at)}
                </td>
              ))}
            </tr>
            <tr ref={header}>
              <td className={styles.number} aria-hidden>
                {row + 1}
              </td>
              {/* Two columns may have the same title. */}
              {columns.map(({ title, format }, at) => (
                <Title
                  key={at}
                  title={title}
                  format={format}
                  cell={cellOf(at)}
                  order={(current ?? sorted)?.column === at ? (current ?? sorted) : null}
                  onClick={() => setOrder(nextOrder(current, at, format))}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {orderedRows(table.rows, current).map(({ cells, at: index }) => (
              <tr key={index}>
                <td className={styles.number} aria-hidden>
                  {row + index + 2}
                </td>
                {columns.map(({ format }, at) => (
                  <td key={at} data-align={alignOf(format)} {...cellOf(at)}>
                    {cellText(cells[at] ?? '', format)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          {totals && labels > 0 && (
            <tfoot>
              <tr>
                <td className={styles.number} aria-hidden>
                  Σ
                </td>
                <th scope="row" colSpan={labels} {...totalCell}>
                  {totals.label}
                </th>
                {columns.slice(labels).map(({ format }, at) => (
                  <td key={at} data-align={alignOf(format)}>
                    {cellText(totals.cells[labels + at] ?? '', format)}
                  </td>
                ))}
              </tr>
            </tfoot>
          )}
        </table>
        {rest > 0 && <p className={styles.quiet}>{t('more_columns', { count: rest })}</p>}
      </div>
      {current && (
        <p className={styles.look} role="status">
          <span>
            {t('order.only_here', { count: table.rows.length, title: columns[current.column]?.title ?? '' })}
          </span>
          {keeping?.can(current.column) && (
            <Button
              size="compact-sm"
              variant="light"
              onClick={() => {
                keeping.keep(current)
                setOrder(null)
              }}
            >
              {t('order.keep')}
            </Button>
          )}
          <Button size="compact-sm" variant="subtle" onClick={() => setOrder(null)}>
            {t('order.reset')}
          </Button>
        </p>
      )}
    </div>
  )
})

interface TitleProps {
  title: string
  format: ColumnFormat
  /** What it needs to stay while others scroll. */
  cell: object
  /** null: the rows are in the order of another column, or of none. */
  order: RowOrder | null
  onClick: () => void
}

function Title({ title, format, cell, order, onClick }: TitleProps) {
  const { t } = useTranslation('preview')
  const Arrow = order?.descending ? IconArrowDown : IconArrowUp
  return (
    <th
      scope="col"
      data-align={alignOf(format)}
      aria-sort={order ? (order.descending ? 'descending' : 'ascending') : undefined}
      {...cell}
    >
      <button type="button" className={styles.title} title={t('order.by', { title })} onClick={onClick}>
        <span>{title}</span>
        {order && <Arrow size={13} stroke={2} aria-hidden />}
      </button>
    </th>
  )
}

/** By the type of the column, whatever its cells look like. */
const alignOf = ({ kind }: ColumnFormat) => (kind === 'text' ? undefined : 'end')

/** The dimensions: names and days before the first number. */
function leadingLabels(columns: Preview['columns']): number {
  const first = columns.findIndex(({ format: { kind } }) => kind === 'number' || kind === 'percent')
  return first < 0 ? 0 : first
}

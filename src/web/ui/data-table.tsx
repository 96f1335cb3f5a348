import { IconArrowDown, IconArrowUp, IconSelector } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './data-table.module.css'

export interface Column<Row> {
  key: string
  header: ReactNode
  cell: (row: Row) => ReactNode
  /** The field to order by when the header is clicked; left out: not sortable. */
  sort?: string
  align?: 'start' | 'end'
  /** Of the column, as CSS has it. */
  width?: string
  /** How wide the table must be for the column to be shown; left out: it is always shown. */
  room?: 'some' | 'much' | 'plenty'
  /** On a phone, where it has no column, it is a line below the first cell. */
  narrow?: true
}

export interface Selection<Key> {
  selected: ReadonlySet<Key>
  onChange: (selected: ReadonlySet<Key>) => void
}

interface DataTableProps<Row, Key extends string | number> {
  /** The name of the table for screen readers. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => Key
  rowName: (row: Row) => string
  selection?: Selection<Key>
  /** A field, `-` first for descending. */
  ordering?: string
  onOrdering?: (ordering: string) => void
  /** Newer rows are loading. */
  stale?: boolean
}

/** A table whose rows can be sorted and selected. Its content and source are the page's. */
export function DataTable<Row, Key extends string | number>(props: DataTableProps<Row, Key>) {
  const { columns, rows, rowKey, selection } = props
  return (
    <div className={styles.scroll} data-stale={props.stale || undefined}>
      <table className={styles.table} aria-label={props.label} aria-busy={props.stale}>
        <thead>
          <tr>
            {selection && (
              <th scope="col" className={styles.checkColumn}>
                <SelectAll keys={rows.map(rowKey)} selection={selection} />
              </th>
            )}
            {columns.map(column => (
              <HeaderCell key={column.key} column={column} {...props} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <BodyRow key={rowKey(row)} row={row} {...props} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function HeaderCell<Row>({
  column,
  ordering,
  onOrdering,
}: {
  column: Column<Row>
  ordering?: string
  onOrdering?: (ordering: string) => void
}) {
  const { sort, header, width } = column
  const direction =
    sort === undefined
      ? null
      : ordering === sort
        ? 'ascending'
        : ordering === `-${sort}`
          ? 'descending'
          : null
  const Icon =
    direction === 'ascending' ? IconArrowUp : direction === 'descending' ? IconArrowDown : IconSelector
  return (
    <th
      scope="col"
      data-align={column.align}
      data-room={column.room}
      {...(width !== undefined && { style: { width } })}
      {...(direction && { 'aria-sort': direction })}
    >
      {sort !== undefined && onOrdering ? (
        <button
          type="button"
          className={styles.sort}
          onClick={() => onOrdering(direction === 'ascending' ? `-${sort}` : sort)}
        >
          {header}
          <Icon size={14} stroke={1.8} aria-hidden data-active={direction !== null || undefined} />
        </button>
      ) : (
        header
      )}
    </th>
  )
}

function BodyRow<Row, Key extends string | number>({
  row,
  ...props
}: DataTableProps<Row, Key> & { row: Row }) {
  const { t } = useTranslation('ui')
  const key = props.rowKey(row)
  const selected = props.selection?.selected.has(key) ?? false
  return (
    <tr data-selected={selected || undefined}>
      {props.selection && (
        <td>
          <input
            type="checkbox"
            className={styles.check}
            checked={selected}
            onChange={() => props.selection?.onChange(toggled(props.selection.selected, key))}
            aria-label={t('table.select_row', { name: props.rowName(row) })}
          />
        </td>
      )}
      {props.columns.map(({ key: column, cell, align, room }, index) => (
        <td key={column} data-align={align} data-room={room}>
          {cell(row)}
          {index === 0 && <NarrowLines row={row} columns={props.columns} />}
        </td>
      ))}
    </tr>
  )
}

function NarrowLines<Row>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }) {
  return columns
    .filter(({ narrow }) => narrow)
    .map(({ key, cell }) => (
      <div key={key} className={styles.narrow}>
        {cell(row)}
      </div>
    ))
}

function SelectAll<Key>({ keys, selection }: { keys: readonly Key[]; selection: Selection<Key> }) {
  const { t } = useTranslation('ui')
  const count = keys.filter(key => selection.selected.has(key)).length
  const all = count > 0 && count === keys.length
  return (
    <input
      type="checkbox"
      className={styles.check}
      checked={all}
      ref={box => {
        if (box) box.indeterminate = count > 0 && !all
      }}
      onChange={() => selection.onChange(new Set(all ? [] : keys))}
      aria-label={t('table.select_all')}
    />
  )
}

function toggled<Key>(selected: ReadonlySet<Key>, key: Key): ReadonlySet<Key> {
  const next = new Set(selected)
  if (!next.delete(key)) next.add(key)
  return next
}

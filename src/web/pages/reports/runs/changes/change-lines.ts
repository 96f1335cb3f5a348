import type { Compared } from '#shared/api/run-changes.ts'

type Moved = Compared['moved'][number]

/** One line of the table: a metric of a day or row, or a day or row as a whole. */
export interface ChangeLine {
  id: string
  key: string
  kind: Moved['kind']
  rows: Moved['rows']
  /** null: it is about all of it. */
  cell: { column: Compared['columns'][number]; before: number | string; after: number | string } | null
}

/** Days that changed list each metric that did; a new or missing day is one line. */
export function changeLines({ moved, columns }: Pick<Compared, 'moved' | 'columns'>): ChangeLine[] {
  return moved.flatMap((group, index): ChangeLine[] => {
    const line = { key: group.key.join(' · '), kind: group.kind, rows: group.rows }
    const cells = group.cells.flatMap(({ column, before, after }) => {
      const of = columns[column]
      return of && before !== null && after !== null ? [{ column: of, before, after }] : []
    })
    if (group.kind !== 'changed' || cells.length === 0) return [{ ...line, id: String(index), cell: null }]
    return cells.map((cell, position) => ({ ...line, id: `${index} ${position}`, cell }))
  })
}

/** A value as the table shows it: numbers with their column's digits, shares as percent. */
export function valueText(
  value: number | string,
  { kind, digits }: Compared['columns'][number],
  language: string,
): string {
  if (typeof value === 'string') return value
  return value.toLocaleString(language, {
    style: kind === 'percent' ? 'percent' : 'decimal',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}

/** "+12 (+3.1%)"; null where there is no difference of numbers. */
export function differenceText(cell: NonNullable<ChangeLine['cell']>, language: string): string | null {
  const { before, after, column } = cell
  if (typeof before !== 'number' || typeof after !== 'number') return null
  const by = after - before
  const difference = `${by > 0 ? '+' : ''}${valueText(by, column, language)}`
  if (before === 0 || column.kind === 'percent') return difference
  const share = (by / Math.abs(before)).toLocaleString(language, {
    style: 'percent',
    maximumFractionDigits: 1,
    signDisplay: 'exceptZero',
  })
  return `${difference} (${share})`
}

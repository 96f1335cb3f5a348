import type { Comparison, ComparedColumn, Layout, Row, CellValue } from './compare.ts'

/** The changes under one key; cells by their index in `layout.columns`. */
export interface Group {
  kind: 'changed' | 'added' | 'removed'
  key: CellValue[]
  rows: { changed: number; added: number; removed: number }
  cells: { column: number; before: CellValue | null; after: CellValue | null }[]
}

/** Days or rows that are listed; the rest is only counted. */
export const MOST_GROUPS = 500

/** Groups pairs of rows by day, or lists the rows themselves where there is no time in the table. */
export function groupChanges(layout: Layout) {
  const rows = { same: 0, changed: 0, added: 0, removed: 0 }
  const groups = layout.time === null ? singleRows(layout) : timeGroups(layout, layout.time)
  return {
    /** A row and its previous version; null: it is new, or gone. */
    add(before: Row | null, after: Row | null) {
      const kind = kindOf(layout.columns, before, after)
      rows[kind]++
      groups.add(kind, before, after)
    },
    finish: (): Comparison => ({ rows, ...groups.finish() }),
  }
}

type Kind = 'same' | Group['kind']

function kindOf(columns: readonly ComparedColumn[], before: Row | null, after: Row | null): Kind {
  if (!before) return 'added'
  if (!after) return 'removed'
  for (const column of columns) if (before[column.before] !== after[column.after]) return 'changed'
  return 'same'
}

function singleRows({ keys, columns }: Layout) {
  const moved: Group[] = []
  let count = 0
  return {
    add(kind: Kind, before: Row | null, after: Row | null) {
      if (kind === 'same') return
      count++
      if (moved.length >= MOST_GROUPS) return
      const key = (after ?? before ?? []).slice(0, keys)
      const rows = { changed: 0, added: 0, removed: 0, [kind]: 1 }
      moved.push({ kind, key, rows, cells: cellsOf(columns, before, after) })
    },
    finish: () => ({ count, moved }),
  }
}

interface TimeGroup {
  time: CellValue
  same: number
  rows: Group['rows']
  /** While there is one row at most on each side, these are they; of several only the sums are kept. */
  before: { first: Row | null; count: number; sums: Sum[] }
  after: { first: Row | null; count: number; sums: Sum[] }
}

function timeGroups(layout: Layout, time: number) {
  const { columns, is_single } = layout
  const groups = new Map<CellValue, TimeGroup>()
  const newSide = () => ({
    first: null,
    count: 0,
    sums: columns.map(() => ({ whole: 0, millionths: 0, some: false })),
  })
  return {
    add(kind: Kind, before: Row | null, after: Row | null) {
      const at = (after ?? before)?.[time] ?? ''
      let group = groups.get(at)
      if (!group) {
        group = {
          time: at,
          same: 0,
          rows: { changed: 0, added: 0, removed: 0 },
          before: newSide(),
          after: newSide(),
        }
        groups.set(at, group)
      }
      if (kind === 'same') group.same++
      else group.rows[kind]++
      if (before) take(group.before, before, 'before')
      if (after) take(group.after, after, 'after')
    },
    finish() {
      const moved = [...groups.values()]
        .filter(({ rows: { changed, added, removed } }) => changed + added + removed > 0)
        .map(presented)
        .toSorted((one, other) => Number(other.key[0]) - Number(one.key[0]))
      return { count: moved.length, moved: moved.slice(0, MOST_GROUPS) }
    },
  }

  function take(side: TimeGroup['before'], row: Row, which: 'before' | 'after') {
    side.first ??= row
    side.count++
    if (is_single) return
    columns.forEach((column, index) => {
      const sum = side.sums[index]
      if (column.is_additive && sum) addTo(sum, row[column[which]])
    })
  }

  function presented({ time: at, rows, before, after }: TimeGroup): Group {
    const kind = before.count === 0 ? 'added' : after.count === 0 ? 'removed' : 'changed'
    const cells =
      is_single && before.count <= 1 && after.count <= 1
        ? cellsOf(columns, before.first, after.first)
        : columns.flatMap((column, index) => {
            if (!column.is_additive) return []
            const [was, is] = [totalOf(before, index), totalOf(after, index)]
            return was === is ? [] : [{ column: index, before: was, after: is }]
          })
    return { kind, key: [at], rows, cells }
  }
}

function cellsOf(columns: readonly ComparedColumn[], before: Row | null, after: Row | null): Group['cells'] {
  return columns.flatMap((column, index) => {
    const [was, is] = [before?.[column.before] ?? null, after?.[column.after] ?? null]
    return was === is ? [] : [{ column: index, before: was, after: is }]
  })
}

/** Whole parts and millionths apart, so that money adds up exactly. */
interface Sum {
  whole: number
  millionths: number
  some: boolean
}

function addTo(sum: Sum, cell: CellValue | undefined) {
  if (typeof cell !== 'number') return
  const whole = Math.trunc(cell)
  sum.some = true
  sum.whole += whole
  sum.millionths += Math.round((cell - whole) * 1_000_000)
}

/** "" where every cell of the day is empty; null where the day has no row. */
function totalOf({ count, sums }: TimeGroup['before'], column: number): CellValue | null {
  const sum = sums[column]
  if (count === 0 || !sum) return null
  if (!sum.some) return ''
  const carried = Math.trunc(sum.millionths / 1_000_000)
  return Number((sum.whole + carried + (sum.millionths - carried * 1_000_000) / 1_000_000).toFixed(6))
}

import type { OracleCell } from '#server/table/testing/oracle.ts'
import type { Cell, ColumnKind, ExpectedTable, MixedReport } from './mixed-numbers-oracle.ts'

/** The differences of a table: rows of one place may be in any order among themselves. */
export function differences(
  cells: readonly unknown[][],
  { header, kinds, rows }: ExpectedTable,
  { dimensions, arrangement }: MixedReport,
): string[] {
  const [titles = [], ...body] = cells
  if (JSON.stringify(titles) !== JSON.stringify(header))
    return [`the header is ${JSON.stringify(titles)} for ${JSON.stringify(header)}`]
  const device = dimensions.indexOf('device_type') + (arrangement === 'stacked' ? 1 : 0)
  const by_device = dimensions.includes('device_type')
  const printed = body.map(row => header.map((_, column) => ({ print: cellAt(row[column]), doubt: 0 })))
  const comparable = (all: OracleCell[][]) => (by_device ? overDevices(all, kinds, device) : all)
  const known = kinds.map((kind, column): ColumnKind =>
    by_device && (kind === 'quotient' || column === device) ? 'unknown' : kind,
  )
  const { surplus, missing } = unlike(comparable(printed), comparable(rows), known)
  const text = (row: OracleCell[]) => JSON.stringify(row.map(({ print }) => print))
  return [
    ...surplus.slice(0, 5).map(row => `has ${text(row)}`),
    ...missing.slice(0, 5).map(row => `lacks ${text(row)}`),
    ...(surplus.length > 5 || missing.length > 5
      ? [`${surplus.length} too many, ${missing.length} missing`]
      : []),
  ]
}

const cellAt = (cell: unknown): Cell => (typeof cell === 'number' ? cell : String(cell ?? ''))

/** Rows that are not among the others, by their labels first. */
function unlike(found: OracleCell[][], expected: OracleCell[][], kinds: ColumnKind[]) {
  const labelled = (row: OracleCell[]) =>
    JSON.stringify(row.flatMap(({ print }, column) => (kinds[column] === 'label' ? print : [])))
  const missing = Map.groupBy(expected, labelled)
  const surplus = found.filter(row => {
    const group = missing.get(labelled(row)) ?? []
    const at = group.findIndex(other =>
      other.every((cell, column) => isLike(row[column], cell, kinds[column])),
    )
    if (at >= 0) group.splice(at, 1)
    return at < 0
  })
  return { surplus, missing: [...missing.values()].flat() }
}

/** A quotient may be off by the rounding of its steps. */
function isLike(found: OracleCell | undefined, { print, doubt }: OracleCell, kind: ColumnKind | undefined) {
  if (kind === 'unknown' || doubt === Infinity || found?.print === print) return true
  if (kind === 'about' && typeof print === 'number' && typeof found?.print === 'number')
    return Math.abs(found.print - print) <= Math.abs(print) * 1e-6 + 0.01
  if (kind !== 'quotient' || typeof print !== 'number' || typeof found?.print !== 'number') return false
  return Math.abs(found.print - print) <= Math.abs(print) * 1e-12 + doubt
}

/** Rows that only a kind of device distinguishes, as one. */
function overDevices(rows: OracleCell[][], kinds: ColumnKind[], device: number): OracleCell[][] {
  const labelled = (row: OracleCell[]) =>
    row.map(({ print }, column) => (kinds[column] === 'label' && column !== device ? print : ''))
  const groups = Map.groupBy(rows, row => JSON.stringify(labelled(row)))
  return [...groups.values()].map(group => {
    const [first = []] = group
    return labelled(first).map((label, column) => {
      if (kinds[column] !== 'sum' && kinds[column] !== 'about') return { print: label, doubt: 0 }
      const numbers = group.flatMap(row => row[column]?.print ?? '').filter(cell => typeof cell === 'number')
      // To the cent: sums of sums are not exact.
      const sum = Math.round(numbers.reduce((total, each) => total + each, 0) * 100) / 100
      return { print: numbers.length === 0 ? '' : sum, doubt: 0 }
    })
  })
}

/** Rows that are before one that belongs before them; stacked tables begin anew with each block. */
export function outOfOrder(cells: readonly unknown[][], { dimensions, arrangement }: MixedReport): string[] {
  const is_stacked = arrangement === 'stacked'
  // Two of one name are ordered by their ids, which are not printed: what follows begins anew with each.
  const named = dimensions.findIndex(dimension =>
    ['campaign', 'ad_group', 'account_name'].includes(dimension),
  )
  const count = (named < 0 ? dimensions.length : named + 1) + (is_stacked ? 1 : 0)
  const rows = cells.slice(1).map(row => Array.from({ length: count }, (_, column) => cellAt(row[column])))
  return rows.flatMap((row, at) => {
    const before = rows[at - 1]
    if (!before || (is_stacked && before[0] !== row[0])) return []
    const column = row.findIndex((cell, index) => cell !== before[index])
    if (column < 0 || comesBefore(before[column] ?? '', row[column] ?? '')) return []
    return [`${JSON.stringify(before)} stands before ${JSON.stringify(row)}`]
  })
}

/** UTF-8 sorts as code points do. */
const comesBefore = (one: Cell, other: Cell) =>
  typeof one === 'number' && typeof other === 'number'
    ? one < other
    : Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other))) < 0

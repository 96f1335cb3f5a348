import type { Cell, ExpectedTable, MixedReport } from './mixed-numbers-oracle.ts'

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
  const printed = body.map(row => header.map((_, column) => cellAt(row[column])))
  const comparable = (all: Cell[][]) =>
    (by_device ? overDevices(all, kinds, device) : all)
      .map(row => row.map((cell, column) => compared(cell, kinds[column] ?? 'unknown', by_device)))
      .map(row => JSON.stringify(row))
      .toSorted()
  const [found, expected] = [comparable(printed), comparable(rows)]
  const surplus = without(found, expected)
  const missing = without(expected, found)
  return [
    ...surplus.slice(0, 5).map(row => `has ${row}`),
    ...missing.slice(0, 5).map(row => `lacks ${row}`),
    ...(surplus.length > 5 || missing.length > 5
      ? [`${surplus.length} too many, ${missing.length} missing`]
      : []),
  ]
}

const cellAt = (cell: unknown): Cell => (typeof cell === 'number' ? cell : String(cell ?? ''))

/** A quotient may be off by the rounding of its last step. */
function compared(cell: Cell, kind: ExpectedTable['kinds'][number], by_device: boolean): Cell {
  if (kind === 'unknown' || (kind === 'quotient' && by_device)) return '?'
  return kind === 'quotient' && typeof cell === 'number' ? Number(cell.toPrecision(12)) : cell
}

/** Rows that only a kind of device distinguishes, as one. */
function overDevices(rows: Cell[][], kinds: ExpectedTable['kinds'], device: number): Cell[][] {
  const labelled = (row: Cell[]) =>
    row.map((cell, column) => (kinds[column] === 'label' && column !== device ? cell : ''))
  const groups = Map.groupBy(rows, row => JSON.stringify(labelled(row)))
  return [...groups.values()].map(group => {
    const [first = []] = group
    return labelled(first).map((label, column) => {
      if (kinds[column] !== 'sum') return label
      const numbers = group.flatMap(row => row[column] ?? '').filter(cell => typeof cell === 'number')
      // To the cent: sums of sums are not exact.
      return numbers.length === 0 ? '' : Math.round(numbers.reduce((sum, each) => sum + each, 0) * 100) / 100
    })
  })
}

function without(texts: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const text of others) counts.set(text, (counts.get(text) ?? 0) + 1)
  return texts.filter(text => {
    const count = counts.get(text) ?? 0
    counts.set(text, count - 1)
    return count <= 0
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

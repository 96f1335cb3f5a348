import { emptyGroups, groupAt } from './groups.ts'
import type { Rows } from './rows.ts'

/**
 * Every bucket × every combination of the other dimensions that occurs at all; the bucket is a row's first
 * code. Without other dimensions there is one combination, the empty one, and it always occurs. `checkCount`
 * gets the number of rows before they are made.
 */
export function fillRows(rows: Rows, buckets: number, checkCount: (count: number) => void): Rows {
  const { width, keys } = rows
  const others = emptyGroups(width - 1)
  const codes = new Int32Array(width - 1)
  if (width === 1) groupAt(others, codes, 0)
  const targets = new Int32Array(rows.count)
  for (let row = 0; row < rows.count; row++) {
    for (let position = 1; position < width; position++)
      codes[position - 1] = keys[row * width + position] ?? 0
    targets[row] = groupAt(others, codes, 0) * buckets + (keys[row * width] ?? 0)
  }
  const count = others.count * buckets
  checkCount(count)
  return {
    count,
    width,
    keys: everyCombination(others.keys, { width, buckets, count }),
    groups: rows.groups.map(column => {
      if (!column) return null
      const filled = new Int32Array(count).fill(-1)
      for (let row = 0; row < rows.count; row++) filled[targets[row] ?? 0] = column[row] ?? -1
      return filled
    }),
  }
}

function everyCombination(
  others: Int32Array,
  { width, buckets, count }: { width: number; buckets: number; count: number },
): Int32Array {
  const keys = new Int32Array(count * width)
  for (let row = 0; row < count; row++) {
    const other = Math.floor(row / buckets)
    keys[row * width] = row % buckets
    for (let position = 1; position < width; position++)
      keys[row * width + position] = others[other * (width - 1) + position - 1] ?? 0
  }
  return keys
}

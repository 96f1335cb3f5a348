import { emptyGroups, groupAt } from './groups.ts'
import type { BlockRows } from './filter.ts'
import type { KeyRows } from './order.ts'

/** Rows of a table before they are sorted. */
export interface Rows extends KeyRows {
  /** Per block: the group of sums of each row, -1 for none; null: the block has no part in these rows. */
  groups: (Int32Array | null)[]
}

/** One row for each combination that any block has. A block that is null was dropped. */
export function joinedRows(blocks: readonly (BlockRows | null)[], width: number): Rows {
  const present = blocks.filter(block => block !== null)
  const [only] = present
  if (only && present.length === 1) {
    return { count: only.count, width, keys: only.keys, groups: blocks.map(block => block && block.groups) }
  }
  const index = emptyGroups(width)
  const rowsOf = present.map(block => rowsIn(index, block))
  const groups = blocks.map(block => {
    if (!block) return null
    const column = new Int32Array(index.count).fill(-1)
    rowsOf[present.indexOf(block)]?.forEach((row, at) => {
      column[row] = block.groups[at] ?? -1
    })
    return column
  })
  return { count: index.count, width, keys: index.keys, groups }
}

/** The row of each combination of a block, new ones added. */
function rowsIn(index: ReturnType<typeof emptyGroups>, { keys, width, count }: KeyRows): Int32Array {
  const codes = new Int32Array(width)
  const rows = new Int32Array(count)
  for (let at = 0; at < count; at++) {
    for (let position = 0; position < width; position++) codes[position] = keys[at * width + position] ?? 0
    rows[at] = groupAt(index, codes, 0)
  }
  return rows
}

/** The rows of one block alone. */
export const stackedRows = (blocks: readonly (BlockRows | null)[], block: BlockRows): Rows => ({
  count: block.count,
  width: block.width,
  keys: block.keys,
  groups: blocks.map(other => (other === block ? block.groups : null)),
})

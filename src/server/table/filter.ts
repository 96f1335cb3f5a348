import type { Filter } from '#shared/channels/catalogue.ts'
import { filterTest } from '#shared/filter.ts'
import type { Dictionary } from './dictionary.ts'
import { emptyGroups, groupAt, type Groups } from './groups.ts'
import { ascending, type KeyRows } from './order.ts'
import { addGroup, extend, sumsLike, type Sums } from './sums.ts'

/** The groups of a block at the grain of the table: combination `r` has its sums in group `groups[r]`. */
export interface BlockRows extends KeyRows {
  groups: Int32Array
  sums: Sums
}

/** A filter, and the position in a combination of the code that it compares. */
export interface ColumnFilter {
  filter: Filter
  position: number
  dictionary: Dictionary
}

/**
 * The rows of a block that pass its filters, with `visible` codes a combination: hidden ones at the end are
 * summed over. A filter sees the name that the table would print, so an entity is in or out with all its
 * days.
 */
export function filterRows(
  { groups, sums }: { groups: Groups; sums: Sums },
  filters: readonly ColumnFilter[],
  visible: number,
): BlockRows {
  const { width, count } = groups
  const passing = passingGroups(groups, filters)
  if (width > visible) return sumOverHidden(groups, sums, passing, visible)
  if (passing.length === count) return { count, width, keys: groups.keys, groups: passing, sums }
  const keys = new Int32Array(passing.length * width)
  passing.forEach((group, row) =>
    keys.set(groups.keys.subarray(group * width, (group + 1) * width), row * width),
  )
  return { count: passing.length, width, keys, groups: passing, sums }
}

/** Each filter decides once about each value of its dimension. */
function passingGroups({ keys, width, count }: Groups, filters: readonly ColumnFilter[]): Int32Array {
  const tests = filters.map(({ filter, position, dictionary }) => {
    const passes = filterTest(filter)
    return { position, passesByCode: Uint8Array.from(dictionary.labels, label => (passes(label) ? 1 : 0)) }
  })
  if (tests.length === 0) return ascending(count)
  const passing = new Int32Array(count)
  let length = 0
  for (let group = 0; group < count; group++) {
    if (tests.every(({ position, passesByCode }) => passesByCode[keys[group * width + position] ?? 0] === 1))
      passing[length++] = group
  }
  return passing.subarray(0, length)
}

function sumOverHidden(groups: Groups, sums: Sums, passing: Int32Array, visible: number): BlockRows {
  const coarse = emptyGroups(visible)
  const total = sumsLike(sums)
  const codes = new Int32Array(visible)
  for (const group of passing) {
    for (let position = 0; position < visible; position++)
      codes[position] = groups.keys[group * groups.width + position] ?? 0
    const target = groupAt(coarse, codes, 0)
    extend(total, coarse.count)
    addGroup(total, target, sums, group)
  }
  const rows = ascending(coarse.count)
  return { count: coarse.count, width: visible, keys: coarse.keys, groups: rows, sums: total }
}

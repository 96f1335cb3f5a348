import type { Filter } from '#shared/channels/catalogue.ts'
import { filterTest } from '#shared/filter.ts'
import type { Dictionary } from './dictionary.ts'
import { emptyGroups, groupAt, type Groups } from './groups.ts'
import { rising, type KeyRows } from './order.ts'
import { addGroup, reserve, sumsLike, type Sums } from './sums.ts'

/** The groups of a block at the grain of the table: combination `r` has its sums in group `groups[r]`. */
export interface BlockRows extends KeyRows {
  groups: Int32Array
  sums: Sums
}

/** A filter and where the code that it looks at stands in a combination. */
export interface PlacedFilter {
  filter: Filter
  place: number
  dictionary: Dictionary
}

/**
 * What a block's filters let through, with `shown` codes a combination: hidden ones at the end are summed over.
 * A filter sees the name that the table would print, so an entity is in or out with all its days.
 */
export function keptRows(
  { groups, sums }: { groups: Groups; sums: Sums },
  filters: readonly PlacedFilter[],
  shown: number,
): BlockRows {
  const { width, count } = groups
  const kept = passing(groups, filters)
  if (width > shown) return summedOver(groups, sums, kept, shown)
  if (kept.length === count) return { count, width, keys: groups.keys, groups: kept, sums }
  const keys = new Int32Array(kept.length * width)
  kept.forEach((group, row) =>
    keys.set(groups.keys.subarray(group * width, (group + 1) * width), row * width),
  )
  return { count: kept.length, width, keys, groups: kept, sums }
}

/** Each filter decides once about each value of its dimension. */
function passing({ keys, width, count }: Groups, filters: readonly PlacedFilter[]): Int32Array {
  const tests = filters.map(({ filter, place, dictionary }) => {
    const passes = filterTest(filter)
    return { place, verdicts: Uint8Array.from(dictionary.labels, label => (passes(label) ? 1 : 0)) }
  })
  if (tests.length === 0) return rising(count)
  const kept = new Int32Array(count)
  let length = 0
  for (let group = 0; group < count; group++) {
    if (tests.every(({ place, verdicts }) => verdicts[keys[group * width + place] ?? 0] === 1))
      kept[length++] = group
  }
  return kept.subarray(0, length)
}

function summedOver(groups: Groups, sums: Sums, kept: Int32Array, shown: number): BlockRows {
  const coarse = emptyGroups(shown)
  const total = sumsLike(sums)
  const codes = new Int32Array(shown)
  for (const group of kept) {
    for (let place = 0; place < shown; place++) codes[place] = groups.keys[group * groups.width + place] ?? 0
    const target = groupAt(coarse, codes, 0)
    reserve(total, coarse.count)
    addGroup(total, target, sums, group)
  }
  const rows = rising(coarse.count)
  return { count: coarse.count, width: shown, keys: coarse.keys, groups: rows, sums: total }
}

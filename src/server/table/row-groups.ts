import { enlarge, GROWTH } from './enlarge.ts'
import { addGroupKey, emptyGroups, groupAt, rehash, type Groups } from './groups.ts'

/**
 * The groups of a block's rows. A combination is an entity in a bucket of days, and as long as most entities
 * have rows in most buckets, its group is looked up in a table of all entities by all buckets.
 */
export interface RowGroups {
  groups: Groups
  /** Codes before the entity's: 1 when the first is the bucket. */
  from: number
  buckets: number
  /** The combinations of the other codes. */
  entities: Groups
  /** Per last code: the entity + 1 that had it the last time; most often there is one alone. */
  lastEntities: Int32Array<ArrayBuffer>
  /** Per entity and bucket: the group + 1, 0 for none; null: there are too few, and `groups` is searched. */
  table: Int32Array<ArrayBuffer> | null
}

/** Without `buckets` there is no bucket among the codes. */
export const openRowGroups = (width: number, buckets: number | null): RowGroups => {
  const from = buckets === null ? 0 : 1
  return {
    groups: emptyGroups(width),
    from,
    buckets: buckets ?? 1,
    entities: emptyGroups(width - from),
    lastEntities: new Int32Array(64),
    table: new Int32Array(64),
  }
}

/**
 * The group of each row into `out`. `codes` are the rows' combinations one after the other: row `r` is
 * `codes[r * width …]`.
 */
export function groupRows(
  index: RowGroups,
  codes: Int32Array,
  { length, out }: { length: number; out: Int32Array },
): void {
  const { groups, from, buckets } = index
  const { width } = groups
  for (let row = 0; row < length; row++) {
    const at = row * width
    const slot = entityAt(index, codes, at) * buckets + (from === 0 ? 0 : (codes[at] ?? 0))
    let { table } = index
    if (table && slot >= table.length) table = widen(index, slot)
    if (table === null) {
      out[row] = groupAt(groups, codes, at)
      continue
    }
    const known = (table[slot] ?? 0) - 1
    const group = known < 0 ? addGroupKey(groups, codes, at) : known
    if (known < 0) table[slot] = group + 1
    out[row] = group
  }
}

function entityAt(index: RowGroups, codes: Int32Array, at: number): number {
  const { entities, from, groups } = index
  const { width, keys } = entities
  const last = codes[at + groups.width - 1] ?? 0
  const guess = (index.lastEntities[last] ?? 0) - 1
  if (guess >= 0) {
    let position = 0
    while (position < width && keys[guess * width + position] === codes[at + from + position]) position++
    if (position === width) return guess
  }
  const entity = groupAt(entities, codes, at + from)
  if (last >= index.lastEntities.length)
    index.lastEntities = enlarge(index.lastEntities, new Int32Array((last + 1) * GROWTH))
  index.lastEntities[last] = entity + 1
  return entity
}

/** Slots that a table may have at any rate, and how many for each group. */
const SMALL = 2 ** 20
const MOST_SLOTS = 8

/** A table that has this slot; null when it would be mostly empty. */
function widen(index: RowGroups, slot: number): Int32Array<ArrayBuffer> | null {
  const { groups, table } = index
  if (!table || slot >= Math.max(SMALL, groups.count * MOST_SLOTS)) {
    index.table = null
    rehash(groups, 2 ** Math.ceil(Math.log2(groups.count * 4 + 256)))
    return null
  }
  index.table = enlarge(table, new Int32Array((slot + 1) * GROWTH))
  return index.table
}

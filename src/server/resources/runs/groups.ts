/** Distinct combinations of codes, numbered in order of appearance: an open-addressing hash table over typed arrays. */
export interface Groups {
  /** Codes in a combination. */
  width: number
  count: number
  /** Combination `g` is `keys[g * width … g * width + width)`. */
  keys: Int32Array
  /** Group + 1, 0 for free; a power of two long and at most half full. */
  slots: Int32Array
}

export const emptyGroups = (width: number): Groups => ({
  width,
  count: 0,
  keys: new Int32Array(64 * width),
  slots: new Int32Array(256),
})

/** The group of each row into `out`; `columns` are the codes of the rows, one column for each place of the combination. */
export function groupRows(
  groups: Groups,
  columns: readonly Int32Array[],
  length: number,
  out: Int32Array,
): void {
  hashColumns(columns, length, out)
  const { width } = groups
  for (let row = 0; row < length; row++) {
    if (groups.count * 2 >= groups.slots.length) grow(groups)
    const { slots, keys } = groups
    const mask = slots.length - 1
    let slot = (out[row] ?? 0) & mask
    let group = -1
    for (;;) {
      group = (slots[slot] ?? 0) - 1
      if (group < 0) break
      let place = 0
      const base = group * width
      while (place < width && keys[base + place] === columns[place]?.[row]) place++
      if (place === width) break
      slot = (slot + 1) & mask
    }
    out[row] = group < 0 ? append(groups, slot, columns, row) : group
  }
}

/** The group of one combination, given as consecutive codes. */
export function groupOf(groups: Groups, codes: Int32Array): number {
  if (groups.count * 2 >= groups.slots.length) grow(groups)
  const { width, slots, keys } = groups
  const mask = slots.length - 1
  let slot = hashOf(codes, 0, width) & mask
  for (;;) {
    const group = (slots[slot] ?? 0) - 1
    if (group < 0) break
    let place = 0
    while (place < width && keys[group * width + place] === codes[place]) place++
    if (place === width) return group
    slot = (slot + 1) & mask
  }
  const group = take(groups, slot)
  groups.keys.set(codes.length === width ? codes : codes.subarray(0, width), group * width)
  return group
}

function append(groups: Groups, slot: number, columns: readonly Int32Array[], row: number): number {
  const group = take(groups, slot)
  const base = group * groups.width
  for (let place = 0; place < groups.width; place++) groups.keys[base + place] = columns[place]?.[row] ?? 0
  return group
}

function take(groups: Groups, slot: number): number {
  const group = groups.count++
  groups.slots[slot] = group + 1
  if ((group + 1) * groups.width > groups.keys.length) {
    const keys = new Int32Array(Math.ceil(groups.keys.length * 1.5) + groups.width)
    keys.set(groups.keys)
    groups.keys = keys
  }
  return group
}

function grow(groups: Groups): void {
  const { width, keys, count } = groups
  const slots = new Int32Array(groups.slots.length * 4)
  const mask = slots.length - 1
  for (let group = 0; group < count; group++) {
    let slot = hashOf(keys, group * width, width) & mask
    while (slots[slot] !== 0) slot = (slot + 1) & mask
    slots[slot] = group + 1
  }
  groups.slots = slots
}

const SEED = 0x2545f491

function hashColumns(columns: readonly Int32Array[], length: number, out: Int32Array): void {
  out.fill(SEED, 0, length)
  for (const column of columns) {
    for (let row = 0; row < length; row++) out[row] = mix(out[row] ?? 0, column[row] ?? 0)
  }
}

function hashOf(codes: Int32Array, from: number, width: number): number {
  let hash = SEED
  for (let place = from; place < from + width; place++) hash = mix(hash, codes[place] ?? 0)
  return hash
}

function mix(hash: number, code: number): number {
  const mixed = Math.imul(hash ^ code, 0x9e3779b1)
  return mixed ^ (mixed >>> 15)
}

import { enlarge, GROWTH } from './enlarge.ts'

/**
 * Distinct combinations of codes, numbered in order of appearance: an open-addressing hash table over typed
 * arrays.
 */
export interface Groups {
  /** Codes in a combination. */
  width: number
  count: number
  /** Combination `g` is `keys[g * width … g * width + width)`. */
  keys: Int32Array<ArrayBuffer>
  /** Group + 1, 0 for free; a power of two long and at most half full. */
  slots: Int32Array
}

export const emptyGroups = (width: number): Groups => ({
  width,
  count: 0,
  keys: new Int32Array(64 * Math.max(width, 1)),
  slots: new Int32Array(256),
})

/** The group of the combination at `codes[from]`; a new one when it is unknown. */
export function groupAt(groups: Groups, codes: Int32Array, from: number): number {
  if (groups.count * 2 >= groups.slots.length) rehash(groups, groups.slots.length * 4)
  const { width, slots, keys } = groups
  const mask = slots.length - 1
  let slot = hashOf(codes, from, width) & mask
  for (;;) {
    const group = (slots[slot] ?? 0) - 1
    if (group < 0) break
    const base = group * width
    let position = 0
    while (position < width && keys[base + position] === codes[from + position]) position++
    if (position === width) return group
    slot = (slot + STEP) & mask
  }
  slots[slot] = groups.count + 1
  return addGroupKey(groups, codes, from)
}

/** A new group for a combination that is unknown. */
export function addGroupKey(groups: Groups, codes: Int32Array, from: number): number {
  const { width } = groups
  const group = groups.count++
  const base = group * width
  if (base + width > groups.keys.length)
    groups.keys = enlarge(groups.keys, new Int32Array(groups.keys.length * GROWTH))
  const { keys } = groups
  for (let position = 0; position < width; position++) keys[base + position] = codes[from + position] ?? 0
  return group
}

/** Finds slots for all groups anew, in so many. */
export function rehash(groups: Groups, length: number): void {
  const { width, keys, count } = groups
  const slots = new Int32Array(length)
  const mask = slots.length - 1
  for (let group = 0; group < count; group++) {
    let slot = hashOf(keys, group * width, width) & mask
    while (slots[slot] !== 0) slot = (slot + STEP) & mask
    slots[slot] = group + 1
  }
  groups.slots = slots
}

/**
 * Odd, so that it visits every slot, and larger than a cache line, so that a used slot leads to another line.
 */
const STEP = 17
const LINE = 4

/**
 * Sixteen values of the last code fall into one cache line, at a position that the other codes decide:
 * platforms return entities in order, so most look-ups find their line in the cache.
 */
function hashOf(codes: Int32Array, from: number, width: number): number {
  const end = from + width - 1
  let hash = 0x2545f491
  for (let position = from; position < end; position++) hash = mix(hash, codes[position] ?? 0)
  const last = width === 0 ? 0 : (codes[end] ?? 0)
  return (mix(hash, last >>> LINE) << LINE) | ((last + hash) & ((1 << LINE) - 1))
}

function mix(hash: number, code: number): number {
  const mixed = Math.imul(hash ^ code, 0x9e3779b1)
  return mixed ^ (mixed >>> 15)
}

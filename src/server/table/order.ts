import type { Dictionary } from './dictionary.ts'

/** Combinations of codes, row by row: row `r` is `keys[r * width … r * width + width)`. */
export interface KeyRows {
  count: number
  width: number
  keys: Int32Array
}

/** One dimension to sort by: the position of its code in a row's combination, and the rank of each code. */
export interface SortKey {
  position: number
  ranks: Int32Array
}

/**
 * The rows in order: by the first key, then the second, and so on. Counting sorts from the last key to the
 * first.
 */
export function orderOf({ count, width, keys }: KeyRows, sortKeys: readonly SortKey[]): Int32Array {
  let order = ascending(count)
  let sorted = new Int32Array(count)
  const rowRanks = new Int32Array(count)
  for (const { position, ranks } of sortKeys.toReversed()) {
    const largest = ranks.reduce((most, rank) => Math.max(most, rank), 0)
    const starts = new Int32Array(largest + 2)
    for (let row = 0; row < count; row++) {
      const rank = ranks[keys[row * width + position] ?? 0] ?? 0
      rowRanks[row] = rank
      starts[rank + 1] = (starts[rank + 1] ?? 0) + 1
    }
    countingSort(order, { rowRanks, starts: addedUp(starts), sorted })
    ;[order, sorted] = [sorted, order]
  }
  return order
}

/** The rows by their values, ascending; those of the same value stay in order. */
export function orderByValue(order: Int32Array, values: Float64Array): Int32Array {
  const distinct = values.toSorted()
  let length = 0
  for (const value of distinct) if (length === 0 || value !== distinct[length - 1]) distinct[length++] = value
  const known = distinct.subarray(0, length)
  const rowRanks = Int32Array.from(values, value => positionIn(known, value))
  const sorted = new Int32Array(order.length)
  const starts = new Int32Array(length + 1)
  for (const rank of rowRanks) starts[rank + 1] = (starts[rank + 1] ?? 0) + 1
  countingSort(order, { rowRanks, starts: addedUp(starts), sorted })
  return sorted
}

/** By bisection, in ascending values that have it. */
function positionIn(values: Float64Array, value: number): number {
  let [low, high] = [0, values.length - 1]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((values[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * The rows of `order` into `sorted`, by their ranks; those of one rank stay in order. `starts`: for each rank
 * how many rows have a smaller one.
 */
function countingSort(
  order: Int32Array,
  { rowRanks, starts, sorted }: { rowRanks: Int32Array; starts: Int32Array; sorted: Int32Array },
): void {
  for (const row of order) {
    const rank = rowRanks[row] ?? 0
    const target = starts[rank] ?? 0
    starts[rank] = target + 1
    sorted[target] = row
  }
}

/** Each number with all before it. */
function addedUp(numbers: Int32Array): Int32Array {
  for (let at = 1; at < numbers.length; at++) numbers[at] = (numbers[at] ?? 0) + (numbers[at - 1] ?? 0)
  return numbers
}

/**
 * The first rows of all by a comparison, in its order, without sorting the others: a heap of the first ones
 * so far, the last of them on top.
 */
export function leadingRows(
  { count, limit }: { count: number; limit: number },
  compare: (one: number, other: number) => number,
): Int32Array {
  const heap = ascending(Math.min(count, limit))
  for (let at = (heap.length >> 1) - 1; at >= 0; at--) sink(heap, at, compare)
  for (let row = heap.length; row < count; row++) {
    if (compare(row, heap[0] ?? 0) >= 0) continue
    heap[0] = row
    sink(heap, 0, compare)
  }
  return heap.toSorted(compare)
}

function sink(heap: Int32Array, from: number, compare: (one: number, other: number) => number): void {
  let at = from
  for (;;) {
    let largest = at
    for (const child of [2 * at + 1, 2 * at + 2])
      if (child < heap.length && compare(heap[child] ?? 0, heap[largest] ?? 0) > 0) largest = child
    if (largest === at) return
    const row = heap[at] ?? 0
    heap[at] = heap[largest] ?? 0
    heap[largest] = row
    at = largest
  }
}

/** 0, 1, 2 … */
export function ascending(length: number): Int32Array<ArrayBuffer> {
  const numbers = new Int32Array(length)
  for (let at = 0; at < length; at++) numbers[at] = at
  return numbers
}

/** Ranks of texts by code point; equal ones by key, then by scope, so that every code has its own rank. */
export function textRanks(texts: readonly string[], { keys, scopes }: Dictionary): Int32Array {
  const prefixes = Float64Array.from(texts, prefixOf)
  const codes = ascending(texts.length)
  codes.sort(
    (one, other) =>
      (prefixes[one] ?? 0) - (prefixes[other] ?? 0) ||
      compareCodePoints(texts[one] ?? '', texts[other] ?? '') ||
      compareCodePoints(keys[one] ?? '', keys[other] ?? '') ||
      (scopes[one] ?? 0) - (scopes[other] ?? 0),
  )
  const ranks = new Int32Array(texts.length)
  codes.forEach((code, rank) => {
    ranks[code] = rank
  })
  return ranks
}

/** Ascending by Unicode code point, which UTF-16 order is not for characters beyond the basic plane. */
export function compareCodePoints(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  for (let at = 0; at < length; at++) {
    const a = one.charCodeAt(at)
    const b = other.charCodeAt(at)
    if (a !== b) return sortableUnit(a) - sortableUnit(b)
  }
  return one.length - other.length
}

/** Three code units as one number that sorts alike: most comparisons need no more. */
function prefixOf(text: string): number {
  let prefix = 0
  for (let at = 0; at < 3; at++)
    prefix = prefix * 0x10001 + (at < text.length ? sortableUnit(text.charCodeAt(at)) + 1 : 0)
  return prefix
}

/** Code units with the surrogates above all others: then they sort as code points do. */
const sortableUnit = (unit: number) => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800)

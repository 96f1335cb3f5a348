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
    let largest = 0
    for (let row = 0; row < count; row++) {
      const rank = ranks[keys[row * width + position] ?? 0] ?? 0
      rowRanks[row] = rank
      if (rank > largest) largest = rank
    }
    const starts = startsOf(rowRanks, largest)
    for (let at = 0; at < count; at++) {
      const row = order[at] ?? 0
      const rank = rowRanks[row] ?? 0
      const target = starts[rank] ?? 0
      starts[rank] = target + 1
      sorted[target] = row
    }
    ;[order, sorted] = [sorted, order]
  }
  return order
}

/** 0, 1, 2 … */
export function ascending(length: number): Int32Array<ArrayBuffer> {
  const numbers = new Int32Array(length)
  for (let at = 0; at < length; at++) numbers[at] = at
  return numbers
}

/** For each rank how many have a smaller one. */
function startsOf(ranks: Int32Array, largest: number): Int32Array {
  const starts = new Int32Array(largest + 2)
  for (const rank of ranks) starts[rank + 1] = (starts[rank + 1] ?? 0) + 1
  for (let rank = 0; rank <= largest; rank++) starts[rank + 1] = (starts[rank + 1] ?? 0) + (starts[rank] ?? 0)
  return starts
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

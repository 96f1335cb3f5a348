// Every fact of the dataset is computed from hashes of names and numbers, never stored and never drawn from a
// running generator: so it cannot depend on the order, range or level of the requests.

/** Mixes two 32-bit integers into one (the finalizer of MurmurHash3). */
export function mix(left: number, right: number): number {
  let hash = Math.imul(left ^ Math.imul(right, 0x9e3779b1), 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  hash ^= hash >>> 16
  return hash | 0
}

/** A 32-bit integer for a text. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = mix(hash, text.charCodeAt(index))
  return hash
}

/** A number from 0 up to, not including, 1. */
export const unit = (hash: number) => (hash >>> 0) / 4294967296

/** A number between two bounds. */
export const between = (hash: number, low: number, high: number) => low + unit(hash) * (high - low)

/** One of a list that is not empty. */
export function pick<T>(hash: number, list: readonly [T, ...T[]]): T {
  return list[(hash >>> 0) % list.length] ?? list[0]
}

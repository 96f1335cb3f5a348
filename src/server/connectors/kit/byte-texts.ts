import { QUOTE, sourceOf, stringEnd, type ByteSource } from './byte-json.ts'

/**
 * Texts that have been met in bytes, by codes from 0 on: most rows say one that is known, and are compared
 * with it without making a text of them.
 */
export interface ByteTexts<Source extends ByteSource> {
  /** The code of the text of JSON that begins at a position, behind its quotation mark. */
  codeAt(source: Source, from: number): number
  /** The code of the text between two positions. */
  codeOf(source: Source, from: number, end: number): number
  /** How many bytes a text has. */
  lengthOf(code: number): number
}

/** `enter` is called with each text that is new; when it throws, the text stays unknown. */
export function createByteTexts<Source extends ByteSource>(
  enter: (source: Source, from: number, end: number) => void,
): ByteTexts<Source> {
  let count = 0
  let pool = sourceOf(Buffer.alloc(1024))
  /** Where the bytes of each text begin in the pool, and of the next one to come. */
  let starts = new Int32Array(64)
  /**
   * Which text followed which the last time: platforms name the same entities in the same order again and
   * again.
   */
  let next = new Int32Array(64)
  /** Text + 1, 0 for free; a power of two long and at most half full. */
  let slots = new Int32Array(256)
  let last = 0

  const lengthOf = (code: number) => (starts[code + 1] ?? 0) - (starts[code] ?? 0)

  /** Whether the bytes of a text are at a position, where there are as many. */
  const isAt = (code: number, { bytes, view }: ByteSource, from: number): boolean => {
    const start = starts[code] ?? 0
    const length = (starts[code + 1] ?? 0) - start
    if (length < 4) {
      for (let at = 0; at < length; at += 1) if (bytes[from + at] !== pool.bytes[start + at]) return false
      return true
    }
    const final = length - 4
    for (let at = 0; at < final; at += 4)
      if (view.getInt32(from + at) !== pool.view.getInt32(start + at)) return false
    return view.getInt32(from + final) === pool.view.getInt32(start + final)
  }
  const isTextAt = (code: number, source: ByteSource, from: number) =>
    source.bytes[from + lengthOf(code)] === QUOTE && isAt(code, source, from)

  /** The slot of a text, or the free one where it would be. */
  const slotOf = (source: ByteSource, from: number, end: number): number => {
    const hash = hashOf(source.bytes, from, end)
    // Its last bits alone are not mixed well.
    let slot = (hash ^ (hash >>> 15)) & (slots.length - 1)
    for (let code = slots[slot] ?? 0; code > 0; code = slots[slot] ?? 0) {
      if (lengthOf(code - 1) === end - from && isAt(code - 1, source, from)) break
      slot = (slot + 1) & (slots.length - 1)
    }
    return slot
  }
  const found = (source: Source, from: number, end: number): number => {
    const slot = slotOf(source, from, end)
    const known = slots[slot] ?? 0
    if (known > 0) return known - 1
    enter(source, from, end)
    slots[slot] = count + 1
    store(source.bytes, from, end)
    return count - 1
  }
  const store = (bytes: Buffer, from: number, end: number) => {
    const start = starts[count] ?? 0
    count += 1
    if (count + 1 > starts.length) {
      starts = grown(starts)
      next = grown(next)
    }
    if (start + end - from > pool.bytes.length) {
      const larger = Buffer.alloc(2 * pool.bytes.length + end - from)
      pool.bytes.copy(larger)
      pool = sourceOf(larger)
    }
    bytes.copy(pool.bytes, start, from, end)
    starts[count] = start + end - from
    if (count * 2 < slots.length) return
    slots = new Int32Array(slots.length * 4)
    for (let code = 0; code < count; code += 1)
      slots[slotOf(pool, starts[code] ?? 0, starts[code + 1] ?? 0)] = code + 1
  }
  const followedBy = (code: number) => {
    next[last] = code
    last = code
    return code
  }

  return {
    lengthOf,
    codeAt(source, from) {
      const guess = next[last] ?? 0
      if (count > 0 && isTextAt(guess, source, from)) {
        last = guess
        return guess
      }
      const isLast = count > 0 && isTextAt(last, source, from)
      return followedBy(isLast ? last : found(source, from, stringEnd(source.bytes, from)))
    },
    codeOf(source, from, end) {
      const guess = next[last] ?? 0
      const isGuess = count > 0 && lengthOf(guess) === end - from && isAt(guess, source, from)
      return followedBy(isGuess ? guess : found(source, from, end))
    },
  }
}

function grown(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2)
  larger.set(array)
  return larger
}

/** FNV-1a. */
function hashOf(bytes: Buffer, from: number, end: number): number {
  let hash = 0x811c9dc5
  for (let at = from; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193)
  return hash
}

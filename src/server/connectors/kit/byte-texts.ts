import { NotRecognised, QUOTE, sourceOf, stringEnd, textIn, type ByteSource } from './byte-json.ts'
import type { TextRule } from './rows.ts'

/**
 * Texts that have been met in bytes, as their bytes and decoded: most rows say one that is known, and are
 * compared with it without making a text of them.
 */
export interface ByteTexts {
  values: string[]
  /** The index of the text that begins at a position, behind its quotation mark. */
  codeAt(source: ByteSource, from: number): number
  /** How many bytes that text has. */
  lengthOf(code: number): number
}

export function createByteTexts({ isGood = () => true, absent }: TextRule): ByteTexts {
  const values: string[] = []
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

  const isAt = (code: number, { bytes, view }: ByteSource, from: number): boolean => {
    const start = starts[code] ?? 0
    const length = (starts[code + 1] ?? 0) - start
    if (bytes[from + length] !== QUOTE) return false
    if (length < 4) {
      for (let at = 0; at < length; at += 1) if (bytes[from + at] !== pool.bytes[start + at]) return false
      return true
    }
    const final = length - 4
    for (let at = 0; at < final; at += 4)
      if (view.getInt32(from + at) !== pool.view.getInt32(start + at)) return false
    return view.getInt32(from + final) === pool.view.getInt32(start + final)
  }

  const slotFor = (hash: number) => (hash ^ (hash >>> 15)) & (slots.length - 1)

  const found = (source: ByteSource, from: number): number => {
    const { bytes } = source
    const end = stringEnd(bytes, from)
    const hash = hashOf(bytes, from, end)
    let slot = slotFor(hash)
    for (let code = slots[slot] ?? 0; code > 0; code = slots[slot] ?? 0) {
      if (lengthOf(code - 1) === end - from && isAt(code - 1, source, from)) return code - 1
      slot = (slot + 1) & (slots.length - 1)
    }
    const text = textIn(bytes, from, end)
    if (!isGood(text)) throw new NotRecognised()
    const code = values.push(text) - 1
    slots[slot] = code + 1
    store(bytes, from, end)
    return code
  }

  const store = (bytes: Buffer, from: number, end: number) => {
    const code = values.length - 1
    const start = starts[code] ?? 0
    if (code + 2 > starts.length) {
      starts = grown(starts)
      next = grown(next)
    }
    if (start + end - from > pool.bytes.length) {
      const larger = Buffer.alloc(2 * pool.bytes.length + end - from)
      pool.bytes.copy(larger)
      pool = sourceOf(larger)
    }
    bytes.copy(pool.bytes, start, from, end)
    starts[code + 1] = start + end - from
    if (values.length * 2 < slots.length) return
    slots = new Int32Array(slots.length * 4)
    for (let known = 0; known < values.length; known += 1) {
      let slot = slotFor(hashOf(pool.bytes, starts[known] ?? 0, starts[known + 1] ?? 0))
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1)
      slots[slot] = known + 1
    }
  }

  const lengthOf = (code: number) => (starts[code + 1] ?? 0) - (starts[code] ?? 0)

  if (absent !== undefined) {
    // The first of all: rows that say nothing have 0 in their column.
    found(sourceOf(Buffer.from(JSON.stringify(absent))), 1)
  }

  return {
    values,
    lengthOf,
    codeAt(source, from) {
      const guess = next[last] ?? 0
      if (values.length > 0 && isAt(guess, source, from)) {
        last = guess
        return guess
      }
      const code = values.length > 0 && isAt(last, source, from) ? last : found(source, from)
      next[last] = code
      last = code
      return code
    },
  }
}

function grown(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2)
  larger.set(array)
  return larger
}

function hashOf(bytes: Buffer, from: number, end: number): number {
  let hash = 0x811c9dc5
  for (let at = from; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193)
  return hash
}

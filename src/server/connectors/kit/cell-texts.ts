import type { CsvReader } from './csv-bytes.ts'

/**
 * A number that depends on a cell's text and is worked out once for each text: of a cell that has been met
 * before only the bytes are compared.
 */
export function cellTranslator(numberOf: (text: string) => number): (row: CsvReader, cell: number) => number {
  // Of each text that has been met: its bytes in `pool`, its number, and the text that came after it the last
  // time. Platforms name the same entities in the same order again and again.
  let pool = Buffer.alloc(1024)
  const starts = [0]
  const numbers: number[] = []
  const next: number[] = []
  /** Text + 1, 0 for none: a hash table at most half full. */
  let slots = new Int32Array(256)
  let last = 0

  const lengthOf = (text: number) => (starts[text + 1] ?? 0) - (starts[text] ?? 0)
  const isAt = (text: number, bytes: Buffer, start: number) => {
    let at = start
    const ownEnd = starts[text + 1] ?? 0
    for (let own = starts[text] ?? 0; own < ownEnd; own += 1, at += 1)
      if (bytes[at] !== pool[own]) return false
    return true
  }
  /** The slot of a text, or the free one where it would be. */
  const slotOf = (bytes: Buffer, start: number, end: number) => {
    let slot = hashOf(bytes, start, end) & (slots.length - 1)
    for (let text = slots[slot] ?? 0; text > 0; text = slots[slot] ?? 0) {
      if (lengthOf(text - 1) === end - start && isAt(text - 1, bytes, start)) break
      slot = (slot + 1) & (slots.length - 1)
    }
    return slot
  }
  const enlarge = () => {
    slots = new Int32Array(4 * slots.length)
    for (let text = 0; text < numbers.length; text += 1)
      slots[slotOf(pool, starts[text] ?? 0, starts[text + 1] ?? 0)] = text + 1
  }
  const keep = (bytes: Buffer, start: number, end: number) => {
    const own = starts.at(-1) ?? 0
    const ownEnd = own + end - start
    if (ownEnd > pool.length) pool = Buffer.concat([pool], 2 * ownEnd)
    bytes.copy(pool, own, start, end)
    starts.push(ownEnd)
  }
  const found = (row: CsvReader, cell: number) => {
    const { bytes } = row
    const start = row.starts[cell] ?? 0
    const end = row.ends[cell] ?? 0
    const slot = slotOf(bytes, start, end)
    const known = slots[slot] ?? 0
    if (known > 0) return known - 1
    const text = numbers.push(numberOf(row.text(cell))) - 1
    keep(bytes, start, end)
    next.push(text)
    slots[slot] = text + 1
    if (numbers.length * 2 > slots.length) enlarge()
    return text
  }
  return (row, cell) => {
    const guess = next[last] ?? -1
    const start = row.starts[cell] ?? 0
    const isGuess =
      guess >= 0 && lengthOf(guess) === (row.ends[cell] ?? 0) - start && isAt(guess, row.bytes, start)
    const text = isGuess ? guess : found(row, cell)
    next[last] = text
    last = text
    return numbers[text] ?? 0
  }
}

/** FNV-1a, mixed: only its last bits are used. */
function hashOf(bytes: Buffer, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193)
  return hash ^ (hash >>> 15)
}

import type { CsvReader } from './csv-bytes.ts'

/**
 * A number that depends on a cell's text and is worked out once for each text: of a cell that has been met
 * before only the bytes are compared.
 */
export function cellTranslator(
  { bytes }: CsvReader,
  numberOf: (text: string) => number,
): (row: CsvReader, cell: number) => number {
  // Of each text that has been met: where its bytes are, its number, and the text that came after it the last
  // time. Platforms name the same entities in the same order again and again.
  const starts: number[] = []
  const ends: number[] = []
  const numbers: number[] = []
  const next: number[] = []
  /** Text + 1, 0 for none: a hash table at most half full. */
  let slots = new Int32Array(256)
  let last = 0

  const isAt = (text: number, start: number, end: number) => {
    let own = starts[text] ?? 0
    if ((ends[text] ?? 0) - own !== end - start) return false
    for (let at = start; at < end; at += 1, own += 1) if (bytes[at] !== bytes[own]) return false
    return true
  }
  /** The slot of a text, or the free one where it would be. */
  const slotOf = (start: number, end: number) => {
    let slot = hashOf(bytes, start, end) & (slots.length - 1)
    for (let text = slots[slot] ?? 0; text > 0 && !isAt(text - 1, start, end); text = slots[slot] ?? 0)
      slot = (slot + 1) & (slots.length - 1)
    return slot
  }
  const enlarge = () => {
    slots = new Int32Array(4 * slots.length)
    for (const [text, start] of starts.entries()) slots[slotOf(start, ends[text] ?? 0)] = text + 1
  }
  const found = (row: CsvReader, cell: number) => {
    const start = row.starts[cell] ?? 0
    const end = row.ends[cell] ?? 0
    const slot = slotOf(start, end)
    const known = slots[slot] ?? 0
    if (known > 0) return known - 1
    const number = numberOf(row.text(cell))
    const text = numbers.push(number) - 1
    starts.push(start)
    ends.push(end)
    next.push(text)
    slots[slot] = text + 1
    if (numbers.length * 2 > slots.length) enlarge()
    return text
  }
  return (row, cell) => {
    const start = row.starts[cell] ?? 0
    const end = row.ends[cell] ?? 0
    const guess = next[last] ?? -1
    const text = guess >= 0 && isAt(guess, start, end) ? guess : found(row, cell)
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

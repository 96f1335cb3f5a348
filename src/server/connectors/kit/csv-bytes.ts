import { sourceOf, type ByteSource } from './byte-json.ts'
import { createByteTexts } from './byte-texts.ts'
import { unreadable } from './failures.ts'

const QUOTE = 34
const COMMA = 44
const NEW_LINE = 10
const RETURN = 13

/**
 * The rows of a CSV file in UTF-8, one at a time, where they are in its bytes: most cells are numbers or
 * names that have been met before, and need not become texts. Rows and faults are those of `csvRows`.
 */
export class CsvReader implements ByteSource {
  /** The bytes that the row is in. */
  bytes: Buffer
  view: DataView
  /** Where its cells begin and end, without quotes around them. */
  starts = new Int32Array(16)
  ends = new Int32Array(16)
  /** How many cells it has. */
  width = 0
  /** Its number, from 1 on. */
  number = 0
  readonly #blocks: Buffer[]
  #at: number

  /** Takes the blocks out of the list as it gets to them, so that a large file makes room for its table. */
  constructor(blocks: Buffer[]) {
    this.#blocks = blocks
    const { bytes, view } = sourceOf(blocks.shift() ?? Buffer.alloc(0))
    this.bytes = bytes
    this.view = view
    this.#at = hasMark(this.bytes) ? MARK.length : 0
  }

  /** Moves to the next row; false when there is none. */
  next(): boolean {
    if (this.#at >= this.bytes.length && !this.#extend()) return false
    this.number += 1
    let at = this.#at
    let width = 0
    for (let isOpen = true; isOpen; at += 1) {
      const isQuoted = this.bytes[at] === QUOTE
      let end = isQuoted ? this.#closingQuote(at + 1) : this.#bareEnd(at)
      if (end < 0) {
        // A line break in quotes, and the end of a block: the row from its beginning, with the next block.
        this.#extend()
        this.number -= 1
        return this.next()
      }
      if (width === this.starts.length) this.#widen()
      this.starts[width] = isQuoted ? at + 1 : at
      this.ends[width] = end
      width += 1
      if (isQuoted) end += 1
      at = this.bytes[end] === RETURN && endsLine(this.bytes, end + 1) ? end + 1 : end
      isOpen = this.bytes[at] === COMMA
      if (!isOpen && !endsLine(this.bytes, at)) throw this.#fault('text after a closing quote')
    }
    this.#at = at
    this.width = width
    return true
  }

  text(cell: number): string {
    return this.textBetween(this.starts[cell] ?? 0, this.ends[cell] ?? 0)
  }

  textBetween(start: number, end: number): string {
    if (start === end) return ''
    const text = this.bytes.toString('utf8', start, end)
    return text.includes('"') ? text.replaceAll('""', '"') : text
  }

  /** All cells of the row. */
  texts(): string[] {
    return Array.from({ length: this.width }, (_, cell) => this.text(cell))
  }

  /**
   * Takes in the next block, or as many as there are bytes left of this one: text in quotes may go on and on.
   * False when there is none.
   */
  #extend(): boolean {
    const rest = this.bytes.subarray(this.#at)
    const blocks: Buffer[] = []
    for (let length = 0; length <= rest.length;) {
      const block = this.#blocks.shift()
      if (block === undefined) break
      blocks.push(block)
      length += block.length
    }
    const [first] = blocks
    if (first === undefined) return false
    const { bytes, view } = sourceOf(rest.length === 0 ? first : Buffer.concat([rest, ...blocks]))
    this.bytes = bytes
    this.view = view
    this.#at = 0
    return true
  }

  /** -1: not in this block. */
  #closingQuote(from: number): number {
    const { bytes } = this
    for (let at = from; at < bytes.length; at += 1) {
      if (bytes[at] !== QUOTE) continue
      if (bytes[at + 1] !== QUOTE) return at
      at += 1
    }
    if (this.#blocks.length > 0) return -1
    throw this.#fault('a quote that never ends')
  }

  /** Where bare text ends; a return belongs to the end of the line only right before it. */
  #bareEnd(from: number): number {
    const { bytes } = this
    let end = from
    for (; end < bytes.length; end += 1) {
      const byte = bytes[end] ?? 0
      // Of all letters and digits this is the only question.
      if (byte > COMMA) continue
      if (byte === COMMA || byte === NEW_LINE) break
      if (byte === QUOTE) throw this.#fault('a quote amid text')
    }
    return end > from && bytes[end - 1] === RETURN && endsLine(bytes, end) ? end - 1 : end
  }

  #widen(): void {
    const { starts, ends } = this
    this.starts = new Int32Array(2 * starts.length)
    this.ends = new Int32Array(2 * ends.length)
    this.starts.set(starts)
    this.ends.set(ends)
  }

  #fault(why: string) {
    return unreadable(`CSV row ${this.number}: ${why}`)
  }
}

/** A number that depends on a cell's text, and is worked out once for each text. */
export function cellTranslator(numberOf: (text: string) => number): (row: CsvReader, cell: number) => number {
  const numbers: number[] = []
  const texts = createByteTexts((row: CsvReader, start, end) =>
    numbers.push(numberOf(row.textBetween(start, end))),
  )
  return (row, cell) => numbers[texts.codeOf(row, row.starts[cell] ?? 0, row.ends[cell] ?? 0)] ?? 0
}

const endsLine = (bytes: Buffer, at: number) => at >= bytes.length || bytes[at] === NEW_LINE

const MARK = Buffer.from('\uFEFF')

/** Whether a byte order mark comes first. */
const hasMark = (bytes: Buffer) => bytes.subarray(0, MARK.length).equals(MARK)

/** Without a byte order mark. */
export const unmarked = (bytes: Buffer) => (hasMark(bytes) ? bytes.subarray(MARK.length) : bytes)

import { BATCH_HASHES, BATCH_ROWS } from '#shared/audiences.ts'
import type { HashedRow } from './row-hasher.ts'

/** A comma, quotes, and the digest as hex. */
const CELL = 64 + 3

/** Rows of one batch as JSON, written as bytes: texts of each hash would cost more than hashing. */
export class BatchRows {
  readonly #columns: number
  readonly #most: number
  #bytes: Uint8Array<ArrayBuffer>
  #length = 0
  #count = 0

  constructor(columns: number) {
    this.#columns = columns
    this.#most = Math.min(BATCH_ROWS, Math.floor(BATCH_HASHES / columns))
    this.#bytes = new Uint8Array(this.#most * (columns * CELL + 3))
  }

  get count() {
    return this.#count
  }

  get isFull() {
    return this.#count === this.#most
  }

  add(row: HashedRow) {
    const bytes = this.#bytes
    let at = this.#length
    if (this.#count > 0) bytes[at++] = COMMA
    bytes[at++] = OPEN
    for (let column = 0; column < this.#columns; column++) {
      if (column > 0) bytes[at++] = COMMA
      bytes[at++] = QUOTE
      if (row.isThere[column]) at = row.writeHex(column, bytes, at)
      bytes[at++] = QUOTE
    }
    bytes[at++] = CLOSE
    this.#length = at
    this.#count++
  }

  /** The body of a request: `envelope` with these rows. Then it is empty again. */
  seal(envelope: object): ArrayBuffer {
    const head = new TextEncoder().encode(`${JSON.stringify(envelope).slice(0, -1)},"rows":[`)
    const body = new Uint8Array(head.length + this.#length + 2)
    body.set(head)
    body.set(this.#bytes.subarray(0, this.#length), head.length)
    body.set([CLOSE, BRACE], head.length + this.#length)
    this.clear()
    return body.buffer
  }

  clear() {
    this.#length = 0
    this.#count = 0
  }
}

const [COMMA = 0, QUOTE = 0, OPEN = 0, CLOSE = 0, BRACE = 0] = new TextEncoder().encode(',"[]}')

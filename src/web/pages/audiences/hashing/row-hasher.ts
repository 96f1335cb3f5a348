import { createSHA256 } from 'hash-wasm'
import type { MemberColumn } from '#shared/audiences.ts'

const DIGEST = 32

export interface RowHasher {
  /** Valid until the next call. */
  hash: (forms: Partial<Record<MemberColumn, string>>) => HashedRow
}

export interface HashedRow {
  isThere: readonly boolean[]
  /** Writes the digest of a column as lower-case hex; where it ends. */
  writeHex: (column: number, target: Uint8Array, start: number) => number
  /** Of all of them: rows with the same forms have the same. */
  high: number
  low: number
}

/** Hashes rows of these columns without making anything anew for each: a list has millions. */
export async function rowHasher(columns: readonly MemberColumn[]): Promise<RowHasher> {
  const sha256 = await createSHA256()
  const bytesOf = bytesWriter()
  const digests = new Uint8Array(columns.length * DIGEST)
  const view = new DataView(digests.buffer)
  const isThere = columns.map(() => false)
  const writeHex: HashedRow['writeHex'] = (column, target, start) => {
    let at = start
    for (let byte = column * DIGEST; byte < (column + 1) * DIGEST; byte++) {
      const value = digests[byte] ?? 0
      target[at++] = HEX[value >> 4] ?? 0
      target[at++] = HEX[value & 15] ?? 0
    }
    return at
  }
  const row: HashedRow = { isThere, writeHex, high: 0, low: 0 }
  return {
    hash(forms) {
      row.high = 0
      row.low = 0
      for (let at = 0; at < columns.length; at++) {
        const form = forms[columns[at] ?? 'email']
        isThere[at] = form !== undefined
        if (form === undefined) digests.fill(0, at * DIGEST, (at + 1) * DIGEST)
        else digests.set(sha256.init().update(bytesOf(form)).digest('binary'), at * DIGEST)
        // A different factor for each place: the same text in another column is another row.
        row.high = (Math.imul(row.high, 31) + view.getUint32(at * DIGEST)) | 0
        row.low = (Math.imul(row.low, 31) + view.getUint32(at * DIGEST + 4)) | 0
      }
      return row
    },
  }
}

/**
 * A text in UTF-8, valid until the next call. Nearly all are ASCII, and a browser takes longer to be asked
 * for the bytes than it takes to write them.
 */
function bytesWriter() {
  const encoder = new TextEncoder()
  const bytes = new Uint8Array(LONGEST)
  return (text: string): Uint8Array => {
    if (text.length > LONGEST) return encoder.encode(text)
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code > 0x7f) return encoder.encode(text)
      bytes[at] = code
    }
    return bytes.subarray(0, text.length)
  }
}

const LONGEST = 512
const HEX = new TextEncoder().encode('0123456789abcdef')

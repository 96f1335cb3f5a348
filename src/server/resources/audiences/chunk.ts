import type { MemberColumn } from '#shared/audiences.ts'
import type { MemberRows } from '#server/connectors/audience.ts'
import type { Vault } from '#server/vault.ts'

// The only file that seals and opens the hashes of an audience. A chunk is up to 10,000 rows: first a bit for
// each column of each row, which says whether the person has one, then the hashes that they have, one after
// the other.

export const HASH_BYTES = 32

/** What is stored of a chunk beside its rows. */
export interface SealedChunk {
  id: number
  audience: number
  upload: string
  columns: MemberColumn[]
  rows: number
  sealed: Uint8Array
}

export interface PackedRows {
  columns: readonly MemberColumn[]
  rows: number
  bytes: Buffer
}

export const sealChunk = (vault: Vault, chunk: Omit<SealedChunk, 'sealed'>, bytes: Uint8Array): Buffer =>
  vault.seal(bytes, contextOf(chunk))

/** Throws SealBroken. */
export const openPacked = (vault: Vault, chunk: SealedChunk): PackedRows => ({
  columns: chunk.columns,
  rows: chunk.rows,
  bytes: vault.openBytes(chunk.sealed, contextOf(chunk)),
})

/** As connectors take them. Throws SealBroken. */
export const openChunk = (vault: Vault, chunk: SealedChunk): MemberRows =>
  unpackRows(openPacked(vault, chunk))

/** A row that is moved to another audience, upload or place cannot be opened there. */
const contextOf = ({ id, audience, upload }: Pick<SealedChunk, 'id' | 'audience' | 'upload'>) =>
  `audience_chunk/${audience}/${upload}/${id}`

/** Hashes as lower-case hex, '' where the person has none. */
export function packRows({ columns, rows }: MemberRows): PackedRows {
  const width = bitBytes(columns)
  const present = Buffer.alloc(rows.length * width)
  for (const [at, row] of rows.entries())
    for (const [column, hash] of row.entries())
      if (hash !== '') {
        const byte = at * width + (column >> 3)
        present[byte] = (present[byte] ?? 0) | (1 << (column & 7))
      }
  const hashes = Buffer.from(rows.map(row => row.join('')).join(''), 'hex')
  return { columns, rows: rows.length, bytes: Buffer.concat([present, hashes]) }
}

export function unpackRows(packed: PackedRows): MemberRows {
  const { columns, bytes } = packed
  const start = bitBytes(columns) * packed.rows
  const text = bytes.toString('hex', start)
  const rows: string[][] = []
  eachRow(packed, offsets => {
    rows.push(
      Array.from(offsets, offset => {
        const from = (offset - start) * 2
        return offset < 0 ? '' : text.slice(from, from + 2 * HASH_BYTES)
      }),
    )
  })
  return { columns, rows }
}

/** Where the hash of each column begins in the bytes, -1 where there is none; the array is used again. */
export function eachRow(
  { columns, rows, bytes }: PackedRows,
  visit: (offsets: Int32Array, row: number) => void,
): void {
  const width = bitBytes(columns)
  const offsets = new Int32Array(columns.length)
  let next = rows * width
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < offsets.length; column++) {
      const isPresent = ((bytes[row * width + (column >> 3)] ?? 0) >> (column & 7)) & 1
      offsets[column] = isPresent ? next : -1
      if (isPresent) next += HASH_BYTES
    }
    visit(offsets, row)
  }
}

/** The rows with these indexes, which ascend. */
export function onlyRows(packed: PackedRows, indexes: readonly number[]): PackedRows {
  if (indexes.length === packed.rows) return packed
  const width = bitBytes(packed.columns)
  const chosen = new Set(indexes)
  const [present, hashes]: [Buffer[], Buffer[]] = [[], []]
  eachRow(packed, (offsets, row) => {
    if (!chosen.has(row)) return
    present.push(packed.bytes.subarray(row * width, (row + 1) * width))
    for (const offset of offsets)
      if (offset >= 0) hashes.push(packed.bytes.subarray(offset, offset + HASH_BYTES))
  })
  return { ...packed, rows: indexes.length, bytes: Buffer.concat([...present, ...hashes]) }
}

const bitBytes = (columns: readonly unknown[]) => Math.ceil(columns.length / 8)

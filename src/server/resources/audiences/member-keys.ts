import { createHmac, randomBytes } from 'node:crypto'
import { identifyingColumns, memberColumns, type UploadAction } from '#shared/audiences.ts'
import type { Db } from '#server/db/connect.ts'
import { SealBroken, type Vault } from '#server/vault.ts'
import { eachRow, HASH_BYTES, type PackedRows } from './chunk.ts'
import { insertKey, replaceKey, sealedKey } from './key-queries.ts'
import { KEY_BYTES } from './key-set.ts'

// With the hash of an address one can try addresses until one fits. What we compare rows by is therefore
// hashed once more, with a key that no copy of the database reveals. It is drawn once and stays when the
// vault's keys are rotated.

const CONTEXT = 'setting/member_key'

/** Throws SealBroken. */
export async function memberKey(db: Db, vault: Vault): Promise<Buffer> {
  const sealed = (await sealedKey(db)) ?? (await insertKey(db, vault.seal(randomBytes(HASH_BYTES), CONTEXT)))
  return vault.openBytes(sealed, CONTEXT)
}

/** false: none of the keys opens it. */
export async function resealMemberKey(db: Db, vault: Vault): Promise<boolean> {
  const sealed = await sealedKey(db)
  if (!sealed || !vault.isOld(sealed)) return true
  try {
    await replaceKey(db, { before: sealed, after: vault.seal(vault.openBytes(sealed, CONTEXT), CONTEXT) })
    return true
  } catch (error) {
    if (error instanceof SealBroken) return false
    throw error
  }
}

/**
 * Eight bytes for each row, one after the other: the same for the same people, in whichever order the columns
 * are.
 */
export function fingerprintsOf(key: Buffer, packed: PackedRows): Buffer {
  const order = packed.columns
    .map((column, at) => ({ at, number: memberColumns.indexOf(column) }))
    .toSorted((one, other) => one.number - other.number)
  const fingerprints = Buffer.alloc(packed.rows * KEY_BYTES)
  const rowBytes = Buffer.alloc(packed.columns.length * (HASH_BYTES + 1))
  eachRow(packed, (offsets, row) => {
    let length = 0
    for (const { at, number } of order) {
      const offset = offsets[at] ?? -1
      if (offset < 0) continue
      rowBytes[length] = number
      packed.bytes.copy(rowBytes, length + 1, offset, offset + HASH_BYTES)
      length += HASH_BYTES + 1
    }
    const digest = createHmac('sha256', key).update(rowBytes.subarray(0, length)).digest()
    digest.copy(fingerprints, row * KEY_BYTES, 0, KEY_BYTES)
  })
  return fingerprints
}

/** What the suppression list of an advertiser keeps of an identifier. */
export const suppressionKey = (
  key: Buffer,
  { advertiser, column, hash }: { advertiser: number; column: string; hash: Uint8Array },
): Buffer => createHmac('sha256', key).update(`suppressed/${advertiser}/${column}/`).update(hash).digest()

/** By which the same batch is recognised when it comes again. */
export function digestOf(
  key: Buffer,
  {
    rows,
    ...facts
  }: { action: UploadAction; last: boolean; columns: string[]; rows: readonly (readonly string[])[] },
): Buffer {
  const digest = createHmac('sha256', key).update(JSON.stringify(facts))
  return digest.update(rows.map(row => row.join(',')).join('\n')).digest()
}

/** The places of the columns that identify a person by themselves. */
export const identifyingIn = (columns: readonly string[]): number[] =>
  columns.flatMap((column, at) => (identifyingColumns.some(each => each === column) ? [at] : []))

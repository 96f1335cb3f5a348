import type { Trx } from '#server/db/transaction.ts'
import type { Vault } from '#server/vault.ts'
import { eachRow, onlyRows, openPacked, sealChunk, type PackedRows } from './chunk.ts'
import {
  deleteChunk,
  fingerprintsIn,
  insertChunk,
  nextChunkId,
  readChunk,
  updateChunk,
  type ChunkFacts,
  type StoredChunk,
} from './chunk-queries.ts'
import { KEY_BYTES, KeySet } from './key-set.ts'
import { fingerprintsOf, identifyingIn } from './member-keys.ts'

/** Stores rows, unless there are none. */
export async function storeChunk(
  trx: Trx,
  { vault, key }: { vault: Vault; key: Buffer },
  { audience, upload, ...packed }: { audience: number; upload: string } & PackedRows,
): Promise<void> {
  if (packed.rows === 0) return
  const facts = {
    id: await nextChunkId(trx),
    audience,
    upload,
    columns: [...packed.columns],
    rows: packed.rows,
  }
  const sealed = sealChunk(vault, facts, packed.bytes)
  await insertChunk(trx, { ...facts, sealed, fingerprints: fingerprintsOf(key, packed) })
}

/** Takes the rows out of the new chunks that are in the list already, or in one of them before. */
export async function dropDuplicates(
  trx: Trx,
  vault: Vault,
  { list, added }: { list: readonly ChunkFacts[]; added: readonly ChunkFacts[] },
): Promise<void> {
  const known = new KeySet(sumOf([...list, ...added]))
  for await (const { fingerprints } of fingerprintsOfEach(trx, list))
    for (let at = 0; at < fingerprints.length; at += KEY_BYTES) known.add(fingerprints, at)
  for await (const { id, fingerprints } of fingerprintsOfEach(trx, added)) {
    const rows = Array.from({ length: fingerprints.length / KEY_BYTES }, (_, row) => row)
    const fresh = rows.filter(row => known.add(fingerprints, row * KEY_BYTES))
    if (fresh.length === 0) await deleteChunk(trx, id)
    else if (fresh.length < rows.length) await keepRows(trx, vault, { id, which: () => fresh })
  }
}

/** So many at a time: those of a chunk are 80 KB. */
const AT_ONCE = 25

async function* fingerprintsOfEach(trx: Trx, chunks: readonly ChunkFacts[]) {
  for (let from = 0; from < chunks.length; from += AT_ONCE) {
    const ids = chunks.slice(from, from + AT_ONCE).map(({ id }) => id)
    yield* await fingerprintsIn(trx, ids)
  }
}

/** Takes everybody out of the chunks whose e-mail address or phone is among these; returns how many rows. */
export async function removePeople(
  trx: Trx,
  vault: Vault,
  { chunks, people }: { chunks: readonly ChunkFacts[]; people: KeySet },
): Promise<number> {
  let removed = 0
  for (const { id } of chunks)
    removed += await keepRows(trx, vault, { id, which: packed => rowsWithout(packed, people) })
  return removed
}

function rowsWithout(packed: PackedRows, people: KeySet): number[] {
  const identifying = identifyingIn(packed.columns)
  const indexes: number[] = []
  eachRow(packed, (offsets, row) => {
    const offsetOf = (at: number) => offsets[at] ?? -1
    const isNamed = identifying.some(at => offsetOf(at) >= 0 && people.has(packed.bytes, offsetOf(at)))
    if (!isNamed) indexes.push(row)
  })
  return indexes
}

/** The rows of these chunks. */
export async function peopleIn(trx: Trx, vault: Vault, chunks: readonly ChunkFacts[]): Promise<KeySet> {
  const most = chunks.reduce((sum, { rows, columns }) => sum + rows * identifyingIn(columns).length, 0)
  const people = new KeySet(most)
  for (const { id } of chunks) {
    const chunk = await readChunk(trx, id)
    if (chunk) addPeople(people, openPacked(vault, chunk))
  }
  return people
}

/** The beginnings of all hashes that identify somebody in these rows. */
export function addPeople(people: KeySet, packed: PackedRows): void {
  const identifying = identifyingIn(packed.columns)
  eachRow(packed, offsets => {
    for (const at of identifying) {
      const offset = offsets[at] ?? -1
      if (offset >= 0) people.add(packed.bytes, offset)
    }
  })
}

/** Seals a chunk again with those of its rows, or deletes it; returns how many it has lost. */
async function keepRows(
  trx: Trx,
  vault: Vault,
  { id, which }: { id: number; which: (packed: PackedRows) => readonly number[] },
): Promise<number> {
  const chunk = await readChunk(trx, id)
  if (!chunk) return 0
  const packed = openPacked(vault, chunk)
  const indexes = which(packed)
  if (indexes.length === 0) await deleteChunk(trx, id)
  else if (indexes.length < chunk.rows)
    await updateChunk(trx, id, withRows(vault, chunk, { packed, indexes }))
  return chunk.rows - indexes.length
}

function withRows(
  vault: Vault,
  chunk: StoredChunk,
  { packed, indexes }: { packed: PackedRows; indexes: readonly number[] },
) {
  const left = onlyRows(packed, indexes)
  const prints = indexes.map(row => chunk.fingerprints.subarray(row * KEY_BYTES, (row + 1) * KEY_BYTES))
  return {
    rows: left.rows,
    fingerprints: Buffer.concat(prints),
    sealed: sealChunk(vault, { ...chunk, rows: left.rows }, left.bytes),
  }
}

export const sumOf = (chunks: readonly { rows: number }[]): number =>
  chunks.reduce((sum, { rows }) => sum + rows, 0)

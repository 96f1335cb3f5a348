import type { MemberColumn } from '#shared/audiences.ts'
import type { MemberRows } from '#server/connectors/audience.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction, type Trx } from '#server/db/transaction.ts'
import type { Vault } from '#server/vault.ts'
import { packRows, unpackRows, type PackedRows } from './chunk.ts'
import { chunksAfter } from './chunk-queries.ts'
import { addPeople, removePeople } from './chunks.ts'
import { KeySet } from './key-set.ts'
import { identifyingIn, suppressionKey } from './member-keys.ts'
import {
  advanceSweep,
  holdAdvertiser,
  holdLists,
  holdSweep,
  insertAccounts,
  insertErasure,
  recountRows,
  suppress,
  unfinishedSweeps,
  updateSealed,
  type Sweep,
} from './erasure-queries.ts'

interface NewErasure extends MemberRows {
  advertiser: number
  columns: MemberColumn[]
  created_by: number
  now: Date
}

/**
 * From here on nobody stores these people for the advertiser. They are taken out of what is stored by
 * `sweepErasure`, and at the platforms by the job of shares. Returns the erasure's id.
 */
export async function recordErasure(
  trx: Trx,
  { columns, rows, ...facts }: NewErasure,
  { vault, key }: { vault: Vault; key: Buffer },
): Promise<number> {
  const { advertiser, now } = facts
  await holdAdvertiser(trx, advertiser)
  const id = await insertErasure(trx, { ...facts, columns, rows: rows.length })
  const { bytes } = packRows({ columns, rows })
  await updateSealed(trx, id, vault.seal(bytes, contextOf(id)))
  const keys = identifyingIn(columns).flatMap(at =>
    rows
      .filter(row => row[at])
      .map(row => {
        const hash = Buffer.from(row[at] ?? '', 'hex')
        return suppressionKey(key, { advertiser, column: columns[at] ?? '', hash })
      }),
  )
  await suppress(trx, { advertiser, keys, now })
  await insertAccounts(trx, { id, advertiser })
  return id
}

const contextOf = (id: number) => `erasure/${id}`

export interface SealedErasure {
  id: number
  columns: MemberColumn[]
  rows: number
  sealed: Uint8Array
}

/** The people to be erased, as connectors take them. Throws SealBroken. */
export const openErasure = (vault: Vault, erasure: SealedErasure): MemberRows =>
  unpackRows(openRows(vault, erasure))

const openRows = (vault: Vault, { id, columns, rows, sealed }: SealedErasure): PackedRows => ({
  columns,
  rows,
  bytes: vault.openBytes(sealed, contextOf(id)),
})

/** Sealed again for the same erasure. */
export const resealed = (vault: Vault, { id, sealed }: Pick<SealedErasure, 'id' | 'sealed'>): Buffer =>
  vault.seal(vault.openBytes(sealed, contextOf(id)), contextOf(id))

/** Chunks of one transaction: some 15 MB. */
const AT_ONCE = 10

/**
 * Takes the people of an erasure out of the stored rows, some chunks at a time: it may be interrupted
 * anywhere, and goes on from there. false: `most` chunks were not all.
 */
export async function sweepErasure(
  db: Db,
  { vault, now }: { vault: Vault; now: Date },
  { id, most = Infinity }: { id: number; most?: number },
): Promise<boolean> {
  for (let done = 0; done < most; done += AT_ONCE) {
    const isOver = await inTransaction(db, async trx => {
      const sweep = await holdSweep(trx, id)
      return sweep ? await sweepSome(trx, vault, { sweep, now }) : true
    })
    if (isOver) return true
  }
  return false
}

async function sweepSome(
  trx: Trx,
  vault: Vault,
  { sweep, now }: { sweep: Sweep; now: Date },
): Promise<boolean> {
  const { advertiser, after_chunk: after } = sweep
  const chunks = await chunksAfter(trx, { advertiser, after, limit: AT_ONCE })
  const audiences = [...new Set(chunks.map(({ audience }) => audience))]
  if (audiences.length > 0) await holdLists(trx, audiences)
  const people = new KeySet(sweep.rows * sweep.columns.length)
  addPeople(people, openRows(vault, sweep))
  const removed = await removePeople(trx, vault, { chunks, people })
  if (removed > 0) await recountRows(trx, audiences)
  const isOver = chunks.length < AT_ONCE
  const last = isOver ? null : (chunks.at(-1)?.id ?? null)
  await advanceSweep(trx, sweep, { after_chunk: last, removed, now })
  return isOver
}

/** Continues what a process has left; returns how many erasures were still to do. */
export async function sweepErasures(db: Db, effects: { vault: Vault; now: Date }): Promise<number> {
  const ids = await unfinishedSweeps(db)
  for (const id of ids) await sweepErasure(db, effects, { id })
  return ids.length
}

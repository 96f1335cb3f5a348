import { sql } from 'kysely'
import type { MemberColumn } from '#shared/audiences.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import type { SealedChunk } from './chunk.ts'

/** A row's seal is bound to its id, which it has to have first. */
export async function nextChunkId(trx: Trx): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('audience_chunk', 'id')) as id`.execute(trx)
  return Number(rows[0]?.id)
}

export async function insertChunk(trx: Trx, chunk: SealedChunk & { fingerprints: Buffer }): Promise<void> {
  const { id, audience, upload, columns, rows, fingerprints, sealed } = chunk
  await sql`
    insert into audience_chunk (id, audience, upload, columns, rows, fingerprints, sealed)
    overriding system value
    values (${id}, ${audience}, ${upload}, ${columns}, ${rows}, ${fingerprints}, ${sealed})`.execute(trx)
}

export async function updateChunk(
  trx: Trx,
  id: number,
  chunk: { rows: number; fingerprints: Buffer; sealed: Buffer },
): Promise<void> {
  await trx.updateTable('audience_chunk').set(chunk).where('id', '=', id).execute()
}

export const deleteChunk = (trx: Trx, id: number) =>
  trx.deleteFrom('audience_chunk').where('id', '=', id).execute()

export interface ChunkFacts {
  id: number
  audience: number
  upload: string
  columns: MemberColumn[]
  rows: number
}

const facts = ['chunk.id', 'chunk.audience', 'chunk.upload', 'chunk.columns', 'chunk.rows'] as const

/** Of the list as it is: what the uploads that were taken have added. */
export async function listChunks(db: Db, audience: number): Promise<ChunkFacts[]> {
  return await db
    .selectFrom('audience_chunk as chunk')
    .innerJoin('audience_upload as upload', 'upload.id', 'chunk.upload')
    .select(facts)
    .where('chunk.audience', '=', audience)
    .where('upload.state', '=', 'taken')
    .where('upload.action', '<>', 'remove')
    .orderBy('chunk.id')
    .execute()
}

export async function uploadChunks(db: Db, upload: string): Promise<ChunkFacts[]> {
  return await db
    .selectFrom('audience_chunk as chunk')
    .select(facts)
    .where('chunk.upload', '=', upload)
    .orderBy('chunk.id')
    .execute()
}

export async function fingerprintsIn(
  db: Db,
  ids: readonly number[],
): Promise<{ id: number; fingerprints: Uint8Array }[]> {
  return await db
    .selectFrom('audience_chunk')
    .select(['id', 'fingerprints'])
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
}

export const readChunk = (db: Db, id: number) =>
  db.selectFrom('audience_chunk').selectAll().where('id', '=', id).executeTakeFirst()
export type StoredChunk = NonNullable<Awaited<ReturnType<typeof readChunk>>>

/** The list before an upload that replaces it. */
export async function deleteListChunks(trx: Trx, audience: number): Promise<void> {
  await trx
    .deleteFrom('audience_chunk')
    .where('id', 'in', (await listChunks(trx, audience)).map(({ id }) => id).concat(0))
    .execute()
}

/** After this one, of any audience of the advertiser. */
export async function chunksAfter(
  db: Db,
  { advertiser, after, limit }: { advertiser: number; after: number; limit: number },
): Promise<ChunkFacts[]> {
  return await db
    .selectFrom('audience_chunk as chunk')
    .innerJoin('audience', 'audience.id', 'chunk.audience')
    .select(facts)
    .where('audience.advertiser', '=', advertiser)
    .where('chunk.id', '>', after)
    .orderBy('chunk.id')
    .limit(limit)
    .execute()
}

/** The beginning of each seal, which names its key. */
export async function sealHeads(
  db: Db,
  { after, limit }: { after: number; limit: number },
): Promise<{ id: number; head: Uint8Array }[]> {
  return await db
    .selectFrom('audience_chunk')
    .select(['id', sql<Uint8Array>`substring(sealed from 1 for 9)`.as('head')])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Only while it is as it was read. */
export async function replaceSealed(
  db: Db,
  id: number,
  { before, after }: { before: Uint8Array; after: Uint8Array },
): Promise<void> {
  await db
    .updateTable('audience_chunk')
    .set({ sealed: after })
    .where('id', '=', id)
    .where('sealed', '=', before)
    .execute()
}

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { MemberColumn, UploadAction } from '#shared/audiences.ts'
import type { HashCounts } from '#shared/api/audiences.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import { HASH_BYTES } from './chunk.ts'

// Uploads and their batches; every writer here has locked the audience.

const columns = [
  'id',
  'session',
  'state',
  'action',
  'columns',
  'next_seq',
  'rows',
  'basis',
  'created_by',
  'last_modified_at',
] as const

export const findUpload = (trx: Trx, { audience, session }: { audience: number; session: string }) =>
  trx
    .selectFrom('audience_upload')
    .select(columns)
    .where('audience', '=', audience)
    .where('session', '=', session)
    .executeTakeFirst()
export type UploadFacts = NonNullable<Awaited<ReturnType<typeof findUpload>>>

export const findOpenUpload = (trx: Trx, audience: number) =>
  trx
    .selectFrom('audience_upload')
    .select(columns)
    .where('audience', '=', audience)
    .where('state', '=', 'open')
    .executeTakeFirst()

interface NewUpload {
  audience: number
  session: string
  action: UploadAction
  columns: MemberColumn[]
  basis: string | null
  created_by: number
  now: Date
}

/** Begins an upload; one of this session that was dropped begins again. */
export async function openUpload(trx: Trx, { now, ...facts }: NewUpload): Promise<UploadFacts> {
  const begun = { ...facts, state: 'open' as const, created_at: now, last_modified_at: now }
  return await trx
    .insertInto('audience_upload')
    .values({ id: randomUUID(), ...begun })
    .onConflict(conflict => conflict.columns(['audience', 'session']).doUpdateSet(begun))
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export const findBatch = (trx: Trx, { upload, seq }: { upload: string; seq: number }) =>
  trx
    .selectFrom('audience_upload_batch')
    .select(['digest', 'rows', 'stored'])
    .where('upload', '=', upload)
    .where('seq', '=', seq)
    .executeTakeFirst()

export async function insertBatch(
  trx: Trx,
  batch: { upload: string; seq: number; digest: Buffer; rows: number; stored: number },
): Promise<void> {
  await trx.insertInto('audience_upload_batch').values(batch).execute()
}

export async function advanceUpload(
  trx: Trx,
  id: string,
  { rows, next_seq, now }: { rows: number; next_seq: number; now: Date },
): Promise<void> {
  await trx
    .updateTable('audience_upload')
    .set({ rows, next_seq, last_modified_at: now })
    .where('id', '=', id)
    .execute()
}

/** Nothing of it is left but that it was tried; its session may begin again. */
export async function dropUpload(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('audience_chunk').where('upload', '=', id).execute()
  await trx.deleteFrom('audience_upload_batch').where('upload', '=', id).execute()
  await trx
    .updateTable('audience_upload')
    .set({ state: 'dropped', next_seq: 1, rows: 0 })
    .where('id', '=', id)
    .execute()
}

/** From here on it counts, after all that were taken before. */
export async function markTaken(
  trx: Trx,
  id: string,
  { counts, now }: { counts: HashCounts | null; now: Date },
): Promise<void> {
  await trx
    .updateTable('audience_upload')
    .set({
      state: 'taken',
      position: sql<number>`nextval('audience_upload_position')`,
      counts: counts && JSON.stringify(counts),
      taken_at: now,
      last_modified_at: now,
    })
    .where('id', '=', id)
    .execute()
}

/**
 * Whether anybody is on the suppression list of an advertiser. Nobody is added to it before the transaction
 * has ended, so that a person who is erased meanwhile is not stored once more.
 */
export async function holdSuppressed(trx: Trx, advertiser: number): Promise<boolean> {
  await trx.selectFrom('advertiser').select('id').where('id', '=', advertiser).forShare().execute()
  const found = await trx
    .selectFrom('suppressed_member')
    .select('advertiser')
    .where('advertiser', '=', advertiser)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Which of these are on it, as hex. They are sent as one value, one after the other: an array of 40,000 takes
 * longer to be written and read than all of the rest.
 */
export async function suppressedAmong(
  trx: Trx,
  advertiser: number,
  keys: readonly Buffer[],
): Promise<ReadonlySet<string>> {
  const size = sql.lit(HASH_BYTES)
  const { rows } = await sql<{ key: string }>`
    select encode(key, 'hex') as key from suppressed_member
    where advertiser = ${advertiser} and key in (
      select substring(${Buffer.concat(keys)}::bytea from at * ${size} + 1 for ${size})
      from generate_series(0, ${keys.length - 1}) at)`.execute(trx)
  return new Set(rows.map(({ key }) => key))
}

/** What an upload makes of its audience; not a change of the form, whose version stays. */
export async function updateList(
  trx: Trx,
  id: number,
  changes: {
    status: 'ready'
    rows: number
    now: Date
    expires_at?: Date
    basis?: string
    confirmed_by?: number
    confirmed_at?: Date
  },
): Promise<void> {
  const { now, ...facts } = changes
  await trx
    .updateTable('audience')
    .set({ ...facts, last_modified_at: now })
    .where('id', '=', id)
    .execute()
}

/** Shares that follow the list have something to send. */
export async function wakeShares(trx: Trx, audience: number, now: Date): Promise<void> {
  await trx
    .updateTable('audience_share')
    .set({ next_at: now })
    .where('audience', '=', audience)
    .where('auto_sync', '=', true)
    .where('state', 'in', ['ready', 'too_small'])
    .execute()
}

/** Uploads that nobody has continued since then. */
export async function idleUploads(db: Db, since: Date): Promise<{ id: string; audience: number }[]> {
  return await db
    .selectFrom('audience_upload')
    .select(['id', 'audience'])
    .where('state', '=', 'open')
    .where('last_modified_at', '<=', since)
    .orderBy('id')
    .execute()
}

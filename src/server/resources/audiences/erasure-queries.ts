import { sql } from 'kysely'
import type { z } from 'zod'
import { advertiserScope, type Person } from '#shared/access.ts'
import type { MemberColumn } from '#shared/audiences.ts'
import type { ErasureQuery } from '#shared/api/audiences.ts'
import type { Db } from '#server/db/connect.ts'
import { directionOf } from '#server/db/list-terms.ts'
import { personName } from '#server/db/person-name.ts'
import type { Trx } from '#server/db/transaction.ts'
import { advertiserIdsOf } from '#server/resources/people/queries.ts'

const visible = (db: Db, person: Person) =>
  db
    .selectFrom('erasure')
    .$if(advertiserScope[person.identity] !== 'all', query =>
      query.where('erasure.advertiser', 'in', advertiserIdsOf(person)),
    )

export async function listErasures(db: Db, person: Person, query: z.output<typeof ErasureQuery>) {
  const found = visible(db, person).$if(query.advertiser !== undefined, some =>
    some.where('erasure.advertiser', '=', query.advertiser ?? 0),
  )
  const { count } = await found.select(eb => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await named(found)
    .orderBy('erasure.id', directionOf(query.ordering))
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  return { count, rows }
}

const named = (found: ReturnType<typeof visible>) =>
  found
    .leftJoin('users as maker', 'maker.id', 'erasure.created_by')
    .select([
      'erasure.id',
      'erasure.advertiser',
      'erasure.rows',
      'erasure.removed',
      'erasure.created_by',
      'erasure.created_at',
      'erasure.finished_at',
    ])
    .select(personName('maker').as('created_by_name'))

export const findErasure = (db: Db, person: Person, id: number) =>
  named(visible(db, person)).where('erasure.id', '=', id).executeTakeFirst()
export type ErasureRow = NonNullable<Awaited<ReturnType<typeof findErasure>>>

export async function accountsOf(db: Db, person: Person, erasures: readonly number[]) {
  if (erasures.length === 0) return new Map<number, never>()
  const rows = await db
    .selectFrom('erasure_account')
    .innerJoin('ad_account', 'ad_account.id', 'erasure_account.ad_account')
    .select([
      'erasure_account.erasure',
      'erasure_account.ad_account',
      'ad_account.name as ad_account_name',
      'ad_account.channel',
      'erasure_account.outcome',
      'erasure_account.code',
    ])
    .where('erasure_account.erasure', 'in', erasures)
    .$if(advertiserScope[person.identity] !== 'all', query =>
      query.where('ad_account.advertiser', 'in', advertiserIdsOf(person)),
    )
    .orderBy('ad_account.id')
    .execute()
  return Map.groupBy(rows, ({ erasure }) => erasure)
}

/** Waits for the batches that are being stored; the next ones know the new suppression list. */
export const holdAdvertiser = (trx: Trx, id: number) =>
  trx.selectFrom('advertiser').select('id').where('id', '=', id).forNoKeyUpdate().execute()

export async function insertErasure(
  trx: Trx,
  facts: { advertiser: number; columns: MemberColumn[]; rows: number; created_by: number; now: Date },
): Promise<number> {
  const { now, ...rest } = facts
  const { id } = await trx
    .insertInto('erasure')
    .values({ ...rest, sealed: null, created_at: now, finished_at: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateSealed(db: Db, id: number, sealed: Uint8Array): Promise<void> {
  await db.updateTable('erasure').set({ sealed }).where('id', '=', id).execute()
}

/** Only while it is as it was read: what has been destroyed meanwhile does not come back. */
export async function replaceSealedRows(
  db: Db,
  id: number,
  { before, after }: { before: Uint8Array; after: Uint8Array },
): Promise<void> {
  await db
    .updateTable('erasure')
    .set({ sealed: after })
    .where('id', '=', id)
    .where('sealed', '=', before)
    .execute()
}

export async function suppress(
  trx: Trx,
  { advertiser, keys, now }: { advertiser: number; keys: readonly Buffer[]; now: Date },
): Promise<void> {
  await sql`
    insert into suppressed_member (advertiser, key, created_at)
    select ${advertiser}, key, ${now} from unnest(${[...keys]}::bytea[]) key
    on conflict do nothing`.execute(trx)
}

/**
 * Every account that has a customer file of the advertiser, or soon will; they wait until our own copies are
 * done.
 */
export async function insertAccounts(trx: Trx, { id, advertiser }: { id: number; advertiser: number }) {
  await sql`
    insert into erasure_account (erasure, ad_account)
    select distinct ${id}::bigint, share.ad_account
    from audience_share share join audience on audience.id = share.audience
    where audience.advertiser = ${advertiser} and audience.kind = 'customer_file' and share.state <> 'removed'
    on conflict do nothing`.execute(trx)
}

/** Erasures of which our own copies still have people, the oldest first. */
export async function unfinishedSweeps(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('erasure')
    .select('id')
    .where('after_chunk', 'is not', null)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** undefined: it is done, or somebody else is at it. */
export async function holdSweep(trx: Trx, id: number) {
  const row = await trx
    .selectFrom('erasure')
    .select(['id', 'advertiser', 'columns', 'rows', 'after_chunk', 'sealed'])
    .where('id', '=', id)
    .where('after_chunk', 'is not', null)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!row || row.after_chunk === null || row.sealed === null) return undefined
  return { ...row, after_chunk: row.after_chunk, sealed: row.sealed }
}
export type Sweep = NonNullable<Awaited<ReturnType<typeof holdSweep>>>

/** Nobody stores or removes rows of them meanwhile. */
export const holdLists = (trx: Trx, audiences: readonly number[]) =>
  trx
    .selectFrom('audience')
    .select('id')
    .where('id', 'in', audiences)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

export async function recountRows(trx: Trx, audiences: readonly number[]): Promise<void> {
  await sql`
    update audience set rows = (
      select coalesce(sum(chunk.rows), 0) from audience_chunk chunk
        join audience_upload upload on upload.id = chunk.upload
      where chunk.audience = audience.id and upload.state = 'taken' and upload.action <> 'remove')
    where id = any(${[...audiences]}::bigint[]) and status = 'ready'`.execute(trx)
}

/** Where it goes on; null: our own copies are done, and the accounts may begin. */
export async function advanceSweep(
  trx: Trx,
  { id, advertiser }: Pick<Sweep, 'id' | 'advertiser'>,
  { after_chunk, removed, now }: { after_chunk: number | null; removed: number; now: Date },
): Promise<void> {
  await trx
    .updateTable('erasure')
    .set(eb => ({ after_chunk, removed: eb('removed', '+', removed) }))
    .where('id', '=', id)
    .execute()
  if (after_chunk !== null) return
  // Those who were shared with meanwhile may have been sent rows from before.
  await insertAccounts(trx, { id, advertiser })
  await trx
    .updateTable('erasure_account')
    .set({ next_at: now })
    .where('erasure', '=', id)
    .where('outcome', '=', 'pending')
    .execute()
  await finishErasure(trx, id, now)
}

/** Once our own copies and every account are done; the hashes are needed no more. */
export async function finishErasure(trx: Trx, id: number, now: Date): Promise<void> {
  await trx
    .updateTable('erasure')
    .set({ finished_at: now, sealed: null })
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .where('after_chunk', 'is', null)
    .where(
      sql<boolean>`not exists (
        select from erasure_account where erasure = erasure.id and outcome = 'pending')`,
    )
    .execute()
}

/** Those whose hashes are still needed. */
export const sealedErasures = (db: Db) =>
  db
    .selectFrom('erasure')
    .select(['id', 'columns', 'rows', 'sealed'])
    .where('sealed', 'is not', null)
    .orderBy('id')
    .execute()

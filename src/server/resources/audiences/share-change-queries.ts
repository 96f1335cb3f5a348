import type { ShareMode } from '#shared/audiences.ts'
import type { Provider } from '#shared/platforms.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import { SEND_AGAIN } from './share-plan.ts'
import type { Retry } from './share-rules.ts'

/** Shares that a platform could share further. */
export async function homesOf(db: Db, { audience, provider }: { audience: number; provider: Provider }) {
  return await db
    .selectFrom('audience_share')
    .innerJoin('ad_account', 'ad_account.id', 'audience_share.ad_account')
    .select(['audience_share.id', 'business', 'state', 'audience_share.ad_account'])
    .where('audience', '=', audience)
    .where('provider', '=', provider)
    .where('mode', '=', 'home')
    .orderBy('audience_share.id')
    .execute()
}

const columns = [
  'id',
  'audience',
  'ad_account',
  'mode',
  'home',
  'state',
  'code',
  'parts',
  'task',
  'sent_to',
  'synced_at',
  'auto_sync',
  'created_by',
] as const

/** Those of an audience with these accounts, however they stand. */
export async function sharesWith(db: Db, audience: number, accounts: readonly number[]) {
  if (accounts.length === 0) return []
  return await db
    .selectFrom('audience_share')
    .select(columns)
    .where('audience', '=', audience)
    .where('ad_account', 'in', accounts)
    .execute()
}
export type ShareRow = Awaited<ReturnType<typeof sharesWith>>[number]

/** Held until the end of the transaction. */
export const lockShare = (trx: Trx, { audience, share }: { audience: number; share: number }) =>
  trx
    .selectFrom('audience_share')
    .select(columns)
    .where('audience', '=', audience)
    .where('id', '=', share)
    .forUpdate()
    .executeTakeFirst()

interface NewShare {
  audience: number
  ad_account: number
  mode: ShareMode
  business: string | null
  home: number | null
  auto_sync: boolean
  created_by: number
  now: Date
}

/** One that was removed from the account begins anew in its place. */
export async function insertShare(trx: Trx, { now, ...facts }: NewShare): Promise<number> {
  const fresh = {
    ...facts,
    ...atTheBeginning,
    state: 'queued' as const,
    next_at: now,
    created_at: now,
    last_modified_at: now,
  }
  const { id } = await trx
    .insertInto('audience_share')
    .values(fresh)
    .onConflict(conflict => conflict.columns(['audience', 'ad_account']).doUpdateSet(fresh))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const atTheBeginning = {
  parts: '[]',
  task: null,
  sent_to: 0,
  size: null,
  match: null,
  synced_at: null,
  checked_at: null,
  code: null,
  message: null,
  request_id: null,
  failures: 0,
}

/** A share that has failed or been stopped goes on. */
export async function retryShare(
  trx: Trx,
  id: number,
  { state, from, now }: Retry & { now: Date },
): Promise<void> {
  await trx
    .updateTable('audience_share')
    .set({
      ...(from === 'beginning' && atTheBeginning),
      ...(from === 'whole_list' && { task: null, sent_to: SEND_AGAIN }),
      state,
      code: null,
      message: null,
      failures: 0,
      next_at: now,
      last_modified_at: now,
    })
    .where('id', '=', id)
    .execute()
}

/** The job that works at the share removes it afterwards, with what it has made by then. */
export async function endShare(trx: Trx, id: number, now: Date): Promise<void> {
  await trx
    .updateTable('audience_share')
    .set({ state: 'removing', code: null, message: null, failures: 0, next_at: now, last_modified_at: now })
    .where('id', '=', id)
    .execute()
}

/** Uploads that wait follow at once. */
export async function followUploads(trx: Trx, id: number, { follows, now }: { follows: boolean; now: Date }) {
  await trx
    .updateTable('audience_share')
    .set({ auto_sync: follows, last_modified_at: now })
    .where('id', '=', id)
    .execute()
  if (!follows) return
  await trx
    .updateTable('audience_share')
    .set({ next_at: now })
    .where('id', '=', id)
    .where('state', 'in', ['ready', 'too_small'])
    .execute()
}

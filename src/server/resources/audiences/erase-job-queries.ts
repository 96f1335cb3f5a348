import { sql } from 'kysely'
import type { ErasureOutcome } from '#shared/audiences.ts'
import type { Db } from '#server/db/connect.ts'
import type { SharePart, ShareTask } from '#server/db/tables/audiences.ts'
import { SEND_AGAIN } from './share-plan.ts'
import type { Claim } from './share-queries.ts'

/** An account that people still have to be erased from. */
export async function claimErasure(db: Db, { claim, now, until }: Claim) {
  const { rows } = await sql<{ erasure: number; ad_account: number; failures: number }>`
    with due as (
      select erasure, ad_account from erasure_account
      where next_at <= ${now} and outcome = 'pending' and (claimed_until is null or claimed_until <= ${now})
      order by next_at, erasure, ad_account
      limit 1 for update skip locked
    )
    update erasure_account pending set claim = ${claim}, claimed_until = ${until}
    from due where pending.erasure = due.erasure and pending.ad_account = due.ad_account
    returning pending.erasure, pending.ad_account, pending.failures`.execute(db)
  return rows[0] ?? null
}
export type ErasureKey = NonNullable<Awaited<ReturnType<typeof claimErasure>>>

/** null: another account was the last one, and the hashes are destroyed. */
export async function readErasure(db: Db, { erasure, ad_account: account }: ErasureKey) {
  const row = await db
    .selectFrom('erasure')
    .innerJoin('ad_account as account', eb => eb.on('account.id', '=', account))
    .select([
      'erasure.id',
      'erasure.advertiser',
      'erasure.columns',
      'erasure.rows',
      'erasure.sealed',
      'erasure.created_at',
      'account.provider',
      'account.external_id',
      'account.currency',
      'account.timezone',
      'account.via',
      'account.public_account',
    ])
    .where('erasure.id', '=', erasure)
    .executeTakeFirst()
  return row?.sealed ? { ...row, sealed: row.sealed } : null
}

/** The lists of the advertiser that are, or may be, in the account. */
export async function listsIn(
  db: Db,
  { advertiser, ad_account: account }: { advertiser: number; ad_account: number },
) {
  return await db
    .selectFrom('audience_share as share')
    .innerJoin('audience', 'audience.id', 'share.audience')
    .select(['share.id', 'share.state', 'share.synced_at', 'share.sent_to', 'share.code'])
    .select(['audience.status', 'audience.consent', 'audience.is_deleting'])
    .where('audience.advertiser', '=', advertiser)
    .where('audience.kind', '=', 'customer_file')
    .where('share.ad_account', '=', account)
    .where('share.mode', '<>', 'shared')
    .where('share.state', 'not in', ['removing', 'removed'])
    .where(sql<boolean>`(share.task is not null or share.parts <> '[]')`)
    .orderBy('share.id')
    .execute()
}
export type ListThere = Awaited<ReturnType<typeof listsIn>>[number]

/** Keeps everybody else from a share, without changing when it is due; false: somebody has it. */
export async function borrowShare(db: Db, id: number, { claim, now, until }: Claim): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('audience_share')
    .set({ claim, claimed_until: until })
    .where('id', '=', id)
    .where(eb =>
      eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', now), eb('claim', '=', claim)]),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function returnShare(
  db: Db,
  { id, claim }: { id: number; claim: string },
  changes: { parts?: readonly SharePart[]; task?: ShareTask } = {},
): Promise<void> {
  await db
    .updateTable('audience_share')
    .set({
      ...(changes.parts && { parts: JSON.stringify(changes.parts) }),
      ...(changes.task && { task: JSON.stringify(changes.task) }),
      claim: null,
      claimed_until: null,
    })
    .where('id', '=', id)
    .where('claim', '=', claim)
    .execute()
}

/** What is left of the list replaces what the platform has. */
export async function sendListAgain(db: Db, id: number, now: Date): Promise<void> {
  await sql`
    update audience_share
    set sent_to = ${SEND_AGAIN}, task = null, next_at = ${now},
      state = case when state in ('ready', 'too_small') then state else 'queued' end
    where id = ${id} and state in ('ready', 'too_small', 'failed', 'stopped')`.execute(db)
}

/** false: another process has it by now. */
export async function settleErasure(
  db: Db,
  { erasure, ad_account: account, claim }: ErasureKey & { claim: string },
  changes: { outcome?: ErasureOutcome; code: string | null; failures: number; next_at: Date | null },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('erasure_account')
    .set({ ...changes, claim: null, claimed_until: null })
    .where('erasure', '=', erasure)
    .where('ad_account', '=', account)
    .where('claim', '=', claim)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

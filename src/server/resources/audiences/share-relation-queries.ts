import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import { maySignIn } from '#server/http/session.ts'
import type { Claim } from './share-queries.ts'

// What depends on a share: those that a platform shares from a home, lookalikes of a seed, and people.

/** Others that wait for the platform to share the same home with them. */
export async function claimRecipients(
  db: Db,
  { id, home }: { id: number; home: number | null },
  { claim, now, until }: Claim,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with due as (
      select id from audience_share
      where home = ${home} and id <> ${id} and state in ('queued', 'creating')
        and (claimed_until is null or claimed_until <= ${now})
      order by id for update skip locked
    )
    update audience_share share set claim = ${claim}, claimed_until = ${until}, next_at = ${until}
    from due where share.id = due.id returning share.id`.execute(db)
  return rows.map(row => row.id)
}

/** What waits for a share: those of its home, and lookalikes of it. It can be used now, or has failed. */
export async function wakeRecipients(db: Db, id: number, now: Date): Promise<void> {
  await sql`
    update audience_share waiting set next_at = ${now}
    from audience_share share
    where share.id = ${id} and waiting.state in ('queued', 'creating')
      and (waiting.home = share.id
        or waiting.ad_account = share.ad_account
          and waiting.audience in (select id from audience where seed = share.audience))`.execute(db)
}

/** Whether the home is still shared with others, and whether those are all about to go. */
export async function recipientsOf(db: Db, home: number): Promise<{ live: number; leaving: number }> {
  const { rows } = await sql<{ live: number; leaving: number }>`
    select count(*) filter (where state <> 'removing') as live, count(*) filter (where state = 'removing') as leaving
    from audience_share where home = ${home} and state <> 'removed'`.execute(db)
  return rows[0] ?? { live: 0, leaving: 0 }
}

/** The audience at the platform that a lookalike in this account is made like. */
export async function findSeed(
  db: Db,
  { seed, ad_account: account }: { seed: number | null; ad_account: number },
): Promise<string | null> {
  const { rows } = await sql<{ external_id: string | null }>`
    select parts -> 0 ->> 'external_id' as external_id
    from audience_share
    where audience = ${seed} and ad_account = ${account} and mode <> 'shared'
      and state in ('ready', 'too_small', 'matching', 'uploading')`.execute(db)
  return rows[0]?.external_id ?? null
}

/** Whether the platform has not found the people of that audience yet. */
export async function isSeedUnderWay(
  db: Db,
  { seed, ad_account: account }: { seed: number | null; ad_account: number },
): Promise<boolean> {
  const found = await db
    .selectFrom('audience_share')
    .select('id')
    .where('audience', '=', seed)
    .where('ad_account', '=', account)
    .where('mode', '<>', 'shared')
    .where('state', 'in', ['queued', 'creating', 'uploading', 'matching'])
    .executeTakeFirst()
  return found !== undefined
}

/** Whether a lookalike is made, in this account, like the audience that is shared with it. */
export async function isSeedIn(
  db: Db,
  { audience, ad_account: account }: { audience: number; ad_account: number },
): Promise<boolean> {
  const found = await db
    .selectFrom('audience_share as share')
    .innerJoin('audience', 'audience.id', 'share.audience')
    .select('share.id')
    .where('audience.seed', '=', audience)
    .where('share.ad_account', '=', account)
    .where('share.state', 'not in', ['removing', 'removed'])
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** The members of the agency who serve an advertiser. */
export async function staffOf(db: Db, advertiser: number): Promise<number[]> {
  const rows = await db
    .selectFrom('advertiser_member')
    .innerJoin('users', 'users.id', 'advertiser_member.user_id')
    .select('users.id')
    .where('advertiser_member.advertiser', '=', advertiser)
    .where('users.identity', '<>', 'external_user')
    .where(maySignIn)
    .execute()
  return rows.map(({ id }) => id)
}

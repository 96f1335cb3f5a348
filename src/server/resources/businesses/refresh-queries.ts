import { sql } from 'kysely'
import { ACTIVE_STATUSES, CAP_NEAR } from '#shared/account-standing.ts'
import type { BusinessAccount, PlatformBusiness } from '#server/connectors/business.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import { maySignIn } from '#server/http/session.ts'

/**
 * A shared login of Meta whose businesses were not read since `due`, or are asked for; null: none. A
 * process that dies with it leaves a claim that expires.
 */
export async function claimLogin(
  db: Db,
  { now, due, until }: { now: Date; due: Date; until: Date },
): Promise<number | null> {
  const { rows } = await sql<{ login: number }>`
    insert into business_refresh as refresh (login, claimed_until)
    select account.id, ${until}::timestamptz
    from public_account account left join business_refresh known on known.login = account.id
    where account.platform = 'meta' and (known.claimed_until is null or known.claimed_until <= ${now})
      and (known.finished_at is null or known.finished_at < ${due}
        or exists (select from business where business.login = account.id and business.requested_at > known.finished_at))
    order by known.finished_at nulls first, account.id limit 1
    on conflict (login) do update set claimed_until = excluded.claimed_until
      where refresh.claimed_until is null or refresh.claimed_until <= ${now}
    returning login`.execute(db)
  return rows[0]?.login ?? null
}

/** `claimed_until` is that of the claim: a later one is not ended. */
export async function releaseLogin(
  db: Db,
  { login, claimed_until, now }: { login: number; claimed_until: Date; now: Date },
): Promise<void> {
  await db
    .updateTable('business_refresh')
    .set({ claimed_until: null, finished_at: now })
    .where('login', '=', login)
    .where('claimed_until', '=', claimed_until)
    .execute()
}

/**
 * The business under its own id; null: another login reads it, and can, so that two which may see different
 * things do not overwrite each other.
 */
export async function upsertBusiness(
  trx: Trx,
  { external_id, name, verification }: PlatformBusiness,
  login: number,
): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    insert into business as known (external_id, name, verification, login)
    values (${external_id}, ${name}, ${verification}, ${login})
    on conflict (external_id) do update
      set name = excluded.name, verification = excluded.verification, login = excluded.login
      where known.login is null or known.login = excluded.login or known.problem is not null
    returning id`.execute(trx)
  return rows[0]?.id ?? null
}

/** Those that the login read before. */
export async function businessesOfLogin(db: Db, login: number) {
  return await db.selectFrom('business').select(['id', 'external_id']).where('login', '=', login).execute()
}

/** problem null: its accounts were read. */
export async function noteOutcome(
  db: Db,
  businesses: readonly number[],
  { problem, now }: { problem: string | null; now: Date },
): Promise<void> {
  if (businesses.length === 0) return
  await db
    .updateTable('business')
    .set({ problem, tried_at: now, ...(problem === null && { refreshed_at: now }) })
    .where('id', 'in', [...businesses])
    .execute()
}

/** So many changes of an account are kept. */
const MOST_CHANGES = 50

/** What the platform says of the accounts of a business; what has changed joins each one's history. */
export async function saveBusinessAccounts(
  trx: Trx,
  business: number,
  { accounts, now }: { accounts: readonly BusinessAccount[]; now: Date },
): Promise<void> {
  const rows = accounts.map(({ external_id: account, ...facts }) => ({ account, ...facts }))
  await sql`
    insert into business_ad_account as known (business, account, name, relation, status, disable_reason, currency, timezone,
      spend_cap, amount_spent, balance, is_prepay, funding, tasks, tos_accepted, created_at, listed_at)
    select ${business}, account, name, relation, status, disable_reason, currency, timezone,
      spend_cap, amount_spent, balance, is_prepay, funding, tasks, tos_accepted, created_at, ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) row (account text, name text, relation text, status integer,
      disable_reason integer, currency text, timezone text, spend_cap bigint, amount_spent bigint, balance bigint,
      is_prepay boolean, funding jsonb, tasks jsonb, tos_accepted boolean, created_at timestamptz)
    on conflict (business, account) do update set
      name = excluded.name, relation = excluded.relation, status = excluded.status, disable_reason = excluded.disable_reason,
      currency = excluded.currency, timezone = excluded.timezone, spend_cap = excluded.spend_cap,
      amount_spent = excluded.amount_spent, balance = excluded.balance, is_prepay = excluded.is_prepay,
      funding = excluded.funding, tasks = excluded.tasks, tos_accepted = excluded.tos_accepted,
      created_at = excluded.created_at, listed_at = excluded.listed_at, gone_at = null,
      stop_noted = known.stop_noted and excluded.status <> all(${ACTIVE_STATUSES}::integer[]),
      -- What was spent has been set back: the same cap begins anew.
      cap_noted = case when coalesce(excluded.amount_spent * 2 >= known.cap_noted, true) then known.cap_noted end,
      history = jsonb_path_query_array(
        (select coalesce(jsonb_agg(change), '[]') from (values
          ('status', to_jsonb(known.status), to_jsonb(excluded.status)),
          ('disable_reason', to_jsonb(known.disable_reason), to_jsonb(excluded.disable_reason)),
          ('spend_cap', to_jsonb(known.spend_cap), to_jsonb(excluded.spend_cap)),
          ('relation', to_jsonb(known.relation), to_jsonb(excluded.relation)),
          ('gone', to_jsonb(known.gone_at is not null), to_jsonb(false))) field (name, was, is_now)
          cross join lateral (select jsonb_build_object('at', ${now.toISOString()}::text, 'field', name, 'from', was, 'to', is_now) as change) made
          where was is distinct from is_now) || known.history,
        ${sql.lit(`$[0 to ${MOST_CHANGES - 1}]`)})`.execute(trx)
}

/** Accounts that were not listed this time are gone, and after some days deleted. */
export async function markGone(
  trx: Trx,
  business: number,
  { now, deleteBefore }: { now: Date; deleteBefore: Date },
): Promise<void> {
  await sql`
    update business_ad_account set gone_at = ${now}, history = jsonb_build_array(jsonb_build_object(
      'at', ${now.toISOString()}::text, 'field', 'gone', 'from', false, 'to', true)) || history
    where business = ${business} and listed_at < ${now} and gone_at is null`.execute(trx)
  await trx
    .deleteFrom('business_ad_account')
    .where('business', '=', business)
    .where('gone_at', '<', deleteBefore)
    .execute()
}

export interface Alarm {
  account: string
  name: string
  advertiser: number
  advertiser_name: string
  status: number
  disable_reason: number | null
  cap_used: number | null
  business: number
}

/** Takes the accounts of advertisers that have stopped, each once until it is active again. */
export const takeStopped = async (trx: Trx, business: number) =>
  (
    await sql<Alarm>`
      update business_ad_account mine set stop_noted = true
      from ad_account join advertiser on advertiser.id = ad_account.advertiser
      where mine.business = ${business} and mine.gone_at is null and not mine.stop_noted
        and mine.status <> all(${ACTIVE_STATUSES}::integer[])
        and ad_account.provider = 'meta' and ad_account.external_id = mine.account
      returning ${alarm}`.execute(trx)
  ).rows

/** Takes the accounts of advertisers that come near their cap, each once for a cap. */
export const takeNearCap = async (trx: Trx, business: number) =>
  (
    await sql<Alarm>`
      update business_ad_account mine set cap_noted = spend_cap
      from ad_account join advertiser on advertiser.id = ad_account.advertiser
      where mine.business = ${business} and mine.gone_at is null and mine.cap_used >= ${CAP_NEAR}
        and mine.cap_noted is distinct from mine.spend_cap
        and ad_account.provider = 'meta' and ad_account.external_id = mine.account
      returning ${alarm}`.execute(trx)
  ).rows

const alarm = sql`mine.account, mine.name, advertiser.id as advertiser, advertiser.name as advertiser_name,
  mine.status, mine.disable_reason, mine.cap_used, mine.business`

/** The agency's people who serve these advertisers. */
export async function staffOf(db: Db, advertisers: readonly number[]) {
  if (advertisers.length === 0) return []
  return await db
    .selectFrom('advertiser_member as member')
    .innerJoin('users', 'users.id', 'member.user_id')
    .select(['member.advertiser', 'users.id as user_id'])
    .where('member.advertiser', 'in', [...advertisers])
    .where('users.identity', '<>', 'external_user')
    .where(maySignIn)
    .orderBy('users.id')
    .execute()
}

import { sql, type RawBuilder } from 'kysely'
import type { Person } from '#shared/access.ts'
import { advertiserScope } from '#shared/access.ts'
import type { SpendQuery } from '#shared/api/spend.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import type { DayRange } from '#shared/date-range.ts'
import type { AccountRef, Jobs } from '#server/connectors/connector.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { advertiserIdsOf } from '#server/resources/people/queries.ts'
import { writeMonthsOfDays, writeMonths, type MonthCost } from './month-queries.ts'
import { RETENTION_DAYS, spendChannels, type KnownDays, type KnownMonths } from './rules.ts'

export interface SpendDay {
  day: string
  cost: number | null
  impressions: number | null
  clicks: number | null
  conversions: number | null
}

// Reads.

export interface SpendAccountRow {
  id: number
  name: string
  channel: Channel
  currency: string
  known_from: string | null
  known_to: string | null
  refreshed_at: Date | null
  code: string | null
}

/** The ad accounts that a person may use, or the requested ones of them, with the days that are known. */
export async function accountsWithSpend(
  db: Db,
  person: Person,
  ids: readonly number[] | undefined,
): Promise<SpendAccountRow[]> {
  let accounts = db
    .selectFrom('ad_account')
    .leftJoin('spend_account as known', 'known.ad_account', 'ad_account.id')
    .where('channel', 'in', spendChannels)
  if (advertiserScope[person.identity] !== 'all')
    accounts = accounts.where('advertiser', 'in', advertiserIdsOf(person))
  if (ids) accounts = accounts.where('id', 'in', ids)
  return await accounts
    .select(['id', 'name', 'channel', 'currency', 'known_from', 'known_to', 'refreshed_at', 'code'])
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()
}

export interface SpendSum extends SpendDay {
  currency: string
  channel: Channel | null
  account: number | null
}

/** The days of these accounts, grouped as requested; each currency for itself. */
export async function sumSpend(
  db: Db,
  accounts: readonly number[],
  { start, end, group }: Pick<SpendQuery, 'start' | 'end' | 'group'>,
): Promise<SpendSum[]> {
  if (accounts.length === 0) return []
  const [channel, account] = grouping[group]
  // Millionths are exact up to 2^53, nine thousand million units a day; nobody would see the last digits
  // beyond it.
  const { rows } = await sql<SpendSum>`
    select currency, ${channel} as channel, ${account} as account, day,
      sum(cost)::float8 as cost, sum(impressions)::float8 as impressions, sum(clicks)::float8 as clicks,
      sum(conversions) as conversions
    from spend_day join ad_account on ad_account.id = spend_day.ad_account
    where spend_day.ad_account = any(${accounts}::bigint[]) and day between ${start} and ${end}
    group by 1, 2, 3, 4`.execute(db)
  return rows
}

const grouping: Record<SpendQuery['group'], [RawBuilder<unknown>, RawBuilder<unknown>]> = {
  channel: [sql`ad_account.channel`, sql`null::bigint`],
  account: [sql`ad_account.channel`, sql`ad_account.id`],
  total: [sql`null::text`, sql`null::bigint`],
}

// Writes.

/**
 * An account that this process fetches the days of until `claimed_until`; a later claim has another `claim`.
 */
export interface ClaimedAccount extends AccountRef, KnownDays, KnownMonths {
  id: number
  channel: Channel
  public_account: number | null
  claim: string
  failures: number
}

/**
 * The account that has waited longest, those never fetched first; null when none is due, or runs wait, which
 * have priority.
 */
export async function claimAccount(
  db: Db,
  { claim, now, until }: { claim: string; now: Date; until: Date },
): Promise<ClaimedAccount | null> {
  const { rows } = await sql<Omit<ClaimedAccount, 'claim'>>`
    with due as (
      select account.id
      from ad_account account left join spend_account known on known.ad_account = account.id
      where account.channel = any(${spendChannels}::text[])
        and (known.next_at is null or known.next_at <= ${now})
        and (known.claimed_until is null or known.claimed_until <= ${now})
        and not exists (select from run where status = 'queued' and (resumes_at is null or resumes_at <= ${now}))
      order by known.refreshed_at is not null, known.next_at nulls first, account.id
      limit 1
    ), claimed as (
      insert into spend_account as known (ad_account, next_at, claim, claimed_until)
      select id, ${now}::timestamptz, ${claim}::uuid, ${until}::timestamptz from due
      on conflict (ad_account) do update set claim = excluded.claim, claimed_until = excluded.claimed_until
        where known.claimed_until is null or known.claimed_until <= ${now}
      returning *
    )
    select account.id, account.channel, account.provider, account.external_id, account.via, account.currency, account.timezone,
      account.public_account, claimed.known_from, claimed.known_to, claimed.settled_to, claimed.refreshed_at, claimed.failures,
      array(select month from spend_month where ad_account = account.id and known <> 'partial') as known_months
    from claimed join ad_account account on account.id = claimed.ad_account`.execute(db)
  return rows[0] ? { ...rows[0], claim } : null
}

/** How long it takes until an account is due, 0 when one is; null when none will be so soon, or runs wait. */
export async function msUntilDue(
  db: Db,
  { now, within_ms }: { now: Date; within_ms: number },
): Promise<number | null> {
  const until = new Date(now.getTime() + within_ms)
  const { rows } = await sql<{ due_at: Date | null }>`
    select min(greatest(coalesce(known.next_at, ${now}), coalesce(known.claimed_until, ${now}), ${now})) as due_at
    from ad_account account left join spend_account known on known.ad_account = account.id
    where account.channel = any(${spendChannels}::text[])
      and (known.next_at is null or known.next_at <= ${until})
      and (known.claimed_until is null or known.claimed_until <= ${until})
      and not exists (select from run where status = 'queued' and (resumes_at is null or resumes_at <= ${now}))`.execute(
    db,
  )
  const due_at = rows[0]?.due_at ?? null
  return due_at && due_at.getTime() - now.getTime()
}

/**
 * Replaces the known days of a range by the platform's, and with them the months that they are of; false:
 * another process has the account by now.
 */
export async function saveDays(
  db: Db,
  account: ClaimedAccount,
  answered: {
    range: DayRange
    days: readonly SpendDay[]
    /** When the platform has said so. */
    as_of: Date
    known: Pick<KnownDays, 'known_from' | 'known_to' | 'settled_to'>
    refreshed_at: Date | null
    next_at: Date
  },
): Promise<boolean> {
  const { range, days, as_of, known, refreshed_at, next_at } = answered
  return await inTransaction(db, async trx => {
    const { numUpdatedRows } = await trx
      .updateTable('spend_account')
      .set({ ...known, ...released, refreshed_at, next_at, failures: 0, code: null, jobs: '{}' })
      .where('ad_account', '=', account.id)
      .where('claim', '=', account.claim)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    const oldest = Temporal.PlainDate.from(range.end).subtract({ days: RETENTION_DAYS }).toString()
    await trx
      .deleteFrom('spend_day')
      .where('ad_account', '=', account.id)
      .where(eb =>
        eb.or([eb.between('day', range.start, range.end), eb('day', '<', known.known_from ?? oldest)]),
      )
      .execute()
    if (days.length > 0)
      await trx
        .insertInto('spend_day')
        .values(days.map(day => ({ ad_account: account.id, ...day })))
        .execute()
    await writeMonthsOfDays(trx, account.id, { range, known, as_of })
    return true
  })
}

/** The same for months whose days are not kept. */
export async function saveMonths(
  db: Db,
  { id, claim }: Pick<ClaimedAccount, 'id' | 'claim'>,
  { months, as_of, next_at }: { months: readonly MonthCost[]; as_of: Date; next_at: Date },
): Promise<boolean> {
  return await inTransaction(db, async trx => {
    const { numUpdatedRows } = await trx
      .updateTable('spend_account')
      .set({ ...released, next_at, failures: 0, code: null, jobs: '{}' })
      .where('ad_account', '=', id)
      .where('claim', '=', claim)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await writeMonths(trx, id, { months, as_of })
    return true
  })
}

/** Releases the account, to be fetched again later. */
export async function postponeAccount(
  db: Db,
  { id, claim }: Pick<ClaimedAccount, 'id' | 'claim'>,
  { next_at, code, failures }: { next_at: Date; code: string | null; failures: number },
): Promise<void> {
  await db
    .updateTable('spend_account')
    .set({ ...released, next_at, code, failures })
    .where('ad_account', '=', id)
    .where('claim', '=', claim)
    .execute()
}

const released = { claim: null, claimed_until: null }

/** The reports that a platform is preparing for an account's days, recorded until they are read. */
export function spendJobs(db: Db, account: Pick<ClaimedAccount, 'id'>): Jobs {
  const find = async (key: string) => {
    const { rows } = await sql<{ job: string | null }>`
      select jobs ->> ${key} as job from spend_account where ad_account = ${account.id}`.execute(db)
    return rows[0]?.job ?? null
  }
  return {
    find,
    async startOnce(key, begin) {
      const known = await find(key)
      if (known !== null) return known
      const job = await begin()
      await sql`
        update spend_account set jobs = jobs || jsonb_build_object(${key}::text, ${job}::text)
        where ad_account = ${account.id}`.execute(db)
      return job
    },
    async forget(key) {
      await sql`update spend_account set jobs = jobs - ${key}::text where ad_account = ${account.id}`.execute(
        db,
      )
    },
  }
}

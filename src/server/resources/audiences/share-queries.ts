import { sql, type ExpressionBuilder } from 'kysely'
import type { ShareState } from '#shared/audiences.ts'
import type { Db } from '#server/db/connect.ts'
import type { Database } from '#server/db/schema.ts'
import type { SharePart, ShareTask } from '#server/db/tables/audiences.ts'

// A share is due when next_at has come. A claim moves that to its own end, when the share of a process that
// has died is due again. A next_at that differs from it meanwhile is somebody's wish that the share be
// looked at, and outlives what the claimer stores.

export interface Claim {
  claim: string
  now: Date
  until: Date
}

/**
 * The share that has waited longest; those still to be made come before those to be sent, so that several are
 * sent together.
 */
export async function claimShare(db: Db, { claim, now, until }: Claim): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    with due as (
      select id from audience_share
      where next_at <= ${now} and (claimed_until is null or claimed_until <= ${now})
      order by state not in ('queued', 'creating'), next_at, id
      limit 1 for update skip locked
    )
    update audience_share share set claim = ${claim}, claimed_until = ${until}, next_at = ${until}
    from due where share.id = due.id returning share.id`.execute(db)
  return rows[0]?.id ?? null
}

/** Others of the same audience that one request reaches too. */
export async function claimCompanions(
  db: Db,
  first: number,
  { claim, now, until, most }: Claim & { most: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with due as (
      select other.id
      from audience_share share
        join ad_account account on account.id = share.ad_account
        join audience_share other on other.audience = share.audience and other.id <> share.id
        join ad_account beside on beside.id = other.ad_account
      where share.id = ${first}
        and beside.provider = account.provider
        and beside.public_account is not distinct from account.public_account
        and other.state in ('queued', 'creating', 'uploading') and other.mode <> 'shared'
        and other.next_at <= ${now} and (other.claimed_until is null or other.claimed_until <= ${now})
      order by other.id
      limit ${most} for update of other skip locked
    )
    update audience_share share set claim = ${claim}, claimed_until = ${until}, next_at = ${until}
    from due where share.id = due.id returning share.id`.execute(db)
  return rows.map(({ id }) => id).toSorted((a, b) => a - b)
}

/** How long it takes until a share or an erasure is due, 0 when one is; null when none will be so soon. */
export async function msUntilShareDue(
  db: Db,
  { now, within_ms }: { now: Date; within_ms: number },
): Promise<number | null> {
  const until = new Date(now.getTime() + within_ms)
  const { rows } = await sql<{ due_at: Date | null }>`
    select min(greatest(next_at, claimed_until, ${now})) as due_at
    from (
      select next_at, claimed_until from audience_share
      union all select next_at, claimed_until from erasure_account where outcome = 'pending'
    ) due
    where next_at <= ${until} and (claimed_until is null or claimed_until <= ${until})`.execute(db)
  const at = rows[0]?.due_at ?? null
  return at && at.getTime() - now.getTime()
}

/** Prolongs the claim; false: another process has the share by now. */
export async function holdShare(db: Db, id: number, { claim, until }: Omit<Claim, 'now'>): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('audience_share')
    .set(eb => ({ claimed_until: until, next_at: unlessWoken(eb, until) }))
    .where('id', '=', id)
    .where('claim', '=', claim)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

const unlessWoken = (eb: ExpressionBuilder<Database, 'audience_share'>, at: Date | null) =>
  sql<Date | null>`
    case when ${eb.ref('next_at')} = ${eb.ref('claimed_until')} then ${at}::timestamptz
      else least(${eb.ref('next_at')}, ${at}::timestamptz) end`

export async function readShare(db: Db, id: number) {
  const row = await db
    .selectFrom('audience_share as share')
    .innerJoin('audience', 'audience.id', 'share.audience')
    .innerJoin('ad_account as account', 'account.id', 'share.ad_account')
    .leftJoin('site', 'site.id', 'audience.site')
    .select([
      'share.id',
      'share.audience',
      'share.ad_account',
      'share.mode',
      'share.home',
      'share.state',
      'share.parts',
      'share.task',
      'share.sent_to',
      'share.code',
      'share.synced_at',
      'share.auto_sync',
      'share.failures',
      'share.created_by',
      'share.created_at',
      'audience.advertiser',
      'audience.kind',
      'audience.name',
      'audience.description',
      'audience.collected_by',
      'audience.consent',
      'audience.window_days',
      'audience.status',
      'audience.rule',
      'audience.seed',
      'audience.country',
      'audience.ratio',
      'site.pixels',
      'account.name as account_name',
      'account.provider',
      'account.external_id',
      'account.currency',
      'account.timezone',
      'account.via',
      'account.public_account',
      'account.advertiser as account_advertiser',
    ])
    .where('share.id', '=', id)
    .executeTakeFirst()
  return row ?? null
}
export type Share = NonNullable<Awaited<ReturnType<typeof readShare>>>

export interface ShareChanges {
  state?: ShareState
  parts?: readonly SharePart[]
  task?: ShareTask | null
  sent_to?: number
  size?: string | null
  match?: string | null
  code?: string | null
  message?: string | null
  request_id?: string | null
  synced_at?: Date
  checked_at?: Date
  failures?: number
}

/**
 * Stores what has come of a step. Without `next_at` the claim goes on until `until`, with it the share is
 * released. One that is to be removed meanwhile stays so. False: another process has the share by now.
 */
export async function storeShare(
  db: Db,
  { id, claim, state: before }: { id: number; claim: string; state: ShareState },
  { until, now, ...rest }: ShareChanges & { now: Date; until: Date; next_at?: Date | null },
): Promise<boolean> {
  const { parts, task, state, next_at: after, ...columns } = rest
  const isOver = after !== undefined
  const isRemoval = before === 'removing'
  const { numUpdatedRows } = await db
    .updateTable('audience_share')
    .set(eb => ({
      ...columns,
      ...(parts !== undefined && { parts: JSON.stringify(parts) }),
      ...(task !== undefined && { task: task && JSON.stringify(task) }),
      ...(state !== undefined && { state: isRemoval ? state : unlessRemoved(state) }),
      next_at: after === null ? onlyToRemove(isRemoval) : unlessWoken(eb, isOver ? after : until),
      claimed_until: isOver ? null : until,
      ...(isOver && { claim: null }),
      last_modified_at: now,
    }))
    .where('id', '=', id)
    .where('claim', '=', claim)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Where a share has ended, only its removal is still wished for. */
const onlyToRemove = (isRemoval: boolean) =>
  sql<Date | null>`case when state = 'removing' and not ${isRemoval}::boolean then next_at end`

const unlessRemoved = (state: ShareState) =>
  sql<ShareState>`case when audience_share.state = 'removing' then 'removing' else ${state}::text end`

import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import { plannedOnce } from '#server/db/planned-once.ts'

/** One attempt of a run, and the oldest response that it may read. */
export interface Requester {
  run: string
  attempt: number
  /** It accepts what was fetched then or later. */
  fresh_since: Date
  /** The same, for days that are final at the platform. */
  settled_since: Date
}

/**
 * cached: the response is there. claimed: another run is fetching it. pending: the platform prepares the
 * report for another run; pending_for_me: for this one. too_large: every run fetches for itself. unclaimed:
 * no run is fetching it.
 */
export type CacheEntry<Content = Uint8Array> =
  | { state: 'cached'; response: Content; fetched_at: Date; is_own: boolean }
  | { state: 'claimed' | 'pending' | 'pending_for_me' | 'too_large' | 'unclaimed' }

// A claim lives as long as the lease of its run: it has no heartbeat of its own, and a worker that dies loses
// it with its lease. A run that waits for a platform resumes within a minute of its time, however long the
// queue is.
const claimIsAlive = sql`exists (
  select from run where run.id = cached.claim_run and (
    run.status = 'fetching' and run.lease_until > now()
      and (cached.claim_waits or run.attempt = cached.claim_attempt and cached.claimed_at > now() - interval '10 min')
    or cached.claim_waits and run.status = 'queued' and run.resumes_at > now() - interval '1 min'
  ) and cached.claimed_at > now() - interval '1 hour')`

/**
 * What a run has fetched itself stays valid for all of it: it would never end at a platform that prepares
 * reports slowly.
 */
const freshFor = ({ run, fresh_since }: Requester) => sql`coalesce(
  cached.response is not null and (cached.requested_by = ${run}::uuid or cached.requested_at >= ${fresh_since} and cached.expires_at > now()), false)`

/** In the order of the keys. */
export async function findResponses(
  db: Db,
  keys: readonly Buffer[],
  requester: Requester,
): Promise<CacheEntry[]> {
  const { rows } = await sql<FoundRow & { name: Buffer }>`${plannedOnce}
    select name, case when ${freshFor(requester)} then response end as response, requested_at as fetched_at,
      requested_by = ${requester.run}::uuid as is_own,
      coalesce(too_large_at > now() - interval '1 hour', false) as is_too_large,
      ${claimIsAlive} as is_claimed, coalesce(claim_run = ${requester.run}::uuid, false) as is_mine, claim_waits
    from shared_fetch cached where name = any(${keys}::bytea[])`.execute(db)
  return keys.map(key => entryOf(rows.find(({ name }) => key.equals(name))))
}

interface FoundRow {
  response: Uint8Array | null
  fetched_at: Date
  is_own: boolean
  is_too_large: boolean
  is_claimed: boolean
  is_mine: boolean
  claim_waits: boolean
}

function entryOf(row: FoundRow | undefined): CacheEntry {
  if (!row) return { state: 'unclaimed' }
  const { response, fetched_at, is_own } = row
  if (response) return { state: 'cached', response, fetched_at, is_own }
  if (row.is_too_large) return { state: 'too_large' }
  if (row.is_mine) return { state: row.claim_waits ? 'pending_for_me' : 'unclaimed' }
  if (!row.is_claimed) return { state: 'unclaimed' }
  return { state: row.claim_waits ? 'pending' : 'claimed' }
}

interface Claim {
  requester: Requester
  /** The platform prepares the report while the run waits. */
  waits: boolean
}

/** In the order of the keys; false: another run was first. */
export async function claimRequests(
  db: Db,
  keys: readonly Buffer[],
  { requester, waits }: Claim,
): Promise<boolean[]> {
  // In one order for everybody, so that two runs with the same requests do not deadlock.
  const { rows } = await sql<{ name: Buffer }>`${plannedOnce}
    insert into shared_fetch as cached (name, claim_run, claim_attempt, claim_waits)
    select distinct name, ${requester.run}::uuid, ${requester.attempt}::int, ${waits}::boolean
    from unnest(${keys}::bytea[]) as claimed (name) order by name
    on conflict (name) do update set
      claim_run = excluded.claim_run, claim_attempt = excluded.claim_attempt,
      -- A report that the platform prepared for this run is as old as its request.
      claimed_at = case when cached.claim_run = excluded.claim_run and cached.claim_waits then cached.claimed_at else now() end,
      claim_waits = excluded.claim_waits or cached.claim_waits and cached.claim_run = excluded.claim_run
    where not ${freshFor(requester)} and (cached.claim_run = excluded.claim_run or not ${claimIsAlive})
    returning name`.execute(db)
  return keys.map(key => rows.some(({ name }) => key.equals(name)))
}

const ownedBy = ({ run, attempt }: Requester) => sql`claim_run = ${run}::uuid and claim_attempt = ${attempt}`

interface NewResponse {
  requester: Requester
  response: Buffer
  ttlMinutes: number
}

/** An attempt that was suspended, and whose claim another one has taken over meanwhile, stores nothing. */
export async function storeResponse(db: Db, key: Buffer, { requester, response, ttlMinutes }: NewResponse) {
  await sql`${plannedOnce}
    update shared_fetch set
      response = ${response}, bytes = ${response.length}, requested_by = ${requester.run}, requested_at = claimed_at, used_at = now(),
      expires_at = now() + ${ttlMinutes} * interval '1 min',
      claim_run = null, claim_attempt = null, claim_waits = false, too_large_at = null
    where name = ${key} and ${ownedBy(requester)}`.execute(db)
}

/** Lets the next run fetch. */
export async function releaseClaim(
  db: Db,
  key: Buffer,
  { requester, is_too_large }: { requester: Requester; is_too_large: boolean },
) {
  await sql`
    update shared_fetch set claim_run = null, claim_attempt = null, claim_waits = false,
      too_large_at = case when ${is_too_large} then now() else too_large_at end
    where name = ${key} and ${ownedBy(requester)}`.execute(db)
}

/** Updated once a minute at most: what a thousand runs read need not be written a thousand times. */
export async function touchResponse(db: Db, key: Buffer) {
  await sql`
    update shared_fetch set used_at = now() where name = ${key} and used_at < now() - interval '1 min'`.execute(
    db,
  )
}

/** Deletes the least recently used, until the rest fits. */
export async function trimResponses(db: Db, most_bytes: number) {
  await sql`
    delete from shared_fetch where name in (
      select name from (
        select name, sum(bytes) over (order by used_at desc nulls last, name) as bytes_so_far from shared_fetch
        where response is not null
      ) newest where bytes_so_far > ${most_bytes}
    )`.execute(db)
}

/** Responses that are too old for every run but the one that has fetched them, and old claims. */
export async function deleteOldResponses(db: Db) {
  await sql`
    delete from shared_fetch
    where coalesce(expires_at, claimed_at) < now() - interval '2 hours' and claimed_at < now() - interval '2 hours'`.execute(
    db,
  )
}

export async function measureResponses(db: Db) {
  const { rows } = await sql<{ kept: number; kept_bytes: number }>`
    select count(response)::int as kept, coalesce(sum(bytes), 0)::float8 as kept_bytes from shared_fetch`.execute(
    db,
  )
  return rows[0] ?? { kept: 0, kept_bytes: 0 }
}

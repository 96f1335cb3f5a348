import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'

/** One attempt of a run, which wants numbers that were asked for at `wanted_at` or later; of days that do not change any more, at `settled_since` or later. */
export interface Asker {
  run: string
  attempt: number
  wanted_at: Date
  settled_since: Date
}

/**
 * kept: here it is. held: another run is asking; being_made: the platform makes the answer for another run meanwhile, or for this one. too_large:
 * everybody asks for himself. free: nobody has asked.
 */
export type Found<Answer = Uint8Array> =
  | { state: 'kept'; answer: Answer; asked_at: Date; is_own: boolean }
  | { state: 'held' | 'being_made' | 'being_made_for_me' | 'too_large' | 'free' }

// A claim is as alive as the run that has it: no heartbeat of its own, and a worker that dies lets go of it with its lease. One that waits for a platform
// comes back within a minute of its time, however long the queue is.
const isHeld = sql`exists (
  select from run where run.id = kept.claim_run and (
    run.status = 'fetching' and run.lease_until > now()
      and (kept.claim_waits or run.attempt = kept.claim_attempt and kept.claimed_at > now() - interval '10 min')
    or kept.claim_waits and run.status = 'queued' and run.resumes_at > now() - interval '1 min'
  ) and kept.claimed_at > now() - interval '1 hour')`

/** What a run has been told itself stays good for all of it: a platform that makes reports slowly would never be done otherwise. */
const isGood = ({ run, wanted_at }: Asker) => sql`coalesce(
  kept.answer is not null and (kept.asked_by = ${run}::uuid or kept.asked_at >= ${wanted_at} and kept.good_until > now()), false)`

export async function findFetch(db: Db, name: Buffer, asker: Asker): Promise<Found> {
  const { rows } = await sql<{
    answer: Uint8Array | null
    asked_at: Date
    is_own: boolean
    is_too_large: boolean
    is_held: boolean
    is_mine: boolean
    claim_waits: boolean
  }>`
    select case when ${isGood(asker)} then answer end as answer, asked_at, asked_by = ${asker.run}::uuid as is_own,
      coalesce(too_large_at > now() - interval '1 hour', false) as is_too_large,
      ${isHeld} as is_held, coalesce(claim_run = ${asker.run}::uuid, false) as is_mine, claim_waits
    from shared_fetch kept where name = ${name}`.execute(db)
  const [found] = rows
  if (!found) return { state: 'free' }
  const { answer, asked_at, is_own } = found
  if (answer) return { state: 'kept', answer, asked_at, is_own }
  if (found.is_too_large) return { state: 'too_large' }
  if (found.is_mine) return { state: found.claim_waits ? 'being_made_for_me' : 'free' }
  if (!found.is_held) return { state: 'free' }
  return { state: found.claim_waits ? 'being_made' : 'held' }
}

/** false: another run has come first. `waits`: the platform makes the answer while the run waits. */
export async function claimFetch(db: Db, name: Buffer, { asker, waits }: { asker: Asker; waits: boolean }) {
  const { rows } = await sql`
    insert into shared_fetch as kept (name, claim_run, claim_attempt, claim_waits)
    values (${name}, ${asker.run}, ${asker.attempt}, ${waits})
    on conflict (name) do update set
      claim_run = excluded.claim_run, claim_attempt = excluded.claim_attempt,
      -- What the platform has made for this run is as old as when it was begun.
      claimed_at = case when kept.claim_run = excluded.claim_run and kept.claim_waits then kept.claimed_at else now() end,
      claim_waits = excluded.claim_waits or kept.claim_waits and kept.claim_run = excluded.claim_run
    where not ${isGood(asker)} and (kept.claim_run = excluded.claim_run or not ${isHeld})
    returning name`.execute(db)
  return rows.length === 1
}

const isMine = ({ run, attempt }: Asker) => sql`claim_run = ${run}::uuid and claim_attempt = ${attempt}`

/** An attempt that has been paused, and whose claim another one has taken over meanwhile, keeps nothing. */
export async function keepAnswer(
  db: Db,
  name: Buffer,
  { asker, answer, good_for_minutes }: { asker: Asker; answer: Buffer; good_for_minutes: number },
) {
  await sql`
    update shared_fetch set
      answer = ${answer}, bytes = ${answer.length}, asked_by = ${asker.run}, asked_at = claimed_at, used_at = now(),
      good_until = now() + ${good_for_minutes} * interval '1 min',
      claim_run = null, claim_attempt = null, claim_waits = false, too_large_at = null
    where name = ${name} and ${isMine(asker)}`.execute(db)
}

/** Lets the next one ask. */
export async function releaseFetch(
  db: Db,
  name: Buffer,
  { asker, is_too_large }: { asker: Asker; is_too_large: boolean },
) {
  await sql`
    update shared_fetch set claim_run = null, claim_attempt = null, claim_waits = false,
      too_large_at = case when ${is_too_large} then now() else too_large_at end
    where name = ${name} and ${isMine(asker)}`.execute(db)
}

/** Said once a minute at most: what is asked for by a thousand runs need not be written a thousand times. */
export async function noteUse(db: Db, name: Buffer) {
  await sql`
    update shared_fetch set used_at = now() where name = ${name} and used_at < now() - interval '1 min'`.execute(
    db,
  )
}

/** Throws away what was used longest ago, until the rest has room. */
export async function trimAnswers(db: Db, most_bytes: number) {
  await sql`
    delete from shared_fetch where name in (
      select name from (
        select name, sum(bytes) over (order by used_at desc nulls last, name) as bytes_so_far from shared_fetch
        where answer is not null
      ) newest where bytes_so_far > ${most_bytes}
    )`.execute(db)
}

/** Answers that are good for nobody any more, but for the run that has asked, and claims of long ago. */
export async function forgetOldAnswers(db: Db) {
  await sql`
    delete from shared_fetch
    where coalesce(good_until, claimed_at) < now() - interval '2 hours' and claimed_at < now() - interval '2 hours'`.execute(
    db,
  )
}

export async function measureAnswers(db: Db) {
  const { rows } = await sql<{ kept: number; kept_bytes: number }>`
    select count(answer)::int as kept, coalesce(sum(bytes), 0)::float8 as kept_bytes from shared_fetch`.execute(
    db,
  )
  return rows[0] ?? { kept: 0, kept_bytes: 0 }
}

import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import { plannedOnce } from '#server/db/planned-once.ts'
import type { Rate } from './rate.ts'

/**
 * The rates of quotas that a platform limits without saying how: none at first. A refusal, or a response that
 * says that little is left, halves the rate; each minute after that adds to it, until the limit is forgotten
 * (additive increase, multiplicative decrease). The rate is in the quota's row, for all workers; the minutes
 * are those since its latest pause ended.
 */
export interface AdaptiveRates {
  /** Called for each request; null: nothing limits it. */
  rateOf(key: string): Promise<Rate | null>
  /** Halves it, once for refusals at the same time. To be called before the pause that a refusal means. */
  lower(key: string): Promise<void>
}

/** No pause is followed by less; each minute adds as much. */
export const SLOWEST: Rate = { per_minute: 60, burst: 1 }
const FORGOTTEN_AFTER_MIN = 15

/**
 * A quota that nothing limits is looked up this often by each process, and not for each request: of a refusal
 * elsewhere it learns that much later, which is less than the duration of a request.
 */
const LOOKUP_MS = 100

const MOST_KNOWN = 10_000
const MINUTE_MS = 60_000

export function openAdaptiveRates(db: Db): AdaptiveRates {
  const known = new Map<string, Known>()
  const knownOf = (key: string, now: number) => {
    if (known.size >= MOST_KNOWN) known.clear()
    const entry = known.get(key) ?? { free_until: 0, since: now, sent: 0, sent_before: 0, reading: null }
    known.set(key, entry)
    if (now - entry.since < MINUTE_MS) return entry
    entry.sent_before = now - entry.since < 2 * MINUTE_MS ? entry.sent : 0
    return Object.assign(entry, { since: now, sent: 0 })
  }
  return {
    async rateOf(key) {
      const now = performance.now()
      const entry = knownOf(key, now)
      entry.sent += 1
      if (now < entry.free_until) return null
      entry.reading ??= readRate(db, key).finally(() => (entry.reading = null))
      const rate = await entry.reading
      entry.free_until = rate === null ? now + LOOKUP_MS : 0
      return rate
    },
    async lower(key) {
      const entry = knownOf(key, performance.now())
      entry.free_until = 0
      await halveRate(db, key, Math.max(entry.sent, entry.sent_before))
    },
  }
}

/** What this process knows of a quota. */
interface Known {
  free_until: number
  /** For all requests of this moment. */
  reading: Promise<Rate | null> | null
  /** Requests since then, and in the minute before. */
  since: number
  sent: number
  sent_before: number
}

/** Null once the latest refusal is forgotten. */
const presentRate = sql`case when q.paused_until > clock_timestamp() - ${FORGOTTEN_AFTER_MIN} * interval '1 min'
  then q.per_minute + ${SLOWEST.per_minute}
    * greatest(0, extract(epoch from clock_timestamp() - q.paused_until) / 60)::float8 end`

async function readRate(db: Db, key: string): Promise<Rate | null> {
  const { rows } = await sql<{ per_minute: number }>`${plannedOnce}
    select ${presentRate} as per_minute from quota q
    where scope = ${key} and ${presentRate} is not null`.execute(db)
  return rows[0] ? { ...rows[0], burst: 1 } : null
}

/** `sent`: requests of this process within a minute, in place of a rate that is not limited yet. */
async function halveRate(db: Db, key: string, sent: number): Promise<void> {
  const half = (rate: unknown) => sql`greatest(${SLOWEST.per_minute}::float8, ${rate}::float8 / 2)`
  await sql`
    insert into quota as q (scope, per_minute) values (${key}, ${half(sent)})
    on conflict (scope) do update set per_minute = ${half(sql`coalesce(${presentRate}, ${sent}::float8)`)}
    where coalesce(q.paused_until <= clock_timestamp(), true)`.execute(db)
}

import type { Person } from '#shared/access.ts'
import type { Db } from '#server/db/connect.ts'
import type { LiveEvent } from '#server/http/effects.ts'
import { hasNoticesSince, runsSince } from './queries.ts'

/** Whoever was away for longer, or has missed more, reads everything again. */
const LONGEST_MS = 12 * 60 * 60_000
const MOST_RUNS = 200
/** A change counts from the time at which it was made, and is visible from its commit on; clocks differ. */
const COMMIT_MS = 5000

/**
 * What a person has missed since a position of an earlier stream; null when that is too much, or the position
 * none.
 */
export async function missedEvents(
  db: Db,
  person: Person,
  { position, now }: { position: unknown; now: number },
): Promise<LiveEvent[] | null> {
  const at = Number(position)
  if (!Number.isSafeInteger(at) || at - now > COMMIT_MS || now - at > LONGEST_MS) return null
  const since = new Date(at - COMMIT_MS)
  const runs = await runsSince(db, person, { since, limit: MOST_RUNS + 1 })
  if (runs.length > MOST_RUNS) return null
  const has_notices = await hasNoticesSince(db, person, since)
  return [
    ...runs.map(data => ({ event: 'run' as const, data })),
    ...(has_notices ? [{ event: 'notification' as const, data: { notification: null } }] : []),
  ]
}

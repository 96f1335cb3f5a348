import type { AttentionReport } from '#shared/api/overview.ts'
import { inZone } from '#shared/time-zone.ts'
import type { Bounds } from './queries.ts'

/** A report that needs attention, and why. */
export interface InNeed {
  id: number
  reason: AttentionReport['reason']
}

/**
 * Each report once, by its most urgent reason: what failed on schedule comes first, since its spreadsheet is
 * out of date although nobody has touched it.
 */
export function inNeedOf(
  failed: readonly { id: number; is_scheduled: boolean }[],
  toChange: readonly { id: number; reason: 'ending' | 'gap' }[],
): InNeed[] {
  const failures = failed.map(({ id, is_scheduled }) => ({
    id,
    reason: is_scheduled ? ('scheduled_failure' as const) : ('failure' as const),
  }))
  const of = (reason: InNeed['reason']) => [...failures, ...toChange].filter(each => each.reason === reason)
  const first = new Map<number, InNeed>()
  for (const each of (['scheduled_failure', 'failure', 'ending', 'gap'] as const).flatMap(of))
    if (!first.has(each.id)) first.set(each.id, each)
  return [...first.values()]
}

/** A failure that is a month old is not listed. */
export const FAILURES_MS = 30 * 24 * 3600_000

/**
 * The calendar day in a time zone, from its first instant to that of the next: 23 or 25 hours when the clocks
 * change.
 */
export function dayIn(timezone: string, now: Date): { day: string } & Bounds {
  const at = inZone(Temporal.Instant.fromEpochMilliseconds(now.getTime()), timezone)
  const start = at.startOfDay()
  const next = start.add({ days: 1 }).startOfDay()
  const dateOf = (instant: Temporal.ZonedDateTime) => new Date(instant.epochMilliseconds)
  return { day: at.toPlainDate().toString(), from: dateOf(start), to: dateOf(next) }
}

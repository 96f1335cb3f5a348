import type { AttentionReport } from '#shared/api/overview.ts'

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

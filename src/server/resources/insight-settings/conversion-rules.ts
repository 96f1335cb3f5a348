import type { ConversionEntry } from '#shared/api/insight-settings.ts'
import { catalogueOf } from '#shared/channels/all.ts'
import { firstOverlap } from '#shared/conversion-events.ts'
import { metricIn } from '#shared/metrics.ts'
import type { FieldProblem } from '#server/http/refusal.ts'

/** What is wrong with the entries of a definition, by field. */
export function problemsOfEntries(entries: readonly ConversionEntry[]): Record<string, FieldProblem[]> {
  const unusable = entries.flatMap((entry, at) => (isCount(entry) ? [] : [at]))
  if (unusable.length > 0)
    return Object.fromEntries(unusable.map(at => [`entries.${at}.metric`, ['field_not_available']]))
  const overlap = firstOverlap(entries)
  return overlap ? { entries: [{ code: 'conversion_overlaps', detail: { ...overlap } }] } : {}
}

/** Only what is counted, and can be summed, is a conversion. */
function isCount(entry: ConversionEntry): boolean {
  if ('action' in entry) return true
  const metric = metricIn(catalogueOf(entry.channel), entry.metric)
  return metric?.kind === 'additive' && metric.unit === 'count'
}

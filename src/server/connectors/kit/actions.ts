import type { ConversionAction, Page, ReportRequest } from '#server/connectors/connector.ts'
import { textAt } from '#server/connectors/text-column.ts'
import type { Slice } from './slices.ts'

// Conversions counted by the platform's own actions: those that a request names, and those that there are.

/** The metrics that the actions of a request say something about. */
export const actionMetrics: ReadonlySet<string> = new Set(['conversions', 'conversion_value'])

/** The actions that a request counts by, each once; null where nothing in it is counted by actions. */
export const actionsOf = ({
  metrics,
  actions,
}: Pick<ReportRequest, 'metrics' | 'actions'>): string[] | null =>
  actions !== undefined && metrics.some(metric => actionMetrics.has(metric))
    ? [...new Set(actions)].toSorted()
    : null

const LISTED_DAYS = 90

/** The days whose actions are listed. */
export const listedDays = (today: Temporal.PlainDate): Slice => ({
  start: today.subtract({ days: LISTED_DAYS - 1 }).toString(),
  end: today.toString(),
})

/** What rows of names, conversions and values say. */
export function* actionsIn({ length, dimensions, metrics }: Page): Generator<ConversionAction> {
  const [names] = dimensions
  const [conversions, values] = metrics
  for (let at = 0; at < length; at += 1) {
    const value = values?.[at] ?? Number.NaN
    yield {
      name: names ? textAt(names.keys, at) : '',
      conversions: conversions?.[at] || 0,
      value: Number.isNaN(value) ? null : value,
    }
  }
}

/** Each name once, however often it comes: an account's action may be called as one of its manager's. */
export function mostFirst(actions: Iterable<ConversionAction>): ConversionAction[] {
  const byName = new Map<string, ConversionAction>()
  for (const action of actions) {
    const before = byName.get(action.name)
    byName.set(action.name, before ? sumOf(before, action) : action)
  }
  return [...byName.values()].toSorted(
    (one, other) => other.conversions - one.conversions || (one.name < other.name ? -1 : 1),
  )
}

const sumOf = (one: ConversionAction, other: ConversionAction): ConversionAction => ({
  name: one.name,
  conversions: one.conversions + other.conversions,
  value: one.value === null && other.value === null ? null : (one.value ?? 0) + (other.value ?? 0),
})

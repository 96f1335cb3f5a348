import { decimal } from '#server/connectors/kit/decimals.ts'
import { unreadable } from '#server/connectors/kit/failures.ts'
import { metricFields, otherLabels } from './fields.ts'
import type { Header } from './header.ts'

/** Of this many impressions at least, a price per thousand says something. */
const ENOUGH_IMPRESSIONS = 1000
/**
 * In any currency of LINE's markets a thousand impressions cost a hundredth of this; in millionths they cost
 * more than ten times as much.
 */
const DEAREST_CPM = 100_000
/** Prices are rounded, of yen to whole ones: only another unit is as far off as this. */
const FURTHEST = 1000

/**
 * Watches over the unit of the amounts. LINE says budgets in millionths and documents no unit for costs:
 * rather no table than amounts that are a million times off.
 */
export function amountsCheck(header: Header): { take(fields: readonly string[]): void; judge(): void } {
  const cost_at = header.find(metricFields.cost.labels)
  const clicks_at = header.find(metricFields.clicks.labels)
  const impressions_at = header.find(metricFields.impressions.labels)
  const cpc_at = header.find(otherLabels.cpc)
  let cost = 0
  let impressions = 0
  let clicked_cost = 0
  let priced_clicks = 0
  return {
    take(fields) {
      const row_cost = numberAt(fields, cost_at)
      cost += row_cost
      impressions += numberAt(fields, impressions_at)
      const price = numberAt(fields, cpc_at)
      if (price === 0) return
      clicked_cost += row_cost
      priced_clicks += price * numberAt(fields, clicks_at)
    },
    judge() {
      const off = priced_clicks === 0 || clicked_cost === 0 ? 1 : clicked_cost / priced_clicks
      if (off > FURTHEST || off < 1 / FURTHEST) throw unreadable('Cost and CPC differ by a unit')
      if (impressions >= ENOUGH_IMPRESSIONS && (1000 * cost) / impressions > DEAREST_CPM)
        throw unreadable('Cost is in millionths')
    },
  }
}

function numberAt(fields: readonly string[], at: number): number {
  const text = fields[at] ?? ''
  const value = decimal(text.includes(',') ? text.replaceAll(',', '') : text)
  return Number.isNaN(value) ? 0 : value
}

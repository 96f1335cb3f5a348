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
  const costAt = header.find(metricFields.cost.labels)
  const clicksAt = header.find(metricFields.clicks.labels)
  const impressionsAt = header.find(metricFields.impressions.labels)
  const cpcAt = header.find(otherLabels.cpc)
  let cost = 0
  let impressions = 0
  let clickedCost = 0
  let pricedClicks = 0
  return {
    take(fields) {
      const rowCost = numberAt(fields, costAt)
      cost += rowCost
      impressions += numberAt(fields, impressionsAt)
      const price = numberAt(fields, cpcAt)
      if (price === 0) return
      clickedCost += rowCost
      pricedClicks += price * numberAt(fields, clicksAt)
    },
    judge() {
      const off = pricedClicks === 0 || clickedCost === 0 ? 1 : clickedCost / pricedClicks
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

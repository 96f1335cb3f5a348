import type { CsvReader } from '#server/connectors/kit/csv-bytes.ts'
import { decimal, decimalIn } from '#server/connectors/kit/decimals.ts'
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
export function amountsCheck(header: Header): { take(row: CsvReader): void; judge(): void } {
  const costAt = header.find(metricFields.cost.labels)
  const clicksAt = header.find(metricFields.clicks.labels)
  const impressionsAt = header.find(metricFields.impressions.labels)
  const cpcAt = header.find(otherLabels.cpc)
  let cost = 0
  let impressions = 0
  let clickedCost = 0
  let pricedClicks = 0
  return {
    take(row) {
      const rowCost = numberAt(row, costAt)
      cost += rowCost
      impressions += numberAt(row, impressionsAt)
      const price = numberAt(row, cpcAt)
      if (price === 0) return
      clickedCost += rowCost
      pricedClicks += price * numberAt(row, clicksAt)
    },
    judge() {
      const off = pricedClicks === 0 || clickedCost === 0 ? 1 : clickedCost / pricedClicks
      if (off > FURTHEST || off < 1 / FURTHEST) throw unreadable('Cost and CPC differ by a unit')
      if (impressions >= ENOUGH_IMPRESSIONS && (1000 * cost) / impressions > DEAREST_CPM)
        throw unreadable('Cost is in millionths')
    },
  }
}

function numberAt(row: CsvReader, at: number): number {
  if (at < 0) return 0
  const exact = decimalIn(row, at, 0)
  if (!Number.isNaN(exact)) return exact
  const text = row.text(at)
  const value = decimal(text.includes(',') ? text.replaceAll(',', '') : text)
  return Number.isNaN(value) ? 0 : value
}

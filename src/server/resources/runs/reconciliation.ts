import type { BlockProof } from '#shared/api/executions.ts'
import { catalogueOf } from '#shared/channels/all.ts'
import type { ChannelCatalogue } from '#shared/channels/catalogue.ts'
import { metricIn } from '#shared/metrics.ts'
import { MILLIONTHS } from '#shared/money.ts'
import type { Page, ReportRequest } from '#server/connectors/connector.ts'
import type { Plan, PlannedBlock, PlannedRequest } from '#server/table/plan.ts'

/** Sums of the rows from the platforms, to compare with the accounts' own totals. */
export interface Reconciliation {
  /** The request for an account's own total; null where none is needed or possible. */
  totalOf(index: number): ReportRequest | null
  /** Adds a page of the response to `plan.requests[index]`. */
  add(index: number, page: Page): void
  addTotal(index: number, page: Page): void
  /** The total is unavailable: the block has no result. */
  giveUp(index: number): void
  of(block: number): BlockProof | null
}

interface Comparison {
  request: ReportRequest
  /** Positions of the compared metrics in the request of the table. */
  positions: number[]
  table: Float64Array
  platform: Float64Array
  rows: number
  abandoned: boolean
}

export function openReconciliation(plan: Plan, of = catalogueOf): Reconciliation {
  const comparisons = plan.requests.map(request => comparisonOf(plan, request, of))
  return {
    totalOf: index => comparisons[index]?.request ?? null,
    add(index, page) {
      const comparison = comparisons[index]
      if (!comparison) return
      comparison.rows += page.length
      comparison.positions.forEach((position, at) => addUp(comparison.table, at, page, position))
    },
    addTotal(index, page) {
      const comparison = comparisons[index]
      comparison?.positions.forEach((_, at) => addUp(comparison.platform, at, page, at))
    },
    giveUp(index) {
      const comparison = comparisons[index]
      if (comparison) comparison.abandoned = true
    },
    of: block => differencesOf(plan, block, { comparisons, of }),
  }
}

/** Filters make the table smaller than the account on purpose, and a single number needs no check. */
function comparisonOf(
  plan: Plan,
  { block, request, is_compared }: PlannedRequest,
  of: CatalogueOf,
): Comparison | null {
  const planned = plan.blocks[block]
  if (is_compared) return null
  const is_total = request.time === 'total' && request.dimensions.length === 0
  if (!planned || planned.filters.length > 0 || is_total) return null
  const positions = request.metrics.flatMap((metric, position) =>
    isSummed(planned, metric, of) ? [position] : [],
  )
  if (positions.length === 0) return null
  const metrics = positions.flatMap(position => request.metrics[position] ?? [])
  return {
    request: { ...request, time: 'total', dimensions: [], metrics },
    positions,
    table: new Float64Array(positions.length),
    platform: new Float64Array(positions.length),
    rows: 0,
    abandoned: false,
  }
}

type CatalogueOf = (channel: PlannedBlock['channel']) => ChannelCatalogue

function isSummed({ channel }: PlannedBlock, id: string, of: CatalogueOf): boolean {
  const metric = metricIn(of(channel), id)
  return metric?.kind === 'additive' && !metric.spans_days && (metric.only_with ?? []).length === 0
}

/** A platform that omits a value in one row omits it in its total as well. */
function addUp(sums: Float64Array, at: number, { metrics, length }: Page, position: number) {
  const column = metrics[position]
  if (!column) return
  let sum = sums[at] ?? 0
  for (let row = 0; row < length; row++) {
    const value = column[row] ?? 0
    if (value === value) sum += value
  }
  sums[at] = sum
}

function differencesOf(
  plan: Plan,
  block: number,
  { comparisons, of }: { comparisons: (Comparison | null)[]; of: CatalogueOf },
): BlockProof | null {
  const planned = plan.blocks[block]
  const compared = plan.requests.flatMap((request, at) =>
    request.block === block && !request.is_compared ? [comparisons[at] ?? null] : [],
  )
  if (!planned || compared.length === 0 || compared.some(each => each === null || each.abandoned)) return null
  const whole = compared.filter(each => each !== null)
  const rows = whole.reduce((total, each) => total + each.rows, 0)
  const metrics = [...new Set(whole.flatMap(each => each.request.metrics))]
  const differences = metrics.flatMap(metric => {
    const unit = metricIn(of(planned.channel), metric)?.unit === 'money' ? MILLIONTHS : 1
    const [table, platform] = [sumOf(whole, 'table', metric) / unit, sumOf(whole, 'platform', metric) / unit]
    return isEqual({ table, platform }, { rows, is_money: unit > 1 }) ? [] : [{ metric, table, platform }]
  })
  return { matches: differences.length === 0, differences }
}

/** Of a metric in all requests that have it: one for each account, and those of actions apart. */
const sumOf = (all: readonly Comparison[], side: 'table' | 'platform', metric: string): number =>
  all.reduce((total, each) => total + (each[side][each.request.metrics.indexOf(metric)] ?? 0), 0)

/**
 * Platforms round each row's amount to the cent and fractions of conversions to six digits: the sum of so
 * many rows may be off by that much.
 */
function isEqual(
  { table, platform }: { table: number; platform: number },
  { rows, is_money }: { rows: number; is_money: boolean },
): boolean {
  const per_row = is_money ? 0.005 : 0.000_001
  return Math.abs(table - platform) <= per_row * (rows + 1) + Math.abs(platform) * 1e-9
}

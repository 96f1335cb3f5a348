import type { Plan, PlannedMetric } from './plan.ts'
import type { Segment, Table } from './shape.ts'
import { exactCell, millionthsOf } from './sums.ts'

/**
 * Of each column the total over the rows of the table, for those who look at it: sums, and ratios of sums. ""
 * where nothing can be added up: names, people, amounts of several currencies.
 */
export function totalsOf(plan: Plan, table: Table): (number | '')[] {
  return table.sources.map(source => {
    if (source.kind !== 'metric') return ''
    const columns = table.segments.flatMap(segment => {
      const block = source.metrics.findIndex((metric, index) => metric && segment.groups[index])
      const metric = source.metrics[block]
      return metric ? { segment, block, metric } : []
    })
    return totalOf(columns, { plan, order: table.order }) ?? ''
  })
}

/** A column in the rows of one segment. */
interface Column {
  segment: Segment
  block: number
  metric: PlannedMetric
}

interface Rows {
  plan: Plan
  order: Int32Array
}

function totalOf(columns: readonly Column[], rows: Rows): number | null {
  const [first] = columns
  if (!first) return null
  if ('measure' in first.metric) return sumOf(columns, 'measure', rows)
  const { up, down } = first.metric.ratio
  const over = sumOf(columns, 'numerator', rows)
  const under = sumOf(columns, 'denominator', rows)
  if (over === null || under === null || under === 0) return null
  // `up` and `down` are for money that counts in millionths; these sums are in units.
  const units = (side: 'numerator' | 'denominator') => (isMoney(rows.plan, first, side) ? 1_000_000 : 1)
  return ((over / under) * up * units('numerator')) / (down * units('denominator'))
}

type Side = 'measure' | 'numerator' | 'denominator'

function measureOf({ metric }: Column, side: Side): number {
  if ('measure' in metric) return metric.measure
  return metric.ratio[side === 'numerator' ? 'numerator' : 'denominator']
}

const isMoney = (plan: Plan, column: Column, side: Side) =>
  plan.blocks[column.block]?.measures[measureOf(column, side)]?.kind === 'money'

/** null: there is nothing to add up, or it must not be added up. */
function sumOf(columns: readonly Column[], side: Side, { plan, order }: Rows): number | null {
  const currencies = new Set<string>()
  let sum: bigint | null = null
  for (const column of columns) {
    const { segment, block } = column
    const measure = measureOf(column, side)
    const { kind } = plan.blocks[block]?.measures[measure] ?? {}
    const sums = segment.sums[block]
    if (!sums || (kind !== 'count' && kind !== 'money')) return null
    if (kind === 'money') plan.blocks[block]?.currencies.forEach(currency => currencies.add(currency))
    const unit = BigInt(millionthsOf(sums, measure))
    for (const number of order) {
      const row = number - segment.start
      const group = row < 0 ? -1 : (segment.groups[block]?.[row] ?? -1)
      const value = group < 0 ? null : exactCell(sums, measure, group)
      if (value !== null) sum = (sum ?? 0n) + BigInt(value) * unit
    }
  }
  return sum === null || currencies.size > 1 ? null : Number(sum) / 1_000_000
}

import { valuesOf as expressionValues, type Expression, type ExpressionRows } from './expression.ts'
import type { Plan, PlannedMetric } from './plan.ts'
import type { Segment, Table } from './shape.ts'
import { addGroup, exactCell, millionthsOf, extend, sumsLike, type Sums } from './sums.ts'

/**
 * Of each column the total over the rows of the table, for those who look at it: sums, and ratios of sums. ""
 * where nothing can be added up: names, people, amounts of several currencies.
 */
export function totalsOf(plan: Plan, table: Table): (number | '')[] {
  const expressions = expressionTotals(plan, table)
  return table.sources.map(source => {
    if (source.kind === 'blend') return expressions(source.blend.expression) ?? ''
    if (source.kind !== 'metric') return ''
    const columns = table.segments.flatMap(segment => {
      const block = source.metrics.findIndex((metric, index) => metric && segment.groups[index])
      const metric = source.metrics[block]
      return metric ? { segment, block, metric } : []
    })
    const [first] = columns
    if (first && 'expression' in first.metric)
      return (columns.length === 1 ? expressions(first.metric.expression) : null) ?? ''
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
  if (!('ratio' in first.metric)) return sumOf(columns, 'measure', rows)
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
  return 'ratio' in metric ? metric.ratio[side === 'numerator' ? 'numerator' : 'denominator'] : 0
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

/** The totals of what is worked out: of the sums over all rows, as each row's is of its own. */
function expressionTotals(plan: Plan, table: Table): (expression: Expression) => number | null {
  let rows: ExpressionRows | null = null
  return expression => {
    if (!isAdded(expression, plan)) return null
    rows ??= rowOf(plan.blocks.map((_, block) => totalOfBlock(table, block)))
    const value = expressionValues([expression], rows)[0]?.[0] ?? Number.NaN
    return Number.isFinite(value) ? value + 0 : null
  }
}

const rowOf = (totals: (BlockTotal | null)[]): ExpressionRows => ({
  count: 1,
  groups: totals.map(total => total && Int32Array.of(total.hasRows ? 0 : -1)),
  sums: totals.map(total => total && total.sums),
})

interface BlockTotal {
  /** One group. */
  sums: Sums
  hasRows: boolean
}

/** The sums of a block over the rows of the table; null: it has no part in them. */
function totalOfBlock({ segments, order }: Table, block: number): BlockTotal | null {
  let total: Sums | null = null
  let hasRows = false
  for (const segment of segments) {
    const [groups, sums] = [segment.groups[block], segment.sums[block]]
    if (!groups || !sums) continue
    total ??= sumsLike(sums)
    extend(total, 1)
    for (const number of order) {
      const group = groups[number - segment.start] ?? -1
      if (group < 0) continue
      addGroup(total, 0, sums, group)
      hasRows = true
    }
  }
  return total && { sums: total, hasRows }
}

/** Whether everything in an expression can be added up: no people, and money of one currency. */
function isAdded(expression: Expression, { blocks }: Pick<Plan, 'blocks'>): boolean {
  const sums = sumsIn(expression).map(({ block, measure }) => ({
    kind: blocks[block]?.measures[measure]?.kind,
    currencies: blocks[block]?.currencies ?? [],
  }))
  const currencies = new Set(sums.flatMap(sum => (sum.kind === 'money' ? sum.currencies : [])))
  return currencies.size <= 1 && sums.every(({ kind }) => kind === 'count' || kind === 'money')
}

function sumsIn(expression: Expression): { block: number; measure: number }[] {
  switch (expression.kind) {
    case 'number':
      return []
    case 'measure':
      return [expression]
    case 'ratio': {
      const { block, ratio } = expression
      return [ratio.numerator, ratio.denominator].map(measure => ({ block, measure }))
    }
    case 'negative':
      return sumsIn(expression.of)
    case 'operation':
      return [...sumsIn(expression.left), ...sumsIn(expression.right)]
  }
}

import type { Comparison } from '#shared/api/reports.ts'
import type { ChannelCatalogue, Metric } from '#shared/channels/catalogue.ts'
import { comparedParts } from '#shared/comparison.ts'
import { operandsOf, type Formula, type Operand, type Operator } from '#shared/formula.ts'
import { comparedNames, withCurrency } from '#shared/headers.ts'
import { measuresOf, metricIn, ratioOf } from '#shared/metrics.ts'
import type { Expression } from './expression.ts'
import type { PlannedBlend, PlannedMetric, TableFields } from './plan.ts'

/** A block's position in the plan, what it offers, and the ids of what is fetched of the range. */
interface Measured {
  index: number
  catalogue: ChannelCatalogue
  measures: readonly string[]
}

interface ColumnContext extends Measured {
  report: TableFields
}

/** The columns of one metric: itself, and what the report shows of the compared period beside it. */
export function planMetric(id: string, context: ColumnContext): PlannedMetric[] {
  const metric = metricIn(context.catalogue, id)
  if (!metric) return []
  const { report, measures, index } = context
  const column = { ...columnFacts(metric, report), id, ...valueOf(id, metric, context) }
  if (!report.comparison) return [column]
  const expression = metric.unit === 'text' ? null : expressionOf(id, context)
  const shift = new Map([[index, measures.length]])
  return [
    column,
    ...comparedColumns(column, {
      comparison: report.comparison,
      unit: metric.unit,
      before: shiftedValue(column, measures.length),
      expressions: expression && { now: expression, before: shifted(expression, shift) },
    }).map((compared): PlannedMetric => ({ ...compared, id: `${id}/${compared.kind}` })),
  ]
}

type Value = { measure: number; texts?: string[] } | { ratio: Ratio } | { expression: Expression }
type Ratio = Extract<Expression, { kind: 'ratio' }>['ratio']

function valueOf(id: string, metric: Metric, context: ColumnContext): Value {
  const { report, measures } = context
  if (metric.kind === 'calculated') return { expression: expressionOf(id, context) }
  if (metric.kind === 'derived') return { ratio: measureRatio(metric, context) }
  const texts = metric.texts?.map(text => text[report.header_language])
  return { measure: measures.indexOf(id), ...(texts && { texts }) }
}

function measureRatio(
  metric: Extract<Metric, { kind: 'derived' }>,
  { catalogue, measures }: Measured,
): Ratio {
  const { numerator, denominator, up, down } = ratioOf(catalogue, metric)
  return { numerator: measures.indexOf(numerator), denominator: measures.indexOf(denominator), up, down }
}

/** Amounts of a calculated metric have the decimals that its people chose, others those of the currency. */
function columnFacts({ kind, names, unit, decimals }: Metric, { currency = null }: TableFields) {
  return {
    names: unit === 'money' ? withCurrency(names, currency) : names,
    unit: kind === 'calculated' && unit === 'money' ? ('count' as const) : unit,
    decimals,
  }
}

/** A metric of a block as a part of an expression. */
export function expressionOf(id: string, context: Measured): Expression {
  const { index: block, measures, catalogue } = context
  const metric = metricIn(catalogue, id)
  if (metric?.kind === 'calculated') return calculatedExpression(id, metric.formula, context)
  if (metric?.kind === 'derived') return { kind: 'ratio', block, ratio: measureRatio(metric, context) }
  return { kind: 'measure', block, measure: measures.indexOf(id), is_additive: metric?.kind === 'additive' }
}

/** A number alone is in the rows that the block has. */
function calculatedExpression(id: string, formula: Formula, context: Measured): Expression {
  const worked = formulaExpression(formula, ({ metric }) => expressionOf(metric, context))
  const [row] = operandsOf(formula).length === 0 ? measuresOf(context.catalogue, id) : []
  if (row === undefined) return worked
  return operation('+', worked, operation('*', expressionOf(row, context), { kind: 'number', value: 0 }))
}

export function formulaExpression(formula: Formula, resolve: (operand: Operand) => Expression): Expression {
  switch (formula.kind) {
    case 'number':
      return formula
    case 'operand':
      return resolve(formula)
    case 'negative':
      return { kind: 'negative', of: formulaExpression(formula.of, resolve) }
    case 'operation': {
      const { operator, left, right } = formula
      const sides = { left: formulaExpression(left, resolve), right: formulaExpression(right, resolve) }
      return { kind: 'operation', operator, ...sides }
    }
  }
}

interface Comparing {
  comparison: Comparison
  /** The metric's own unit. */
  unit: Metric['unit']
  /** The column's value in the compared period. */
  before: Value
  /** null: nothing can be worked out of it. */
  expressions: { now: Expression; before: Expression } | null
}

type ComparedKind = Comparison['show'][number]

/** The columns that compare a column; what the compared period was, the change, and the change in percent. */
export function comparedColumns(
  column: Pick<PlannedBlend, 'names' | 'unit' | 'decimals'>,
  { comparison, unit, before, expressions }: Comparing,
): (Pick<PlannedMetric, 'names' | 'unit' | 'decimals'> &
  Value & { kind: ComparedKind; is_compared?: true })[] {
  const { decimals } = column
  return comparedParts.flatMap(kind => {
    if (!comparison.show.includes(kind) || (kind !== 'value' && !expressions)) return []
    const names = comparedNames(column.names, kind === 'value' ? comparison.to : kind)
    const compared = { names, kind, is_compared: true as const }
    if (kind === 'value' || !expressions) {
      // What is not worked out is empty by itself in rows whose day has no match.
      const own = 'expression' in before ? compared : { names, kind }
      return [{ ...before, ...own, unit: column.unit, decimals }]
    }
    const difference = operation('-', expressions.now, expressions.before)
    if (kind === 'percent')
      return [
        {
          ...compared,
          unit: 'percent',
          decimals: 1,
          expression: operation('/', difference, expressions.before),
        },
      ]
    // The change of a share counts in points.
    return unit === 'percent'
      ? [
          {
            ...compared,
            unit: 'count',
            decimals,
            expression: operation('*', difference, { kind: 'number', value: 100 }),
          },
        ]
      : [{ ...compared, unit: column.unit, decimals, expression: difference }]
  })
}

export const operation = (operator: Operator, left: Expression, right: Expression): Expression => ({
  kind: 'operation',
  operator,
  left,
  right,
})

function shiftedValue(column: Value, by: number): Value {
  if ('measure' in column)
    return { measure: column.measure + by, ...(column.texts && { texts: column.texts }) }
  if ('ratio' in column) return { ratio: shiftedRatio(column.ratio, by) }
  return { expression: shiftedBy(column.expression, () => by) }
}

const shiftedRatio = (ratio: Ratio, by: number): Ratio => ({
  ...ratio,
  numerator: ratio.numerator + by,
  denominator: ratio.denominator + by,
})

/** The same of the compared period, whose measures follow those of the range in each block. */
export const shifted = (expression: Expression, by: ReadonlyMap<number, number>): Expression =>
  shiftedBy(expression, block => by.get(block) ?? 0)

function shiftedBy(expression: Expression, by: (block: number) => number): Expression {
  switch (expression.kind) {
    case 'number':
      return expression
    case 'measure':
      return { ...expression, measure: expression.measure + by(expression.block) }
    case 'ratio':
      return { ...expression, ratio: shiftedRatio(expression.ratio, by(expression.block)) }
    case 'negative':
      return { kind: 'negative', of: shiftedBy(expression.of, by) }
    case 'operation':
      return { ...expression, left: shiftedBy(expression.left, by), right: shiftedBy(expression.right, by) }
  }
}

import type { Blend } from '#shared/api/reports.ts'
import { blocksOf } from '#shared/blend.ts'
import { isFormula, readFormula } from '#shared/formula.ts'
import { withCurrency } from '#shared/headers.ts'
import { measuresOf, metricIn } from '#shared/metrics.ts'
import type { Expression } from './expression.ts'
import type { BlockSubject } from './plan-block.ts'
import { comparedColumns, expressionOf, formulaExpression, operation, shifted } from './plan-columns.ts'
import type { ComparedPeriod, PlannedBlend, PlannedBlock, TableFields } from './plan.ts'

interface BlendContext {
  subjects: readonly BlockSubject[]
  blocks: readonly PlannedBlock[]
  compared: ComparedPeriod | null
}

/** The columns over several blocks of a joined table. */
export function planBlends(report: TableFields, context: BlendContext): PlannedBlend[] {
  const { blends = [], arrangement } = report
  return arrangement === 'joined' ? blends.flatMap(blend => planBlend(blend, report, context)) : []
}

function planBlend(blend: Blend, report: TableFields, context: BlendContext): PlannedBlend[] {
  const { name, unit, decimals } = blend
  const names = { en: name, 'zh-TW': name }
  const column = {
    names: unit === 'money' ? withCurrency(names, report.currency ?? null) : names,
    unit: unit === 'money' ? ('count' as const) : unit,
    decimals,
  }
  const now = blendExpression(blend, report, context)
  if (!report.comparison || !context.compared) return [{ ...column, expression: now }]
  const by = new Map(context.blocks.map(({ measures }, block) => [block, measures.length / 2]))
  const before = shifted(now, by)
  const compared = comparedColumns(column, {
    comparison: report.comparison,
    unit,
    before: { expression: before },
    expressions: { now, before },
  })
  return [{ ...column, expression: now }, ...compared.flatMap(each => ('expression' in each ? each : []))]
}

/** A formula that the report's channels no longer have the metrics of leaves its cells empty. */
const unknown: Expression = { kind: 'measure', block: -1, measure: 0, is_additive: false }

function blendExpression({ formula: text }: Blend, report: TableFields, context: BlendContext): Expression {
  const formula = readFormula(text, true)
  if (!isFormula(formula)) return unknown
  return formulaExpression(formula, operand => {
    if (operand.block !== 'all') return partOf(operand.metric, operand.block ?? -1, context)
    return overAll(
      operand.metric,
      blocksOf(operand, report.channels).map(index => ({ index, context })),
    )
  })
}

interface Part {
  index: number
  context: BlendContext
}

/** The sum over blocks; of a ratio that of its sides, since ratios are never added up. */
function overAll(id: string, parts: readonly Part[]): Expression {
  const sumOf = (idOf: (part: Part) => string) =>
    parts
      .map(part => partOf(idOf(part), part.index, part.context))
      .reduce<Expression | null>((sum, part) => (sum ? operation('+', sum, part) : part), null) ?? unknown
  const ratioIn = ({ index, context: { subjects } }: Part) => {
    const metric = subjects[index] && metricIn(subjects[index].catalogue, id)
    return metric?.kind === 'derived' ? metric.formula : null
  }
  const [first] = parts.flatMap(part => ratioIn(part) ?? [])
  if (!first) return sumOf(() => id)
  const ratio = operation(
    '/',
    sumOf(part => ratioIn(part)?.numerator ?? id),
    sumOf(part => ratioIn(part)?.denominator ?? id),
  )
  return first.times === undefined ? ratio : operation('*', ratio, { kind: 'number', value: first.times })
}

function partOf(metric: string, index: number, { subjects, blocks }: BlendContext): Expression {
  const [subject, block] = [subjects[index], blocks[index]]
  const measures = block?.measures.map(({ id }) => id) ?? []
  const needed = subject ? measuresOf(subject.catalogue, metric) : []
  if (!subject || needed.length === 0 || needed.some(id => !measures.includes(id))) return unknown
  return expressionOf(metric, { index, catalogue: subject.catalogue, measures })
}

// How metrics are looked up and computed from sums. Which metrics a channel has, and their formulas (`roas`),
// is in channels/*-metrics.ts; the columns of a table are computed in server/table/cells.ts.

import type { ChannelCatalogue, DerivedMetric, Metric } from './channels/catalogue.ts'
import { operandsOf } from './formula.ts'
import { MILLIONTHS } from './money.ts'

/** A metric of a catalogue, or undefined when it has none of that id. */
export const metricIn = (catalogue: ChannelCatalogue, id: string): Metric | undefined =>
  Object.hasOwn(catalogue.metrics, id) ? catalogue.metrics[id] : undefined

/**
 * What has to be fetched from the platform to show a metric: itself, or the parts of its formula. Empty for
 * an unknown id.
 */
export function measuresOf(catalogue: ChannelCatalogue, id: string): string[] {
  const metric = metricIn(catalogue, id)
  if (!metric) return []
  if (metric.kind === 'calculated') {
    const operands = operandsOf(metric.formula).map(operand => measuresOf(catalogue, operand.metric))
    // A number alone is in the rows that the channel has, and what these are something has to say.
    if (operands.length === 0) return catalogue.usual_metrics.slice(0, 1)
    // An operand that the channel lacks leaves nothing to work out.
    return operands.some(measures => measures.length === 0) ? [] : operands.flat()
  }
  if (metric.kind !== 'derived') return [id]
  return [metric.formula.numerator, metric.formula.denominator]
}

/** A metric, the metrics of its formula and what has to be fetched for them: all whose limits it has. */
export function factsOf(catalogue: ChannelCatalogue, id: string): Metric[] {
  const metric = metricIn(catalogue, id)
  if (!metric) return []
  const operands = metric.kind === 'calculated' ? operandsOf(metric.formula).map(each => each.metric) : []
  const ids = new Set([id, ...operands, ...measuresOf(catalogue, id)])
  return [...ids].flatMap(each => metricIn(catalogue, each) ?? [])
}

/**
 * How a derived metric comes out of its sums: `numerator * up / (denominator * down)`, both whole numbers.
 */
export interface Ratio {
  numerator: string
  denominator: string
  up: number
  down: number
}

/**
 * The ratio of a derived metric over sums in which money counts in millionths; it comes out in currency
 * units.
 */
export function ratioOf(catalogue: ChannelCatalogue, { formula }: DerivedMetric): Ratio {
  const { numerator, denominator, times = 1 } = formula
  const isMoney = (id: string) => metricIn(catalogue, id)?.unit === 'money'
  const up = times * (isMoney(denominator) ? MILLIONTHS : 1)
  const down = isMoney(numerator) ? MILLIONTHS : 1
  const common = greatestCommonDivisor(up, down)
  return { numerator, denominator, up: up / common, down: down / common }
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}

/** One division of sums, NaN when there is nothing to divide by or nothing to divide. */
export function divide(
  numerator: number,
  denominator: number,
  { up, down }: Pick<Ratio, 'up' | 'down'>,
): number {
  if (denominator === 0) return Number.NaN
  return (numerator * up) / (denominator * down)
}

import { catalogueOf } from './channels/all.ts'
import type { Channel, Unit } from './channels/catalogue.ts'
import { channelIds } from './channels/ids.ts'
import { isFormula, operandsOf, readFormula, type Formula, type FormulaSyntaxError } from './formula.ts'
import { whyNotFormula, type FormulaProblem, type FormulaUnit } from './formula-units.ts'
import { metricIn } from './metrics.ts'

/** What is wrong with a calculated metric: its text, a metric that no channel has, or its units there. */
export function whyNotCalculated({
  formula: text,
  unit,
}: {
  formula: string
  unit: FormulaUnit
}): FormulaSyntaxError | FormulaProblem | null {
  const formula = readFormula(text)
  if (!isFormula(formula)) return formula
  const lacking = firstLacking(formula)
  if (lacking) return lacking
  for (const channel of channelsWith(formula)) {
    const problem = whyNotFormula(formula, unit, ({ metric }) => unitOf(channel, metric))
    if (problem) return problem
  }
  return null
}

/** The channels in which a text is a formula whose every metric can be calculated with. */
export function channelsOfFormula(text: string): Channel[] {
  const formula = readFormula(text)
  return isFormula(formula) ? channelsWith(formula) : []
}

/** The unit of a metric of a channel; null: it has none of this id. */
export const unitOf = (channel: Channel, metric: string): Unit | null =>
  metricIn(catalogueOf(channel), metric)?.unit ?? null

const canCalculate = (channel: Channel, metric: string) => ![null, 'text'].includes(unitOf(channel, metric))

const channelsWith = (formula: Formula): Channel[] =>
  channelIds.filter(channel => operandsOf(formula).every(({ metric }) => canCalculate(channel, metric)))

/** The first metric with which no channel is left that has it and all before it. */
function firstLacking(formula: Formula): FormulaProblem | null {
  let channels: readonly Channel[] = channelIds
  for (const { metric, at } of operandsOf(formula)) {
    channels = channels.filter(channel => canCalculate(channel, metric))
    if (channels.length === 0) return { code: 'formula_unknown', at, detail: { metric } }
  }
  return null
}

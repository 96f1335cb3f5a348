import type { Unit } from './channels/catalogue.ts'
import { operandsOf, type Formula, type Operand } from './formula.ts'

/** What the result of a formula counts. */
export const formulaUnits = ['count', 'money', 'ratio', 'percent'] as const
export type FormulaUnit = (typeof formulaUnits)[number]

export interface FormulaProblem {
  code: 'formula_unknown' | 'formula_units'
  /** The operand or operator in the formula's text. */
  at: number
  detail: Record<string, string>
}

/** A metric's unit; null: there is no such metric, or none that can be calculated with. */
export type UnitOf = (operand: Operand) => Unit | null

/** Why a formula means nothing: an unknown metric, money beside counts, or a result that is no money. */
export function whyNotFormula(formula: Formula, unit: FormulaUnit, unitOf: UnitOf): FormulaProblem | null {
  const unknown = operandsOf(formula).find(operand => [null, 'text'].includes(unitOf(operand)))
  if (unknown) return { code: 'formula_unknown', at: unknown.at, detail: { metric: unknown.metric } }
  const power = moneyPower(formula, unitOf)
  if (typeof power !== 'number') return power
  return unit === 'money' && power !== 1 ? { code: 'formula_units', at: 0, detail: { unit } } : null
}

/** How often money is a factor of the result: 1 for an amount, 0 for a number, -1 for clicks per amount. */
function moneyPower(formula: Formula, unitOf: UnitOf): number | FormulaProblem {
  switch (formula.kind) {
    case 'number':
      return 0
    case 'operand':
      return unitOf(formula) === 'money' ? 1 : 0
    case 'negative':
      return moneyPower(formula.of, unitOf)
    case 'operation':
      return powerOfOperation(formula, unitOf)
  }
}

function powerOfOperation(
  { operator, left, right, at }: Extract<Formula, { kind: 'operation' }>,
  unitOf: UnitOf,
): number | FormulaProblem {
  const [one, other] = [moneyPower(left, unitOf), moneyPower(right, unitOf)]
  if (typeof one !== 'number') return one
  if (typeof other !== 'number') return other
  if (operator === '*') return one + other
  if (operator === '/') return one - other
  return one === other ? one : { code: 'formula_units', at, detail: { operator } }
}

import { describe, expect, it } from 'vitest'
import type { Unit } from './channels/catalogue.ts'
import { isFormula, readFormula } from './formula.ts'
import { whyNotFormula, type FormulaUnit } from './formula-units.ts'

const units: Record<string, Unit> = {
  cost: 'money',
  conversion_value: 'money',
  cpc: 'money',
  clicks: 'count',
  purchases: 'count',
  leads: 'count',
  ctr: 'percent',
  roas: 'ratio',
  video_avg_time: 'seconds',
  quality_ranking: 'text',
}

function whyNot(text: string, unit: FormulaUnit = 'ratio') {
  const formula = readFormula(text)
  if (!isFormula(formula)) throw new Error(`${text} is no formula`)
  return whyNotFormula(formula, unit, ({ metric }) =>
    Object.hasOwn(units, metric) ? (units[metric] ?? null) : null,
  )
}

describe('the units of a formula', () => {
  it.each([
    ['cost / (purchases + leads)', 'money'],
    ['(conversion_value - cost) / cost', 'ratio'],
    ['(conversion_value - cost) / cost', 'percent'],
    ['conversion_value - 1.15 * cost', 'money'],
    ['cost * ctr', 'money'],
    ['cpc * clicks - cost', 'money'],
    ['-cost', 'money'],
    ['cost * cost / cost', 'money'],
    ['clicks / cost + leads / cost', 'ratio'],
    ['clicks + 1', 'count'],
    ['roas + ctr', 'ratio'],
    ['video_avg_time * clicks', 'count'],
    ['cost', 'ratio'],
    ['8/4/2', 'count'],
  ] as const)('allow %s as %s', (text, unit) => {
    expect(whyNot(text, unit)).toBe(null)
  })

  it.each([
    ['cost + clicks', 5],
    ['clicks - cost', 7],
    ['cost + 1', 5],
    ['(cost + leads) / clicks', 6],
    ['clicks / (cost - 2 × leads)', 15],
    ['cost × cost + cost', 12],
    ['clicks / cost + cost', 14],
  ])('do not allow %s, at position %i', (text, at) => {
    expect(whyNot(text)).toMatchObject({ code: 'formula_units', at })
  })

  it.each(['clicks', 'cost * cost', 'clicks / cost', 'conversion_value / cost', '2'])(
    'show no money for %s',
    text => {
      expect(whyNot(text, 'money')).toEqual({ code: 'formula_units', at: 0, detail: { unit: 'money' } })
    },
  )

  it.each([
    ['constructor', 0, 'constructor'],
    ['cost / sessions', 7, 'sessions'],
    ['cost + nothing + clicks', 7, 'nothing'],
    ['cost * quality_ranking', 7, 'quality_ranking'],
  ])('are unknown for %s', (text, at, metric) => {
    expect(whyNot(text)).toEqual({ code: 'formula_unknown', at, detail: { metric } })
  })
})

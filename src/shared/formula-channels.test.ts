import { describe, expect, it } from 'vitest'
import { channelIds } from './channels/ids.ts'
import { channelsOfFormula, unitOf, whyNotCalculated } from './formula-channels.ts'
import type { FormulaUnit } from './formula-units.ts'

const whyNot = (formula: string, unit: FormulaUnit = 'ratio') => whyNotCalculated({ formula, unit })

describe('the channels of a formula', () => {
  it.each([
    ['cost / (purchases + leads)', ['fb', 'ln']],
    ['sessions / users', ['ga', 'ga_event', 'ga4']],
    ['cost * roas', ['fb', 'aw', 'aw_keyword', 'yg', 'tt', 'ln', 'ga', 'ga4']],
    ['client_cost / clicks', ['fb', 'aw', 'yg', 'tt', 'ln']],
    ['quality_ranking', []],
    ['constructor', []],
    ['cost +', []],
    ['2', [...channelIds]],
  ])('%s are those that have every metric', (text, channels) => {
    expect(channelsOfFormula(text)).toEqual(channels)
  })

  it('have no property of objects as a metric', () => {
    for (const channel of channelIds)
      for (const metric of ['constructor', 'toString', '__proto__', 'hasOwnProperty'])
        expect(unitOf(channel, metric)).toBe(null)
  })
})

describe('a calculated metric', () => {
  it.each([
    ['cost / (purchases + leads)', 'money'],
    ['cost / conversions', 'money'],
    ['(conversion_value - cost) / cost', 'percent'],
    ['client_cost - cost', 'money'],
  ] as const)('may be %s as %s', (text, unit) => {
    expect(whyNot(text, unit)).toBe(null)
  })

  it.each([
    ['cost ** 2', { code: 'formula_syntax', at: 6 }],
    ['1e9', { code: 'formula_syntax', at: 1 }],
    ['__proto__', { code: 'formula_syntax', at: 0 }],
    ['constructor', { code: 'formula_unknown', at: 0, detail: { metric: 'constructor' } }],
    ['cost + clicks', { code: 'formula_units', at: 5, detail: { operator: '+' } }],
    ['quality_ranking / 2', { code: 'formula_unknown', at: 0, detail: { metric: 'quality_ranking' } }],
    // Each is somewhere; together they are nowhere.
    ['cost / frequency / sessions', { code: 'formula_unknown', at: 19, detail: { metric: 'sessions' } }],
    ['sessions / client_cost', { code: 'formula_unknown', at: 11, detail: { metric: 'client_cost' } }],
  ])('may not be %s', (text, problem) => {
    expect(whyNot(text)).toEqual(problem)
  })
})

import { describe, expect, it } from 'vitest'
import type { Blend } from './api/reports.ts'
import { blendsAfterMove } from './blend.ts'
import { isFormula, readFormula } from './formula.ts'

const blend = (formula: string): Blend => ({ name: 'Total', formula, unit: 'ratio', decimals: 2 })
const moved = (formula: string, moves: readonly number[]) =>
  blendsAfterMove([blend(formula)], moves)[0]?.formula ?? ''

describe('a column over several channels', () => {
  it('follows its channels where they move', () => {
    expect(moved('1.cost + 2.cost * 1.5 - all.clicks', [2, 0, 1])).toBe('3.cost + 1.cost * 1.5 - all.clicks')
    expect(moved('10.cost / 1.cost', [0, 2, 3, 4, 5, 6, 7, 8, 9, 10])).toBe('11.cost / 1.cost')
  })

  it('is no formula any more once one of its channels is gone', () => {
    const left = moved('3.cost - 2.revenue', [0, -1, 1])
    expect(left).toBe('2.cost - ?.revenue')
    expect(isFormula(readFormula(left, true))).toBe(false)
  })

  it('leaves alone what is no channel', () => {
    expect(moved('7.cost + a1.cost + 0.5 + 1.5', [1, 0])).toBe('7.cost + a1.cost + 0.5 + 1.5')
  })
})

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  FORMULA_LENGTH,
  isFormula,
  operandsOf,
  readFormula,
  type Formula,
  type FormulaSyntaxError,
} from './formula.ts'

/** With every operation in parentheses, so that the order of reading can be seen. */
function written(read: Formula | FormulaSyntaxError): string {
  if (!isFormula(read)) return `${read.code} at ${read.at}`
  switch (read.kind) {
    case 'number':
      return String(read.value)
    case 'operand':
      return read.block === null ? read.metric : `${read.block}.${read.metric}`
    case 'negative':
      return `-${written(read.of)}`
    case 'operation':
      return `(${written(read.left)} ${read.operator} ${written(read.right)})`
  }
}
const reading = (text: string) => written(readFormula(text))
const readingBlend = (text: string) => written(readFormula(text, true))

describe('a formula', () => {
  it.each([
    ['cost / (purchases + leads)', '(cost / (purchases + leads))'],
    ['cost / conversions', '(cost / conversions)'],
    ['8/4/2', '((8 / 4) / 2)'],
    ['2 × (3 − 1) ÷ 4', '((2 * (3 - 1)) / 4)'],
    ['(conversion_value - cost) / cost', '((conversion_value - cost) / cost)'],
    ['a - b + c', '((a - b) + c)'],
    ['a + b * c - d / e', '((a + (b * c)) - (d / e))'],
    ['-a * −b', '(-a * -b)'],
    ['+cost', 'cost'],
    ['a - -b', '(a - -b)'],
    ['-(a + b)', '-(a + b)'],
    [' \t video_p25\u3000*\n1000 ', '(video_p25 * 1000)'],
    ['0.125 * cost', '(0.125 * cost)'],
    ['123456789012.5', '123456789012.5'],
    ['0.000001', '0.000001'],
    ['constructor', 'constructor'],
  ])('%j is read as %s', (text, expected) => {
    expect(reading(text)).toBe(expected)
  })

  it.each([
    ['cost ** 2', 6],
    ['1e9', 1],
    ['__proto__', 0],
    ['', 0],
    ['  ', 2],
    ['cost +', 6],
    ['cost clicks', 5],
    ['(cost', 5],
    ['cost)', 4],
    ['()', 1],
    ['.5', 0],
    ['5.', 1],
    ['1.2.3', 3],
    ['1234567890123', 0],
    ['1 + 0.1234567', 4],
    ['Cost', 0],
    ['cost.toString()', 4],
    ['calc:7', 4],
    ['sum(cost)', 3],
    ['cost % 2', 5],
    ['cost ^ 2', 5],
    ['1.cost', 1],
    ['all.cost', 3],
    ['cost; clicks', 4],
    ['費用 / 2', 0],
  ])('%j is none from position %i on', (text, at) => {
    expect(readFormula(text)).toEqual({ code: 'formula_syntax', at })
  })

  it('has at most 40 metrics and numbers', () => {
    const sum = (count: number) => Array.from({ length: count }, () => 'a').join('+')
    expect(isFormula(readFormula(sum(40)))).toBe(true)
    expect(readFormula(sum(41))).toEqual({ code: 'formula_syntax', at: 80 })
    expect(readFormula(`${sum(40)}+1`)).toEqual({ code: 'formula_syntax', at: 80 })
  })

  it('is nested at most 20 deep, by parentheses and signs', () => {
    const nested = (depth: number) => `${'('.repeat(depth)}a${')'.repeat(depth)}`
    expect(reading(nested(20))).toBe('a')
    expect(readFormula(nested(21))).toEqual({ code: 'formula_syntax', at: 20 })
    expect(isFormula(readFormula(`${'-'.repeat(20)}a`))).toBe(true)
    expect(readFormula(`${'-+'.repeat(10)}-a`)).toEqual({ code: 'formula_syntax', at: 20 })
    // One after another they are not nested.
    expect(isFormula(readFormula(Array.from({ length: 30 }, () => '(-a)').join('+')))).toBe(true)
  })

  it('is at most as long as is said', () => {
    const padded = (length: number) => 'a'.padEnd(length)
    expect(isFormula(readFormula(padded(FORMULA_LENGTH)))).toBe(true)
    expect(readFormula(padded(FORMULA_LENGTH + 1))).toEqual({ code: 'formula_syntax', at: FORMULA_LENGTH })
    expect(readFormula(`${padded(600)}?`)).toEqual({ code: 'formula_syntax', at: FORMULA_LENGTH })
  })

  it('names its metrics in the order of its text, with their places', () => {
    const read = readFormula('cost / (purchases + -leads) + cost')
    expect(isFormula(read) && operandsOf(read).map(({ metric, at }) => [metric, at])).toEqual([
      ['cost', 0],
      ['purchases', 8],
      ['leads', 21],
      ['cost', 30],
    ])
  })

  it('is read without throwing whatever the text', () => {
    const pieces = fc.constantFrom(
      'cost',
      'clicks',
      '1',
      '0.5',
      '+',
      '-',
      '−',
      '*',
      '×',
      '/',
      '÷',
      '(',
      ')',
      ' ',
      '.',
      '1.',
      'all.',
    )
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces).map(some => some.join('')),
    )
    fc.assert(
      fc.property(texts, fc.boolean(), (text, isBlend) => {
        const read = readFormula(text, isBlend)
        const places = isFormula(read) ? operandsOf(read).map(({ at }) => at) : [read.at]
        for (const at of places) expect(at).toBeLessThanOrEqual(Math.min(text.length, FORMULA_LENGTH))
      }),
      { numRuns: 2000 },
    )
  })

  it('is read back from its own text with every parenthesis', () => {
    const { formula } = fc.letrec<{ formula: string }>(tie => ({
      formula: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('cost', 'clicks', '2', '0.25'),
        fc
          .tuple(tie('formula'), fc.constantFrom('+', '-', '*', '/'), tie('formula'))
          .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
      ),
    }))
    fc.assert(
      fc.property(formula, text => {
        const read = readFormula(text)
        expect(written(read)).toBe(text)
      }),
    )
  })
})

describe('a formula over blocks', () => {
  it.each([
    ['1.cost + 3.transactions', '(0.cost + 2.transactions)'],
    ['all.cost / 12.sessions', '(all.cost / 11.sessions)'],
    ['1.cost * 1.5', '(0.cost * 1.5)'],
    ['cost', 'cost'],
  ])('%j is read as %s', (text, expected) => {
    expect(readingBlend(text)).toBe(expected)
  })

  it.each([
    ['0.cost', 1],
    ['100.cost', 3],
    ['1.1.cost', 3],
    ['1.cost.clicks', 6],
    ['some.cost', 4],
    ['1. cost', 1],
  ])('%j is none from position %i on', (text, at) => {
    expect(readFormula(text, true)).toEqual({ code: 'formula_syntax', at })
  })
})

// Formulas of calculated metrics and blends: + − × ÷ over metrics, read by the browser and the server alike.

/** A formula that was read. `at`: the position in its text. */
export type Formula =
  | { kind: 'number'; value: number }
  /** A metric: of the row's channel, or in a blend of the channel at `block`, or of `all` that have it. */
  | { kind: 'operand'; metric: string; block: number | 'all' | null; at: number }
  | { kind: 'negative'; of: Formula }
  | { kind: 'operation'; operator: Operator; left: Formula; right: Formula; at: number }
export type Operator = '+' | '-' | '*' | '/'
export type Operand = Extract<Formula, { kind: 'operand' }>

export interface FormulaSyntaxError {
  code: 'formula_syntax'
  /** Where the text stops being a formula. */
  at: number
}

export const FORMULA_LENGTH = 500
const MAX_DEPTH = 20
const MAX_OPERANDS = 40

/**
 * Reads a formula; operators of one rank from left to right. In a blend operands name a channel by its
 * number: `1.cost`, `all.cost`.
 */
export function readFormula(text: string, isBlend = false): Formula | FormulaSyntaxError {
  const reader: Reader = { text, at: 0, isBlend, depth: 0, operands: 0 }
  try {
    const formula = readSum(reader)
    skipSpace(reader)
    if (reader.at < text.length || text.length > FORMULA_LENGTH) throw new SyntaxFault(reader.at)
    return formula
  } catch (fault) {
    if (fault instanceof SyntaxFault)
      return { code: 'formula_syntax', at: Math.min(fault.at, FORMULA_LENGTH) }
    throw fault
  }
}

export const isFormula = (read: Formula | FormulaSyntaxError): read is Formula => 'kind' in read

/** The metrics of a formula in the order of its text, each as often as it is there. */
export function operandsOf(formula: Formula): Operand[] {
  switch (formula.kind) {
    case 'number':
      return []
    case 'operand':
      return [formula]
    case 'negative':
      return operandsOf(formula.of)
    case 'operation':
      return [...operandsOf(formula.left), ...operandsOf(formula.right)]
  }
}

interface Reader {
  text: string
  at: number
  isBlend: boolean
  depth: number
  operands: number
}

class SyntaxFault extends Error {
  readonly at: number
  constructor(at: number) {
    super(`not a formula at ${at}`)
    this.at = at
  }
}

function readSum(reader: Reader): Formula {
  return readChain(reader, { signs: sums, next: readProduct })
}

function readProduct(reader: Reader): Formula {
  return readChain(reader, { signs: products, next: readFactor })
}

const sums: Readonly<Record<string, Operator>> = { '+': '+', '-': '-', '−': '-' }
const products: Readonly<Record<string, Operator>> = { '*': '*', '×': '*', '/': '/', '÷': '/' }

function readChain(
  reader: Reader,
  { signs, next }: { signs: Readonly<Record<string, Operator>>; next: (reader: Reader) => Formula },
): Formula {
  let left = next(reader)
  for (;;) {
    skipSpace(reader)
    const { at } = reader
    const sign = reader.text[at] ?? ''
    const operator = Object.hasOwn(signs, sign) ? signs[sign] : undefined
    if (!operator) return left
    reader.at++
    left = { kind: 'operation', operator, left, right: next(reader), at }
  }
}

function readFactor(reader: Reader): Formula {
  skipSpace(reader)
  const { text, at } = reader
  const sign = text[at] ?? ''
  if (sign === '(') return readNested(reader, readInParentheses)
  if (sign === '+') return readNested(reader, readFactor)
  if (sign === '-' || sign === '−') return { kind: 'negative', of: readNested(reader, readFactor) }
  reader.operands++
  if (reader.operands > MAX_OPERANDS) throw new SyntaxFault(at)
  return (reader.isBlend ? readBlendOperand(reader) : readMetric(reader)) ?? readNumber(reader)
}

/** After a parenthesis or a sign. */
function readNested(reader: Reader, next: (reader: Reader) => Formula): Formula {
  reader.depth++
  if (reader.depth > MAX_DEPTH) throw new SyntaxFault(reader.at)
  reader.at++
  const formula = next(reader)
  reader.depth--
  return formula
}

function readInParentheses(reader: Reader): Formula {
  const formula = readSum(reader)
  skipSpace(reader)
  if (reader.text[reader.at] !== ')') throw new SyntaxFault(reader.at)
  reader.at++
  return formula
}

const METRIC = /[a-z][a-z0-9_]*/y
const BLEND_OPERAND = /(all|[1-9]\d?)\.([a-z][a-z0-9_]*)/y
const NUMBER = /(\d+)(?:\.(\d+))?/y

function readMetric(reader: Reader): Formula | null {
  const { at } = reader
  const [metric] = match(reader, METRIC) ?? []
  return metric === undefined ? null : { kind: 'operand', metric, block: null, at }
}

function readBlendOperand(reader: Reader): Formula | null {
  const { at } = reader
  const [, block = '', metric = ''] = match(reader, BLEND_OPERAND) ?? []
  if (metric === '') return readMetric(reader)
  return { kind: 'operand', metric, block: block === 'all' ? 'all' : Number(block) - 1, at }
}

function readNumber(reader: Reader): Formula {
  const { at } = reader
  const [number, whole = '', fraction = ''] = match(reader, NUMBER) ?? []
  if (number === undefined || whole.length > 12 || fraction.length > 6) throw new SyntaxFault(at)
  return { kind: 'number', value: Number(number) }
}

function match(reader: Reader, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = reader.at
  const found = pattern.exec(reader.text)
  if (found) reader.at = pattern.lastIndex
  return found
}

function skipSpace(reader: Reader): void {
  while (/\s/.test(reader.text[reader.at] ?? '')) reader.at++
}

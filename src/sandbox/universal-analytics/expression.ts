import { invalid } from './errors.ts'

/** What a metric's expression comes to, given the values of the metrics that it names. */
export interface Expression {
  metrics: string[]
  /** One metric and nothing else. */
  is_plain: boolean
  valueOf(metric: (name: string) => number): number
}

type Node = (metric: (name: string) => number) => number

const TOKENS = /\s*(ga:\w+|\d+(?:\.\d+)?|[-+*/()])\s*/y

/** Reads arithmetic over metrics: names, numbers, + - * / and brackets. */
export function readExpression(text: string): Expression {
  const tokens = tokensOf(text)
  const metrics: string[] = []
  let at = 0

  const factor = (): Node => {
    const token = tokens[at++]
    if (token === '(') {
      const inner = sum()
      if (tokens[at++] !== ')') throw bad(text)
      return inner
    }
    if (token === '-') {
      const inner = factor()
      return metric => -inner(metric)
    }
    if (token?.startsWith('ga:')) {
      metrics.push(token)
      return metric => metric(token)
    }
    if (token === undefined || !/^\d/.test(token)) throw bad(text)
    return () => Number(token)
  }
  const product = (): Node => {
    let left = factor()
    while (tokens[at] === '*' || tokens[at] === '/') {
      const [is_times, before] = [tokens[at++] === '*', left]
      const right = factor()
      left = metric => (is_times ? before(metric) * right(metric) : divide(before(metric), right(metric)))
    }
    return left
  }
  const sum = (): Node => {
    let left = product()
    while (tokens[at] === '+' || tokens[at] === '-') {
      const [sign, before] = [tokens[at++] === '+' ? 1 : -1, left]
      const right = product()
      left = metric => before(metric) + sign * right(metric)
    }
    return left
  }

  const valueOf = sum()
  if (at !== tokens.length) throw bad(text)
  return { metrics, is_plain: tokens.length === 1 && metrics.length === 1, valueOf }
}

const divide = (left: number, right: number) => (right === 0 ? 0 : left / right)
const bad = (text: string) => invalid(`Invalid metric expression: ${text}`)

function tokensOf(text: string): string[] {
  const tokens: string[] = []
  TOKENS.lastIndex = 0
  while (TOKENS.lastIndex < text.length) {
    const token = TOKENS.exec(text)?.[1]
    if (token === undefined) throw bad(text)
    tokens.push(token)
  }
  return tokens
}

import { queryError } from '#sandbox/google-ads/errors.ts'
import { type Token, tokensOf } from './tokens.ts'

// Query := SELECT f (, f)* [FROM r] [WHERE cond (AND cond)*] [ORDER BY f [ASC|DESC] (, …)*] [LIMIT n]
// [PARAMETERS k = v (, …)*] Words of the grammar may be written in any case; fields, functions and constants
// may not.

export const OPERATORS = [
  '=',
  '!=',
  '>',
  '>=',
  '<',
  '<=',
  'IN',
  'NOT IN',
  'LIKE',
  'NOT LIKE',
  'CONTAINS ANY',
  'CONTAINS ALL',
  'CONTAINS NONE',
  'IS NULL',
  'IS NOT NULL',
  'DURING',
  'BETWEEN',
  'REGEXP_MATCH',
  'NOT REGEXP_MATCH',
] as const
export type Operator = (typeof OPERATORS)[number]

export interface Literal {
  kind: 'string' | 'number' | 'word'
  text: string
}

export interface Condition {
  field: string
  operator: Operator
  values: Literal[]
}

export interface ParsedQuery {
  select: string[]
  from: string | null
  where: Condition[]
  order: { field: string; descending: boolean }[]
  limit: number | null
  parameters: ReadonlyMap<string, string>
}

/** Reads a query; says with which code of queryError it cannot be read. */
export function parseQuery(text: string): ParsedQuery {
  const reader = readerOf(tokensOf(text))
  if (!reader.word('SELECT')) throw queryError('EXPECTED_SELECT', 'Error in query: expected SELECT.')
  const select = listOf(reader, () => fieldName(reader))
  const from = reader.word('FROM') ? fieldName(reader) : null
  const where = reader.word('WHERE') ? conditions(reader) : []
  const order = reader.word('ORDER') ? ordering(reader) : []
  const limit = reader.word('LIMIT') ? limitValue(reader) : null
  const parameters = reader.word('PARAMETERS') ? parameterList(reader) : []
  const rest = reader.peek()
  if (rest) throw unexpected(rest)
  return { select, from, where, order, limit, parameters: new Map(parameters) }
}

function readerOf(tokens: Token[]) {
  let at = 0
  const isWord = (token: Token | undefined, word: string) =>
    token?.kind === 'word' && token.text.toUpperCase() === word
  return {
    peek: () => tokens[at],
    next(): Token {
      const token = tokens[at++]
      if (!token) throw queryError('UNEXPECTED_END_OF_QUERY', 'Error in query: unexpected end of query.')
      return token
    },
    /** Takes the word when it comes next. */
    word(word: string) {
      const found = isWord(tokens[at], word)
      if (found) at++
      return found
    },
    symbol(symbol: string) {
      const token = tokens[at]
      const found = token?.kind === 'symbol' && token.text === symbol
      if (found) at++
      return found
    },
  }
}
type Reader = ReturnType<typeof readerOf>

const unexpected = ({ text }: Token) =>
  queryError('UNEXPECTED_INPUT', `Error in query: unexpected input ${text}.`)

function listOf<T>(reader: Reader, read: () => T): T[] {
  const items = [read()]
  while (reader.symbol(',')) items.push(read())
  return items
}

const RESERVED = new Set(['SELECT', 'FROM', 'WHERE', 'AND', 'ORDER', 'BY', 'LIMIT', 'PARAMETERS'])

function fieldName(reader: Reader): string {
  const token = reader.next()
  if (token.kind !== 'word' || RESERVED.has(token.text.toUpperCase())) throw unexpected(token)
  return token.text
}

function conditions(reader: Reader): Condition[] {
  const found = [condition(reader)]
  while (reader.word('AND')) found.push(condition(reader))
  return found
}

function condition(reader: Reader): Condition {
  const field = fieldName(reader)
  const operator = operatorOf(reader)
  return { field, operator, values: valuesOf(reader, operator) }
}

function operatorOf(reader: Reader): Operator {
  const token = reader.next()
  if (token.kind === 'symbol') {
    const plain = OPERATORS.find(operator => operator === token.text)
    if (plain) return plain
    throw queryError('BAD_OPERATOR', `Invalid operator in query: '${token.text}'.`)
  }
  const word = token.text.toUpperCase()
  if (word === 'NOT') {
    for (const second of ['IN', 'LIKE', 'REGEXP_MATCH'] as const)
      if (reader.word(second)) return `NOT ${second}`
  } else if (word === 'CONTAINS') {
    for (const second of ['ANY', 'ALL', 'NONE'] as const) if (reader.word(second)) return `CONTAINS ${second}`
  } else if (word === 'IS') {
    const not = reader.word('NOT')
    if (reader.word('NULL')) return not ? 'IS NOT NULL' : 'IS NULL'
  } else {
    const single = (['IN', 'LIKE', 'DURING', 'BETWEEN', 'REGEXP_MATCH'] as const).find(each => each === word)
    if (single) return single
  }
  throw queryError('BAD_OPERATOR', `Invalid operator in query: '${token.text}'.`)
}

function valuesOf(reader: Reader, operator: Operator): Literal[] {
  if (operator === 'IS NULL' || operator === 'IS NOT NULL') return []
  if (operator === 'BETWEEN') {
    const low = literal(reader)
    if (!reader.word('AND')) {
      throw queryError('EXPECTED_AND', 'Error in query: expected AND between the values of BETWEEN.')
    }
    return [low, literal(reader)]
  }
  const takesList = operator.endsWith('IN') || operator.startsWith('CONTAINS')
  const opened = reader.symbol('(')
  if (opened && !takesList) {
    throw queryError('EXPECTED_SINGLE_VALUE', `Operator ${operator} takes a single value, not a list.`)
  }
  if (!opened && takesList) throw queryError('EXPECTED_LIST', `Operator ${operator} takes a list.`)
  if (!opened) return [literal(reader)]
  if (reader.symbol(')')) throw queryError('PROHIBITED_EMPTY_LIST_IN_CONDITION', 'A list may not be empty.')
  const values = listOf(reader, () => literal(reader))
  const end = reader.next()
  if (end.text !== ')') throw unexpected(end)
  return values
}

function literal(reader: Reader): Literal {
  const token = reader.next()
  if (token.kind === 'string') return { kind: 'string', text: token.value }
  if (token.kind === 'number') return { kind: 'number', text: token.text }
  if (token.kind === 'word' && !RESERVED.has(token.text.toUpperCase()))
    return { kind: 'word', text: token.text }
  throw queryError('BAD_VALUE', `Invalid value in query: '${token.text}'.`)
}

function ordering(reader: Reader): ParsedQuery['order'] {
  if (!reader.word('BY')) throw queryError('EXPECTED_BY', 'Error in query: expected BY after ORDER.')
  return listOf(reader, () => {
    const field = fieldName(reader)
    const descending = reader.word('DESC')
    if (!descending) reader.word('ASC')
    return { field, descending }
  })
}

function limitValue(reader: Reader): number {
  const { kind, text } = reader.next()
  if (kind !== 'number' || !/^-?\d+$/.test(text)) {
    throw queryError('BAD_LIMIT_VALUE', `Invalid LIMIT value: '${text}'.`)
  }
  const value = Number(text)
  if (value < 1) throw queryError('LIMIT_VALUE_TOO_LOW', 'The LIMIT value must be greater than 0.')
  return value
}

const PARAMETERS = new Set(['include_drafts', 'omit_unselected_resource_names'])

function parameterList(reader: Reader): [string, string][] {
  return listOf(reader, () => {
    const name = fieldName(reader)
    if (!PARAMETERS.has(name)) throw queryError('BAD_PARAMETER_NAME', `Unknown parameter: '${name}'.`)
    const sign = reader.next()
    if (sign.text !== '=') throw unexpected(sign)
    const value = reader.next().text.toLowerCase()
    if (value !== 'true' && value !== 'false') {
      throw queryError('BAD_PARAMETER_VALUE', `Invalid value of parameter '${name}'.`)
    }
    return [name, value]
  })
}

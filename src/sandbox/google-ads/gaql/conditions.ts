import { queryError } from '#sandbox/google-ads/errors.ts'
import type { Field } from '#sandbox/google-ads/fields/catalogue.ts'
import type { DataType } from '#sandbox/google-ads/fields/field.ts'
import type { Condition, Literal, Operator } from './parse.ts'
import { likePattern, re2Pattern } from './patterns.ts'

/** Whether a value, or undefined for one that is not set, meets a condition. */
export type Test = (value: unknown) => boolean

const EQUAL: readonly Operator[] = ['=', '!=', 'IN', 'NOT IN', 'IS NULL', 'IS NOT NULL']
const ORDERED: readonly Operator[] = [...EQUAL, '>', '>=', '<', '<=', 'BETWEEN']
const TEXT: readonly Operator[] = [...EQUAL, 'LIKE', 'NOT LIKE', 'REGEXP_MATCH', 'NOT REGEXP_MATCH']
const REPEATED: readonly Operator[] = [
  'CONTAINS ANY',
  'CONTAINS ALL',
  'CONTAINS NONE',
  'IS NULL',
  'IS NOT NULL',
]

const ALLOWED: Record<DataType, readonly Operator[]> = {
  INT64: ORDERED,
  INT32: ORDERED,
  DOUBLE: ORDERED,
  DATE: [...ORDERED, 'DURING'],
  STRING: TEXT,
  ENUM: EQUAL,
  RESOURCE_NAME: EQUAL,
  BOOLEAN: ['=', '!=', 'IS NULL', 'IS NOT NULL'],
  MESSAGE: [],
}

const TOO_MANY = 20_000

/** Refuses operators and values that a field does not take. */
export function checkCondition({ field, operator, values }: Condition, about: Field): void {
  if (about.type === 'MESSAGE') {
    throw queryError('PROHIBITED_FIELD_IN_WHERE_CLAUSE', `Cannot filter on field '${field}'.`)
  }
  if (!(about.repeated ? REPEATED : ALLOWED[about.type]).includes(operator)) {
    throw queryError(
      'OPERATOR_FIELD_MISMATCH',
      `Operator ${operator} cannot be used with field '${field}' of type ${about.type}.`,
    )
  }
  if (values.length > TOO_MANY) {
    throw queryError('FILTER_HAS_TOO_MANY_VALUES', `The filter on '${field}' has too many values.`)
  }
  if (operator !== 'DURING') for (const value of values) checkLiteral(value, about)
}

function checkLiteral({ kind, text }: Literal, { name, type, values }: Field): void {
  const wrong = (code = 'BAD_VALUE') => queryError(code, `Invalid value '${text}' for field '${name}'.`)
  switch (type) {
    case 'STRING':
    case 'RESOURCE_NAME':
      if (kind !== 'string') throw wrong('INVALID_STRING_VALUE')
      return
    case 'ENUM':
      if (kind === 'number' || !values.includes(text)) {
        throw queryError(
          'BAD_ENUM_CONSTANT',
          `Invalid enum value cannot be included in WHERE clause: '${text}'.`,
        )
      }
      return
    case 'BOOLEAN':
      if (!/^(true|false)$/i.test(text)) throw wrong()
      return
    case 'DATE':
      return
    default:
      if (!/^-?\d+(\.\d+)?$/.test(text) || (type !== 'DOUBLE' && text.includes('.')))
        throw wrong('BAD_NUMBER')
  }
}

/** The test behind a condition on anything but days. */
export function testOf({ operator, values }: Condition, { type }: Field): Test {
  const texts = values.map(({ text }) => (type === 'BOOLEAN' ? text.toLowerCase() : text))
  const [first = '', second = ''] = texts
  const isNumber = type === 'INT64' || type === 'INT32' || type === 'DOUBLE'
  const same = (value: unknown, text: string) =>
    value !== undefined && (isNumber ? compare(value, text) === 0 : String(value) === text)
  const has = (value: unknown, text: string) => Array.isArray(value) && value.includes(text)
  switch (operator) {
    case '=':
      return value => same(value, first)
    case '!=':
      return value => !same(value, first)
    case 'IN':
      return value => texts.some(text => same(value, text))
    case 'NOT IN':
      return value => !texts.some(text => same(value, text))
    case 'LIKE':
    case 'NOT LIKE':
      return matching(likePattern(first), operator === 'LIKE')
    case 'REGEXP_MATCH':
    case 'NOT REGEXP_MATCH':
      return matching(re2Pattern(first), operator === 'REGEXP_MATCH')
    case 'CONTAINS ANY':
      return value => texts.some(text => has(value, text))
    case 'CONTAINS ALL':
      return value => texts.every(text => has(value, text))
    case 'CONTAINS NONE':
      return value => !texts.some(text => has(value, text))
    case 'IS NULL':
      return value => value === undefined
    case 'IS NOT NULL':
      return value => value !== undefined
    case 'BETWEEN':
      if (compare(first, second) > 0) {
        throw queryError(
          'INVALID_VALUE_WITH_BETWEEN_OPERATOR',
          'The first value of BETWEEN exceeds the second.',
        )
      }
      return value => value !== undefined && compare(value, first) >= 0 && compare(value, second) <= 0
    default:
      return value => value !== undefined && meets(compare(value, first), operator)
  }
}

/** What is not set matches nothing, so only a negation keeps it. */
const matching =
  (pattern: RegExp, expected: boolean): Test =>
  value =>
    (typeof value === 'string' && pattern.test(value)) === expected

export const meets = (order: number, operator: Operator) =>
  operator === '>' ? order > 0 : operator === '>=' ? order >= 0 : operator === '<' ? order < 0 : order <= 0

/** Numbers as numbers, ids of 64 bits without losing their last digits. */
function compare(left: unknown, right: string): number {
  const text = String(left)
  if (/^-?\d+$/.test(text) && /^-?\d+$/.test(right)) {
    const [one, other] = [BigInt(text), BigInt(right)]
    return one < other ? -1 : one > other ? 1 : 0
  }
  return Number(text) - Number(right)
}

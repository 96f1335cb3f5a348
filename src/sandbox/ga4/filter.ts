import { re2 } from '#sandbox/re2.ts'
import { invalid } from './errors.ts'
import type { Filter, FilterExpression } from './request.ts'

/** Whether a row passes, given a reader of its fields. */
export type Test = (read: (field: string) => string) => boolean

/** The predicate of a filter, and the fields that it uses. Exactly one member of each union must be set. */
export function testOf(
  expression: FilterExpression | null | undefined,
): { fields: string[]; test: Test } | null {
  if (!expression) return null
  const fields: string[] = []
  return { test: build(expression, fields), fields }
}

function build(expression: FilterExpression, fields: string[]): Test {
  const set = Object.entries(expression).filter(([, value]) => value !== undefined)
  if (set.length !== 1)
    throw invalid('A FilterExpression must have exactly one of andGroup, orGroup, notExpression and filter.')
  const { andGroup, orGroup, notExpression, filter } = expression
  if (notExpression) {
    const inner = build(notExpression, fields)
    return read => !inner(read)
  }
  if (filter) return one(filter, fields)
  const parts = (andGroup ?? orGroup)?.expressions ?? []
  if (parts.length === 0) throw invalid('A FilterExpressionList must have at least one expression.')
  const tests = parts.map(part => build(part, fields))
  return andGroup ? read => tests.every(test => test(read)) : read => tests.some(test => test(read))
}

function one(filter: Filter, fields: string[]): Test {
  const { fieldName, ...kinds } = filter
  if (fieldName === '') throw invalid('A filter must have a fieldName.')
  if (Object.values(kinds).filter(kind => kind !== undefined).length !== 1) {
    throw invalid(`The filter on ${fieldName} must have exactly one of its kinds of filters.`)
  }
  fields.push(fieldName)
  const test = testOfValue(filter)
  return read => test(read(fieldName))
}

function testOfValue({
  stringFilter,
  inListFilter,
  numericFilter,
  betweenFilter,
}: Filter): (value: string) => boolean {
  if (stringFilter) return textTest(stringFilter)
  if (inListFilter) {
    if (inListFilter.values.length === 0) throw invalid('An inListFilter must have at least one value.')
    const fold = folding(inListFilter.caseSensitive)
    const expected = new Set(inListFilter.values.map(fold))
    return value => expected.has(fold(value))
  }
  if (numericFilter) {
    const limit = numberOf(numericFilter.value)
    const { operation } = numericFilter
    return value => {
      const number = Number(value)
      if (operation === 'EQUAL') return number === limit
      if (number === limit) return operation.endsWith('_OR_EQUAL')
      return operation.startsWith('LESS') ? number < limit : number > limit
    }
  }
  if (betweenFilter) {
    const [from, to] = [numberOf(betweenFilter.fromValue), numberOf(betweenFilter.toValue)]
    return value => Number(value) >= from && Number(value) <= to
  }
  return value => value === '' || value === '(not set)'
}

const folding = (exact: boolean) => (text: string) => (exact ? text : text.toLowerCase())
const numberOf = ({
  int64Value,
  doubleValue,
}: {
  int64Value?: number | undefined
  doubleValue?: number | undefined
}) => int64Value ?? doubleValue ?? 0

function textTest({
  matchType,
  value,
  caseSensitive,
}: NonNullable<Filter['stringFilter']>): (value: string) => boolean {
  const fold = folding(caseSensitive)
  const expected = fold(value)
  switch (matchType) {
    case 'BEGINS_WITH':
      return text => fold(text).startsWith(expected)
    case 'ENDS_WITH':
      return text => fold(text).endsWith(expected)
    case 'CONTAINS':
      return text => fold(text).includes(expected)
    case 'FULL_REGEXP':
    case 'PARTIAL_REGEXP': {
      const pattern = patternOf(matchType === 'FULL_REGEXP' ? value : `.*(?:${value}).*`, caseSensitive)
      return text => pattern.test(text)
    }
    default:
      return text => fold(text) === expected
  }
}

function patternOf(text: string, exact: boolean): RegExp {
  const pattern = re2(exact ? text : `(?i)${text}`)
  if (!pattern) throw invalid(`The regular expression is invalid: ${text}`)
  return pattern
}

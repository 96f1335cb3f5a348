import { filterFields, type Filter, type FilterRule } from '#shared/channels/catalogue.ts'
import { filterTest } from '#shared/filter.ts'
import { longestPart } from '#server/connectors/kit/plain-part.ts'
import { fieldOf } from './fields.ts'

/** What GA4 is sent as `dimensionFilter`. */
export type FilterExpression =
  | { andGroup: { expressions: FilterExpression[] } }
  | { orGroup: { expressions: FilterExpression[] } }
  | {
      filter: {
        fieldName: string
        stringFilter: { matchType: MatchType; value: string; caseSensitive: false }
      }
    }
  | { filter: { fieldName: string; inListFilter: { values: readonly string[]; caseSensitive: true } } }

type MatchType = 'EXACT' | 'BEGINS_WITH' | 'ENDS_WITH' | 'CONTAINS'

/**
 * The filters that GA4 can apply without losing a row that ours would keep; null when there is none, since an
 * empty group is refused. Values are data of the JSON body: never a regular expression, and never a field.
 */
export function filterOf(filters: Filter[]): FilterExpression | null {
  const expressions = filters.flatMap(filter => narrowing(filter) ?? [])
  const [first, ...others] = expressions
  if (first === undefined) return null
  return others.length === 0 ? first : { andGroup: { expressions } }
}

/**
 * The key events of these names, beside what the report's own filter lets through. An event that is none of
 * the property's key events counts as nothing, as one that does not exist.
 */
export function keyEventFilter(names: readonly string[], filter: FilterExpression | null): FilterExpression {
  const named: FilterExpression = {
    filter: { fieldName: 'eventName', inListFilter: { values: names, caseSensitive: true } },
  }
  return { andGroup: { expressions: [...(filter ? [filter] : []), isKeyEvent, named] } }
}

export const isKeyEvent: FilterExpression = {
  filter: { fieldName: 'isKeyEvent', inListFilter: { values: ['true'], caseSensitive: true } },
}

/** A longer list costs more of the quota than the rows that it spares. */
const MOST_VALUES = 20

/**
 * What GA4 prints where it has no value, or several; whether it finds them by that text is not documented.
 */
const STAND_INS = ['(not set)', '(other)', '(data not available)', '']

function narrowing(filter: Filter): FilterExpression | null {
  const { field, rule, values } = filter
  const { of } = filterFields[field]
  if (of === 'account' || values.length === 0 || values.length > MOST_VALUES) return null
  if (STAND_INS.some(filterTest(filter))) return null
  const expressions: FilterExpression[] = []
  for (const value of values) {
    const stringFilter = plainly(rule, value)
    if (stringFilter === null) return null
    expressions.push({ filter: { fieldName: fieldOf(of), stringFilter } })
  }
  const [first, ...others] = expressions
  return first !== undefined && others.length === 0 ? first : { orGroup: { expressions } }
}

/**
 * How GA4 folds case is not documented. Ours joins more than the alphabet (K with the Kelvin sign, s with ſ),
 * so that only a text without those letters is the same to both; of any other, its longest such part is
 * sought anywhere in the value. What does not contain a text by GA4's rules may contain none by ours, or the
 * other way round: that is left to us.
 */
function plainly(rule: FilterRule, value: string) {
  const matchType = matchTypes[rule]
  if (matchType === null) return null
  const longest = longestPart(value, PLAIN)
  if (longest === '') return null
  const isWhole = longest === value
  return {
    matchType: isWhole ? matchType : ('CONTAINS' as const),
    value: longest,
    caseSensitive: false as const,
  }
}

const PLAIN = /[[\p{Script=Han}\p{Nd}\p{P}a-zA-Z ]--[\\kKsS]]+/gv

const matchTypes: Record<FilterRule, MatchType | null> = {
  EQUAL: 'EXACT',
  STARTS_WITH: 'BEGINS_WITH',
  ENDS_WITH: 'ENDS_WITH',
  CONTAINS: 'CONTAINS',
  NOT_CONTAINS: null,
}

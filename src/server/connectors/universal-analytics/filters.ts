import { filterFields, type Filter, type FilterRule } from '#shared/channels/catalogue.ts'
import { longestPart } from '#server/connectors/kit/plain-part.ts'
import { fieldOf } from './fields.ts'

export interface Clause {
  operator: 'OR'
  filters: {
    dimensionName: string
    operator: Operator
    expressions: string[]
    caseSensitive: false
  }[]
}

/** Always sent: without one the platform takes an expression for a regular expression. */
type Operator = 'EXACT' | 'BEGINS_WITH' | 'ENDS_WITH' | 'PARTIAL'

/**
 * The filters that the platform can apply without losing a row that ours would keep; clauses are ANDed, their
 * filters ORed.
 */
export function clausesOf(filters: readonly Filter[]): Clause[] {
  return filters.flatMap(filter => clauseOf(filter) ?? [])
}

const operators: Record<Exclude<FilterRule, 'NOT_CONTAINS'>, Operator> = {
  EQUAL: 'EXACT',
  STARTS_WITH: 'BEGINS_WITH',
  ENDS_WITH: 'ENDS_WITH',
  CONTAINS: 'PARTIAL',
}

function clauseOf({ field, rule, values }: Filter): Clause | null {
  const { of } = filterFields[field]
  // A platform that takes more texts for equal than we do would leave out rows that we include.
  if (of === 'account' || rule === 'NOT_CONTAINS' || values.length > MOST_VALUES) return null
  const dimensionName = fieldOf(of)
  const conditions = values.map(value => conditionOf(rule, value))
  if (conditions.length === 0 || conditions.some(({ text }) => text === '')) return null
  return {
    operator: 'OR',
    filters: conditions.map(({ operator, text }) => ({
      dimensionName,
      operator,
      expressions: [text],
      caseSensitive: false,
    })),
  }
}

/** How many filters a clause may have is not documented. */
const MOST_VALUES = 20
const LONGEST_EXPRESSION = 128

/**
 * The rule itself where the whole value compares the same everywhere, else that its longest such part is in
 * the text; '' when it has none.
 */
function conditionOf(rule: keyof typeof operators, value: string): { operator: Operator; text: string } {
  const plain = longestPart(value, PLAIN)
  if (plain === value && value.length <= LONGEST_EXPRESSION) return { operator: operators[rule], text: value }
  return { operator: 'PARTIAL', text: plain.slice(0, LONGEST_EXPRESSION).trim() }
}

/**
 * How the platform folds case beyond ASCII is not documented, and we join "k" with the Kelvin sign and "s"
 * with the long s: the other letters of ASCII, Han, digits and punctuation are the same under every rule of
 * comparing. A backslash might escape what follows.
 */
const PLAIN = /[[a-jl-rt-zA-JL-RT-Z0-9 \p{Script=Han}\p{P}]--\\]+/gv

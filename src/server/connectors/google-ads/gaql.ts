import type { Filter } from '#shared/channels/catalogue.ts'

/**
 * A query by its clauses. All names come from fields.ts; whatever a person has typed comes through
 * `conditionOf`.
 */
export interface Query {
  select: readonly string[]
  from: string
  where?: readonly string[]
  order?: readonly string[]
  limit?: number
}

export function gaql({ select, from, where = [], order = [], limit }: Query): string {
  return [
    `SELECT ${[...new Set(select)].join(', ')}`,
    `FROM ${from}`,
    where.length > 0 && `WHERE ${where.join(' AND ')}`,
    order.length > 0 && `ORDER BY ${order.join(', ')}`,
    limit !== undefined && `LIMIT ${limit}`,
    // Names of resources would be half of every answer.
    'PARAMETERS omit_unselected_resource_names = true',
  ]
    .filter(clause => clause !== false)
    .join(' ')
}

export const between = ({ start, end }: { start: string; end: string }) =>
  `segments.date BETWEEN ${literal(start)} AND ${literal(end)}`

/** Exactly one of these texts: IN minds case. */
export const oneOf = (field: string, texts: readonly string[]) =>
  `${field} IN (${texts.map(literal).join(', ')})`

/**
 * A condition on `field` that lets through at least what the filter does; null when there is none worth
 * sending. Several values would need OR, which GAQL does not have; NOT LIKE would leave out what Google takes
 * for the same letter and we do not.
 */
export function conditionOf(field: string, { rule, values }: Omit<Filter, 'field'>): string | null {
  const [value, ...others] = values
  if (value === undefined || others.length > 0 || rule === 'NOT_CONTAINS') return null
  const around = { EQUAL: ['', ''], STARTS_WITH: ['', '%'], ENDS_WITH: ['%', ''], CONTAINS: ['%', '%'] }[rule]
  const pattern = around.join(likePattern(value)).replaceAll(/%+(?!\])/g, '%')
  return pattern === '%' || pattern === '' ? null : `${field} LIKE ${literal(pattern)}`
}

/**
 * LIKE ignores case, but by which rule is not documented. Certain are characters without case, and the
 * letters of ASCII but for k and s, which also fold to the Kelvin sign and the long s: they stand for
 * themselves, anything else for any text.
 */
const likePattern = (text: string) =>
  Array.from(text, character => {
    if (!CERTAIN.test(character)) return '%'
    return WILD.has(character) ? `[${character}]` : character
  }).join('')

const CERTAIN = /^[[\x20-\x7e\p{Unified_Ideograph}]--[KkSs]]$/v
const WILD = new Set(['[', ']', '%', '_'])

const literal = (text: string) => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`

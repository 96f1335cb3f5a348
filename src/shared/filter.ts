import type { Filter, FilterRule } from './channels/catalogue.ts'

/**
 * The one meaning of a filter, for every channel: the values are ORed (for NOT_CONTAINS: none of them),
 * case is ignored by Unicode's simple case folding and nothing else is.
 */
export function filterTest(filter: Pick<Filter, 'rule' | 'values'>): (text: string) => boolean {
  const values = filter.values.map(foldCase)
  const holds = rules[filter.rule]
  return text => {
    const folded = foldCase(text)
    return filter.rule === 'NOT_CONTAINS'
      ? values.every(value => holds(folded, value))
      : values.some(value => holds(folded, value))
  }
}

const rules: Record<FilterRule, (text: string, value: string) => boolean> = {
  EQUAL: (text, value) => text === value,
  STARTS_WITH: (text, value) => text.startsWith(value),
  ENDS_WITH: (text, value) => text.endsWith(value),
  CONTAINS: (text, value) => text.includes(value),
  NOT_CONTAINS: (text, value) => !text.includes(value),
}

/** Texts that differ in case only become the same text; character for character, so that "ß" is not "ss". */
export const foldCase = (text: string): string =>
  isAscii.test(text) ? text.toLowerCase() : Array.from(text, foldCharacter).join('')

// oxlint-disable-next-line no-control-regex -- the whole of ASCII is meant
const isAscii = /^[\0-\x7f]*$/

/**
 * The language knows mappings to lower and upper case only; by both, all that simple folding joins is joined,
 * but for these.
 */
const exceptions: Record<string, string> = { ı: 'ı', '\u1fd3': '\u0390', '\u1fe3': '\u03b0', ﬅ: 'ﬆ' }

function foldCharacter(character: string): string {
  const exception = exceptions[character]
  if (exception !== undefined) return exception
  const upper = character.toUpperCase()
  const folded = (isOne(upper) ? upper : character).toLowerCase()
  return isOne(folded) ? folded : character
}

const isOne = (text: string) =>
  text.length === 1 || (text.length === 2 && (text.codePointAt(0) ?? 0) > 0xffff)

import { queryError } from '../errors.ts'

/**
 * LIKE as a test of a whole text, whatever its case: % stands for any text, _ for one character, and the four that
 * mean something ([ ] % _) stand for themselves inside brackets.
 */
export function likePattern(text: string): RegExp {
  const wrong = () =>
    queryError('INVALID_VALUE_WITH_LIKE_OPERATOR', `Invalid value for the LIKE operator: '${text}'.`)
  let pattern = ''
  const rest = text.replaceAll(/\[([[\]%_])\]|[\s\S]/gu, (piece: string, literal: string | undefined) => {
    if (literal !== undefined) pattern += quoted(literal)
    else if (piece === '[' || piece === ']') return piece
    else pattern += piece === '%' ? '.*' : piece === '_' ? '.' : quoted(piece)
    return ''
  })
  if (rest !== '') throw wrong()
  return new RegExp(`^${pattern}$`, 'isu')
}

const quoted = (character: string) => character.replace(/[\\^$.*+?()[\]{}|/]/u, String.raw`\$&`)

/** An RE2 pattern as a test of a whole text; case matters unless it begins with (?i). */
export function re2Pattern(text: string): RegExp {
  const wrong = () => queryError('BAD_VALUE', `Invalid regular expression: '${text}'.`)
  const folded = text.startsWith('(?i)')
  const body = folded ? text.slice(4) : text
  // What RE2 does not have: references to groups, and looking around.
  if (/(?:^|[^\\])(?:\\\\)*(?:\\[1-9k]|\(\?[=!]|\(\?<[=!])/u.test(body)) throw wrong()
  // RE2 lets every punctuation character be quoted, JavaScript only those that mean something.
  const portable = body
    .replaceAll(/\\([^\w\s])/gu, (_, literal: string) => `\\u{${(literal.codePointAt(0) ?? 0).toString(16)}}`)
    .replaceAll('(?P<', '(?<')
  try {
    return new RegExp(`^(?:${portable})$`, folded ? 'iu' : 'u')
  } catch {
    throw wrong()
  }
}

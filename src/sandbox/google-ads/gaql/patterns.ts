import { re2 } from '#sandbox/re2.ts'
import { queryError } from '#sandbox/google-ads/errors.ts'

/**
 * LIKE as a predicate on a whole text, whatever its case: % matches any text, _ one character, and the four
 * special characters ([ ] % _) match themselves inside brackets.
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
  const pattern = re2(text)
  if (!pattern) throw queryError('BAD_VALUE', `Invalid regular expression: '${text}'.`)
  return pattern
}

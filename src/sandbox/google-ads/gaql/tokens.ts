import { queryError } from '#sandbox/google-ads/errors.ts'

export type Token =
  | { kind: 'word' | 'number' | 'symbol'; text: string }
  | { kind: 'string'; text: string; value: string }

/** The words, numbers, strings and symbols of a query; refuses what GAQL has no symbol for. */
export function tokensOf(query: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < query.length) {
    const rest = query.slice(at)
    const blank = /^\s+/.exec(rest)?.[0]
    if (blank !== undefined) {
      at += blank.length
      continue
    }
    const token = stringAt(rest) ?? plainAt(rest)
    tokens.push(token)
    at += token.text.length
  }
  return tokens
}

const PLAIN: readonly [Exclude<Token['kind'], 'string'>, RegExp][] = [
  ['word', /^[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*(?![\w.])/],
  ['number', /^-?\d+(?:\.\d+)?(?![\w.])/],
  ['symbol', /^(?:!=|>=|<=|[=<>(),])/],
]

function plainAt(rest: string): Token {
  for (const [kind, pattern] of PLAIN) {
    const text = pattern.exec(rest)?.[0]
    if (text !== undefined) return { kind, text }
  }
  if (/^[A-Za-z_]/.test(rest)) {
    throw queryError('BAD_FIELD_NAME', `Invalid field name in query: '${/^[\w.]+/.exec(rest)?.[0] ?? ''}'.`)
  }
  if (/^-?\d/.test(rest)) throw queryError('BAD_NUMBER', 'Invalid number in query.')
  throw queryError('BAD_SYMBOL', `Error in query: unexpected input ${[...rest][0] ?? ''}.`)
}

const ESCAPES: Record<string, string> = { '\\': '\\', "'": "'", '"': '"', n: '\n', r: '\r', t: '\t' }

/** The quoted text that the rest of the query begins with; null when it begins with no quote. */
function stringAt(rest: string): Token | null {
  const quote = rest[0]
  if (quote !== "'" && quote !== '"') return null
  let value = ''
  for (let at = 1; at < rest.length; at++) {
    const character = rest[at] ?? ''
    if (character === quote) return { kind: 'string', text: rest.slice(0, at + 1), value }
    if (character === '\n' || character === '\r') {
      throw queryError('PROHIBITED_NEWLINE_IN_STRING', 'A string literal in the query contains a newline.')
    }
    if (character === '\\') {
      const escaped = ESCAPES[rest[++at] ?? '']
      if (escaped === undefined) {
        throw queryError(
          'BAD_ESCAPE_SEQUENCE',
          `Invalid escape sequence in the query: '\\${rest[at] ?? ''}'.`,
        )
      }
      value += escaped
    } else value += character
  }
  throw queryError('STRING_NOT_TERMINATED', 'A string literal in the query is not terminated.')
}

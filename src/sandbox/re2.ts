/** An RE2 pattern as a test of a whole text, by case unless it begins with (?i); null when it is none. */
export function re2(text: string): RegExp | null {
  const folded = text.startsWith('(?i)')
  const body = folded ? text.slice(4) : text
  // What RE2 does not have: references to groups, and looking around.
  if (/(?:^|[^\\])(?:\\\\)*(?:\\[1-9k]|\(\?[=!]|\(\?<[=!])/u.test(body)) return null
  // RE2 lets every punctuation character be quoted, JavaScript only those that mean something.
  const portable = body
    .replaceAll(/\\([^\w\s])/gu, (_, literal: string) => `\\u{${(literal.codePointAt(0) ?? 0).toString(16)}}`)
    .replaceAll('(?P<', '(?<')
  try {
    return new RegExp(`^(?:${portable})$`, folded ? 'iu' : 'u')
  } catch {
    return null
  }
}

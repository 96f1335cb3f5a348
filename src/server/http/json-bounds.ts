/** Far more than the largest report: 10 channels of 20 filters of 100 values each. */
const MOST_VALUES = 30_000
const MOST_DEPTH = 32
/**
 * Of one object; the largest form of ours has a few dozen. Reporting an unknown name costs far more than
 * reporting a value.
 */
const MOST_FIELDS = 500

/**
 * Whether a JSON text is too deep, or has too many values or fields, for a schema to read it while others
 * wait: each of a hundred thousand problems is found one by one. Checked from its brackets alone, before it
 * is parsed.
 */
export function excessOfJson(
  text: string,
  mostValues: number = MOST_VALUES,
): 'too_deep' | 'too_many_values' | null {
  let [depth, values] = [0, 1]
  /** Of each object, or list, that is open at this point. */
  const fields = new Uint32Array(MOST_DEPTH + 1)
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfText(text, at)
        break
      case BRACKET:
      case BRACE:
        values++
        if (++depth > MOST_DEPTH) return 'too_deep'
        fields[depth] = 0
        break
      case BRACKET_END:
      case BRACE_END:
        depth--
        break
      case COMMA:
        values++
        break
      case COLON:
        fields[depth] = (fields[depth] ?? 0) + 1
        if ((fields[depth] ?? 0) > MOST_FIELDS) return 'too_many_values'
        break
    }
    if (values > mostValues) return 'too_many_values'
  }
  return null
}

/** Where the text that begins at a quote ends: at the next one behind an even number of backslashes. */
function endOfText(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = at
    while (text.charCodeAt(escapes - 1) === BACKSLASH) escapes--
    if ((at - escapes) % 2 === 0) return at
  }
  return text.length
}

const [QUOTE, COMMA, COLON, BRACKET, BACKSLASH, BRACKET_END, BRACE, BRACE_END] = [
  0x22, 0x2c, 0x3a, 0x5b, 0x5c, 0x5d, 0x7b, 0x7d,
] as const

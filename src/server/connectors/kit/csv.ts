import { unreadable } from './failures.ts'

const QUOTE = 34
const NEW_LINE = 10
const RETURN = 13

/**
 * The rows of a CSV text by RFC 4180, one by one, header included; an empty line is a row of one empty field.
 * A byte order mark is left out. Throws for what has more than one reading: a quote that never ends, text
 * after a closing quote, a quote amid bare text.
 */
export function* csvRows(text: string, delimiter = ','): Generator<string[], void, void> {
  const comma = delimiter.charCodeAt(0)
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  for (let row = 1; at < text.length; row += 1) {
    const fields: string[] = []
    for (let isOpen = true; isOpen; at += 1) {
      const isQuoted = text.charCodeAt(at) === QUOTE
      const end = isQuoted ? closingQuote(text, at, row) + 1 : bareEnd(text, { at, comma, row })
      const field = isQuoted ? unquoted(text.slice(at + 1, end - 1)) : text.slice(at, end)
      fields.push(field)
      at = end + lineReturn(text, end)
      isOpen = text.charCodeAt(at) === comma
      if (!isOpen && at < text.length && text.charCodeAt(at) !== NEW_LINE)
        throw unreadable(`CSV row ${row}: text after a closing quote`)
    }
    yield fields
  }
}

function closingQuote(text: string, opening: number, row: number): number {
  for (let at = text.indexOf('"', opening + 1); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text.charCodeAt(at + 1) !== QUOTE) return at
  }
  throw unreadable(`CSV row ${row}: a quote that never ends`)
}

/** Where bare text ends; a return belongs to the end of the line only right before it. */
function bareEnd(text: string, { at, comma, row }: { at: number; comma: number; row: number }): number {
  let end = at
  for (; end < text.length; end += 1) {
    const code = text.charCodeAt(end)
    if (code === comma || code === NEW_LINE) break
    if (code === QUOTE) throw unreadable(`CSV row ${row}: a quote amid text`)
  }
  const endsLine = end === text.length || text.charCodeAt(end) === NEW_LINE
  return endsLine && end > at && text.charCodeAt(end - 1) === RETURN ? end - 1 : end
}

const unquoted = (text: string) => (text.includes('"') ? text.replaceAll('""', '"') : text)

/** Whether a line ends in two characters here. */
function lineReturn(text: string, at: number): 0 | 1 {
  if (text.charCodeAt(at) !== RETURN) return 0
  return at + 1 === text.length || text.charCodeAt(at + 1) === NEW_LINE ? 1 : 0
}

import { LineCounter, Lexer, parseAllDocuments, Parser, type Document, type YAMLError } from 'yaml'
import { limits } from '#shared/limits.ts'

// YAML as plain data, within bounds that are checked before it is parsed: the parser's time and stack grow
// with depth, keys and errors, and a stack that overflows within a regular expression ends the process,
// whatever thread that is in.

const { report_file_bytes: MOST_FILE_BYTES } = limits
/** More reports than anybody has in one file. */
const MOST_DOCUMENTS = 500
const MOST_LINES = 20_000
/** Words, marks, spaces and line ends: seven or so a line. */
const MOST_TOKENS = 100_000
/** A report has seven: document, report, channels, block, filters, filter, values. */
const MOST_DEPTH = 20
/** A report has two dozen; the parser compares each with each. */
const MOST_KEYS = 100

/** One document: its content, or what is wrong with it, with line and column. */
export type ReadText = { value: unknown } | { errors: string[] }

/** Reads YAML of one or more documents. */
export function readText(text: string): ReadText[] | 'too_many_documents' {
  const excess = excessOf(text)
  if (excess === 'too_many_documents') return excess
  if (excess !== null) return [{ errors: [excess] }]
  const lines = new LineCounter()
  const documents = parseAllDocuments(text, { ...options, lineCounter: lines })
  // No document at all is an empty one.
  if (!Array.isArray(documents) || documents.length === 0) return [{ value: {} }]
  return documents.map(document => readDocument(document, lines))
}

/** Errors without their line: a long one would be read as often as it has errors. */
const options = { uniqueKeys: true, intAsBigInt: true, prettyErrors: false } as const

/**
 * The bound that is exceeded; null when the text can be parsed. The parser's own first two steps, whose work
 * is linear in the text.
 */
function excessOf(text: string): string | 'too_many_documents' | null {
  if (Buffer.byteLength(text) > MOST_FILE_BYTES) return `it is larger than ${MOST_FILE_BYTES / 1024} kB`
  let [lines, documents, tokens] = [1, 0, 0]
  const parser = new Parser(() => void lines++)
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) if (token.type === 'document') documents++
    tokens++
    // Counted when the next one begins.
    if (documents >= MOST_DOCUMENTS && parser.stack.length > 0) return 'too_many_documents'
    if (lines > MOST_LINES) return `it has more than ${MOST_LINES} lines`
    if (tokens > MOST_TOKENS) return `it has more than ${MOST_TOKENS} words and marks`
    if (parser.stack.length > MOST_DEPTH)
      return `it is nested more than ${MOST_DEPTH} levels deep at line ${lines}`
    if (keysIn(parser.stack.at(-1)) > MOST_KEYS)
      return `one of its parts has more than ${MOST_KEYS} keys at line ${lines}`
  }
  return null
}

function keysIn(token: Parser['stack'][number] | undefined): number {
  const is_map =
    token?.type === 'block-map' || (token?.type === 'flow-collection' && token.start.source === '{')
  return is_map ? token.items.length : 0
}

function readDocument(document: Pick<Document, 'errors' | 'toJS'>, lines: LineCounter): ReadText {
  if (document.errors.length > 0)
    return { errors: document.errors.slice(0, MOST_ERRORS).map(error => textOf(error, lines)) }
  try {
    // Ten aliases are more than a report needs, and far fewer than a file that expands to gigabytes.
    const value: unknown = document.toJS({ maxAliasCount: 10 })
    return { value: plain(value ?? {}) }
  } catch {
    return { errors: ['it repeats itself too often'] }
  }
}

const MOST_ERRORS = 50
const LONGEST_ERROR = 300

function textOf({ message, pos: [from] }: YAMLError, lines: LineCounter): string {
  const { line, col } = lines.linePos(from)
  return `${message.slice(0, LONGEST_ERROR)} at line ${line}, column ${col}`
}

/**
 * Whole numbers as numbers where they are exact, else as text: an account id can have more digits than a
 * number holds.
 */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (Array.isArray(value)) return value.map(plain)
  if (value instanceof Object)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]))
  return value
}

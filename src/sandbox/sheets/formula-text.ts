import { columnName, columnNumber, parseCells, quoteTitle } from './a1.ts'

/** A piece of a formula. References keep their parts, so that they can be moved. */
export type Token =
  | { kind: 'number'; value: number; text: string }
  | { kind: 'text'; value: string; text: string }
  | { kind: 'reference'; title: string | null; first: Corner; last: Corner | null; text: string }
  | { kind: 'name'; text: string }
  | { kind: 'error'; text: string }
  | { kind: 'sign'; text: string }
  | { kind: 'space'; text: string }
  | { kind: 'unknown'; text: string }

export interface Corner {
  row: number | null
  column: number | null
  row_fixed: boolean
  column_fixed: boolean
}

const CORNER = String.raw`\$?[A-Za-z]{1,3}\$?[1-9]\d{0,7}`
const OPEN_CORNER = String.raw`\$?[A-Za-z]{1,3}\$?[1-9]\d{0,7}|\$?[A-Za-z]{1,3}|\$?[1-9]\d{0,7}`
const TITLE = String.raw`(?:'(?:[^']|'')*'|[\p{L}\p{N}_.]+)!`
const PATTERNS: [Token['kind'], RegExp][] = [
  ['space', /\s+/uy],
  ['text', /"(?:[^"]|"")*"/uy],
  ['error', /#(?:REF|NAME|VALUE|NUM|N\/A|NULL|ERROR)[!?]?|#DIV\/0!/uy],
  ['reference', new RegExp(`(?:${TITLE})?(?:${OPEN_CORNER}):(?:${OPEN_CORNER})(?![\\p{L}\\p{N}_(])`, 'uy')],
  ['reference', new RegExp(`(?:${TITLE})?(?:${CORNER})(?![\\p{L}\\p{N}_(])`, 'uy')],
  ['number', /\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+/uy],
  ['name', /[\p{L}_][\p{L}\p{N}_.]*/uy],
  ['sign', /<=|>=|<>|[-+*/^&=<>(),;%:]/uy],
]

/** The pieces of a formula without its leading `=`. Joined, their texts are the formula again. */
export function tokensOf(formula: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < formula.length) {
    const token = tokenAt(formula, at)
    tokens.push(token)
    at += token.text.length
  }
  return tokens
}

function tokenAt(formula: string, at: number): Token {
  for (const [kind, pattern] of PATTERNS) {
    pattern.lastIndex = at
    const text = pattern.exec(formula)?.[0]
    if (text === undefined) continue
    if (kind === 'number') return { kind, text, value: Number(text) }
    if (kind === 'text') return { kind, text, value: text.slice(1, -1).replaceAll('""', '"') }
    if (kind !== 'reference') return { kind, text }
    const reference = readReference(text)
    if (reference) return reference
  }
  return { kind: 'unknown', text: formula.slice(at, at + 1) }
}

function readReference(text: string): Token | null {
  const bang = text.lastIndexOf('!')
  const cells = text.slice(bang + 1)
  if (!parseCells(cells)) return null
  const [first = '', last] = cells.split(':')
  const title = bang < 0 ? null : text.slice(0, bang)
  const plainTitle = title?.startsWith("'") ? title.slice(1, -1).replaceAll("''", "'") : title
  return {
    kind: 'reference',
    text,
    title: plainTitle,
    first: readCorner(first),
    last: last === undefined ? null : readCorner(last),
  }
}

function readCorner(text: string): Corner {
  const [, column_fixed, column, row_fixed, row] = /^(\$)?([A-Za-z]{1,3})?(\$)?(\d+)?$/.exec(text) ?? []
  // In `$2` the only dollar precedes the row, though the pattern reads it as the column's.
  const lone = column === undefined
  return {
    column: column === undefined ? null : columnNumber(column),
    row: row === undefined ? null : Number(row) - 1,
    column_fixed: !lone && column_fixed !== undefined,
    row_fixed: row_fixed !== undefined || (lone && column_fixed !== undefined),
  }
}

/** A reference as text. */
function printReference(title: string | null, first: Corner, last: Corner | null): string {
  const cells = last ? `${printCorner(first)}:${printCorner(last)}` : printCorner(first)
  return title === null ? cells : `${quoteTitle(title)}!${cells}`
}

const printCorner = ({ row, column, row_fixed, column_fixed }: Corner) =>
  `${column === null ? '' : `${column_fixed ? '$' : ''}${columnName(column)}`}${row === null ? '' : `${row_fixed ? '$' : ''}${row + 1}`}`

/** The formula with every reference as `change` has it; null for one that is lost. */
export function mapReferences(
  formula: string,
  change: (
    reference: Extract<Token, { kind: 'reference' }>,
  ) => { title: string | null; first: Corner; last: Corner | null } | null,
): string {
  let changed = false
  const texts = tokensOf(formula.slice(1)).map(token => {
    if (token.kind !== 'reference') return token.text
    const next = change(token)
    const text = next ? printReference(next.title, next.first, next.last) : '#REF!'
    if (
      next &&
      sameCorner(next.first, token.first) &&
      sameCorner(next.last, token.last) &&
      next.title === token.title
    ) {
      return token.text
    }
    changed = true
    return text
  })
  return changed ? `=${texts.join('')}` : formula
}

const sameCorner = (a: Corner | null, b: Corner | null) => a?.row === b?.row && a?.column === b?.column

/** The formula as it reads after being copied so many rows down and columns right. */
export function copyFormula(formula: string, down: number, right: number): string {
  const move = (corner: Corner): Corner => ({
    ...corner,
    row: corner.row === null || corner.row_fixed ? corner.row : corner.row + down,
    column: corner.column === null || corner.column_fixed ? corner.column : corner.column + right,
  })
  const exists = ({ row, column }: Corner) => (row ?? 0) >= 0 && (column ?? 0) >= 0
  return mapReferences(formula, ({ title, first, last }) => {
    const [from, to] = [move(first), last && move(last)]
    return exists(from) && (!to || exists(to)) ? { title, first: from, last: to } : null
  })
}

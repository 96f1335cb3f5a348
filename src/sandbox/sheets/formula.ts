import type { Book, Sheet } from './book.ts'
import type { Cells } from './cells.ts'
import { asNumber, FormulaError, single } from './formula-values.ts'
import type { Argument, Result } from './formula-values.ts'
import { FUNCTIONS } from './formula-functions.ts'
import { tokensOf } from './formula-text.ts'
import type { Token } from './formula-text.ts'
import { plain } from './format.ts'
import { cellAt, gridOf, readExisting, eachCell } from './grid.ts'
import { intersect } from './rect.ts'
import type { Rect } from './rect.ts'
import { getCell } from './tile.ts'

/** The value of a cell, by its sheet, row and column. */
export type Evaluate = (sheet: Sheet, row: number, column: number) => Result

/**
 * Calculates formulas of a book: a small set of operators and functions, `#NAME?` for all others. Results are
 * remembered.
 */
export function openEvaluator(book: Book, cells: Cells): Evaluate {
  const known = new Map<string, Result>()
  const running = new Set<string>()

  function evaluate(sheet: Sheet, row: number, column: number): Result {
    const cell = cellAt(cells, { sheet, row, column })
    if (cell === null || typeof cell !== 'object') return cell
    const name = `${sheet.key}:${row}:${column}`
    const before = known.get(name)
    if (before !== undefined) return before
    if (running.has(name)) return { error: '#REF!' }
    running.add(name)
    const result = calculate(cell.formula, { book, sheet, valueAt: evaluate, valuesOf })
    running.delete(name)
    known.set(name, result)
    return result
  }

  function valuesOf(sheet: Sheet, rect: Rect): Result[] {
    const values: Result[] = []
    readExisting(cells, { sheet, rect }, (tile, part) => {
      eachCell(part, (position, row, column) => {
        const cell = getCell(tile, position)
        if (cell !== null) values.push(typeof cell === 'object' ? evaluate(sheet, row, column) : cell)
      })
    })
    return values
  }
  return evaluate
}

interface Scope {
  book: Book
  sheet: Sheet
  valueAt: Evaluate
  valuesOf: (sheet: Sheet, rect: Rect) => Result[]
}

function calculate(formula: string, scope: Scope): Result {
  const reader = { tokens: tokensOf(formula.slice(1)).filter(token => token.kind !== 'space'), at: 0, scope }
  try {
    const result = single(comparison(reader))
    if (reader.at < reader.tokens.length) return { error: '#ERROR!' }
    return typeof result === 'number' && !Number.isFinite(result) ? { error: '#NUM!' } : result
  } catch (error) {
    if (error instanceof FormulaError) return { error: error.message }
    if (error instanceof RangeError) return { error: '#REF!' }
    throw error
  }
}

interface Reader {
  tokens: Token[]
  at: number
  scope: Scope
}

const next = ({ tokens, at }: Reader) => tokens[at]?.text ?? ''

function comparison(reader: Reader): Argument {
  let left = sum(reader)
  while (['=', '<>', '<', '>', '<=', '>='].includes(next(reader))) {
    const sign = next(reader)
    reader.at++
    left = { value: compare(sign, single(left), single(sum(reader))) }
  }
  return left
}

function sum(reader: Reader): Argument {
  let left = product(reader)
  while (['+', '-', '&'].includes(next(reader))) {
    const sign = next(reader)
    reader.at++
    const right = product(reader)
    if (sign === '&') left = { value: `${asText(single(left))}${asText(single(right))}` }
    else left = { value: asNumber(single(left)) + (sign === '-' ? -1 : 1) * asNumber(single(right)) }
  }
  return left
}

function product(reader: Reader): Argument {
  let left = signed(reader)
  while (['*', '/'].includes(next(reader))) {
    const sign = next(reader)
    reader.at++
    const [a, b] = [asNumber(single(left)), asNumber(single(signed(reader)))]
    if (sign === '/' && b === 0) throw new FormulaError('#DIV/0!')
    left = { value: sign === '*' ? a * b : a / b }
  }
  return left
}

function signed(reader: Reader): Argument {
  const sign = next(reader)
  if (sign === '-' || sign === '+') {
    reader.at++
    const value = asNumber(single(signed(reader)))
    return { value: sign === '-' ? -value : value }
  }
  let result = atom(reader)
  while (next(reader) === '%') {
    reader.at++
    result = { value: asNumber(single(result)) / 100 }
  }
  return result
}

function atom(reader: Reader): Argument {
  const token = reader.tokens[reader.at++]
  if (!token) throw new FormulaError('#ERROR!')
  if (token.kind === 'number' || token.kind === 'text') return { value: token.value }
  if (token.kind === 'reference') return reference(token, reader.scope)
  if (token.kind === 'error') throw new FormulaError(token.text)
  if (token.kind === 'name') return named(token.text, reader)
  if (token.text !== '(') throw new FormulaError('#ERROR!')
  const inner = comparison(reader)
  expect(reader, ')')
  return inner
}

function reference({ title, first, last }: Extract<Token, { kind: 'reference' }>, scope: Scope): Argument {
  const sheet = title === null ? scope.sheet : scope.book.sheets.find(each => each.title === title)
  if (!sheet) throw new FormulaError('#REF!')
  if (!last) return cellValue(scope, sheet, { row: first.row ?? 0, column: first.column ?? 0 })
  const rows = [first.row, last.row].filter(each => each !== null)
  const columns = [first.column, last.column].filter(each => each !== null)
  return rangeOf(scope, sheet, {
    r0: rows.length > 0 ? Math.min(...rows) : 0,
    c0: columns.length > 0 ? Math.min(...columns) : 0,
    r1: rows.length === 2 ? Math.max(...rows) + 1 : Infinity,
    c1: columns.length === 2 ? Math.max(...columns) + 1 : Infinity,
  })
}

function cellValue(scope: Scope, sheet: Sheet, { row, column }: { row: number; column: number }): Argument {
  if (row >= sheet.rows || column >= sheet.columns) throw new FormulaError('#REF!')
  return { value: scope.valueAt(sheet, row, column) }
}

function rangeOf(scope: Scope, sheet: Sheet, rect: Rect): Argument {
  const inside = intersect(rect, gridOf(sheet))
  if (!inside) throw new FormulaError('#REF!')
  if (inside.r1 - inside.r0 === 1 && inside.c1 - inside.c0 === 1)
    return cellValue(scope, sheet, { row: inside.r0, column: inside.c0 })
  return { range: () => scope.valuesOf(sheet, inside) }
}

function named(name: string, reader: Reader): Argument {
  if (next(reader) !== '(') {
    if (/^(true|false)$/i.test(name)) return { value: name.toLowerCase() === 'true' }
    const range = reader.scope.book.named_ranges.find(each => each.name.toLowerCase() === name.toLowerCase())
    const sheet = range && reader.scope.book.sheets.find(each => each.sheet_id === range.sheet_id)
    if (!range || !sheet) throw new FormulaError('#NAME?')
    return rangeOf(reader.scope, sheet, range.rect)
  }
  const run = FUNCTIONS[name.toUpperCase()]
  if (!run) throw new FormulaError('#NAME?')
  reader.at++
  const args: Argument[] = []
  while (next(reader) !== ')') {
    if (args.length > 0) expect(reader, ',', ';')
    args.push(lazily(reader))
  }
  reader.at++
  return { value: run(args) }
}

/** An argument whose error is a value: IF may never evaluate it. */
function lazily(reader: Reader): Argument {
  const start = reader.at
  try {
    return comparison(reader)
  } catch (error) {
    if (!(error instanceof FormulaError) || error.message === '#ERROR!') throw error
    reader.at = start
    skipArgument(reader)
    return { value: { error: error.message } }
  }
}

function skipArgument(reader: Reader) {
  for (let depth = 0; reader.at < reader.tokens.length; reader.at++) {
    const text = next(reader)
    if (depth === 0 && [',', ';', ')'].includes(text)) return
    depth += text === '(' ? 1 : text === ')' ? -1 : 0
  }
}

function expect(reader: Reader, ...texts: string[]) {
  if (!texts.includes(next(reader))) throw new FormulaError('#ERROR!')
  reader.at++
}

function asText(value: Result): string {
  if (value === null) return ''
  if (typeof value === 'number') return plain(value)
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  return typeof value === 'string' ? value : value.error
}

/** Numbers before text before booleans, as sheets order them; text without regard to case. */
function compare(sign: string, a: Result, b: Result): boolean {
  const [left, right] = [comparable(a, b), comparable(b, a)]
  const order = rank(left) - rank(right) || (left < right ? -1 : left > right ? 1 : 0)
  const answers: Record<string, boolean> = {
    '=': order === 0,
    '<>': order !== 0,
    '<': order < 0,
    '>': order > 0,
    '<=': order <= 0,
    '>=': order >= 0,
  }
  return answers[sign] ?? false
}

function comparable(value: Result, other: Result): number | string | boolean {
  if (value === null) return typeof other === 'string' ? '' : typeof other === 'boolean' ? false : 0
  return typeof value === 'string' ? value.toLowerCase() : typeof value === 'object' ? value.error : value
}

const rank = (value: number | string | boolean) => ['number', 'string', 'boolean'].indexOf(typeof value)

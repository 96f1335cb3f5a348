import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import {
  afterSpace,
  BACKSLASH,
  CLOSE_LIST,
  COLON,
  COMMA,
  NotRecognised,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
  SPACE,
  sourceOf,
  stringEnd,
  textIn,
  valueEnd,
  valueIn,
  type ByteSource,
} from './byte-json.ts'
import { z } from 'zod'
import { readNumber } from './byte-numbers.ts'
import { createByteTexts } from './byte-texts.ts'
import { json, type HttpResponse } from './http.ts'
import { jsonRows } from './json-rows.ts'
import {
  createGrammar,
  END,
  kindOf,
  TEXT,
  type Column,
  type ColumnTexts,
  type Grammar,
  type Step,
  type Way,
} from './row-grammar.ts'
import {
  shapeAt,
  UNREADABLE,
  type Leaf,
  type ObjectShape,
  type Path,
  type Rows,
  type Shape,
  type TextRule,
} from './rows.ts'

// Rows of a response straight out of its bytes, without an object for each. This is the hot path: making
// objects of a million rows takes longer than all else together. What is not recognised to the last byte is
// left to JSON.parse, which stays the definition of what a response says.

/** Reads responses that hold rows. */
export interface RowReader {
  /** The response as JSON.parse gives it, with ByteRows for its rows; null: it is left to JSON.parse. */
  read: (bytes: Buffer) => unknown
  /** The rows of a response that was read here, or left. */
  rowsOf: (list: ByteRows | readonly unknown[]) => Rows
  /** How many responses have been read, and how many were left. */
  counts: { read: number; left: number }
}

/** The body of a response; its rows are read out of the bytes where that is possible. */
export const jsonWithRows = (response: HttpResponse, reader: RowReader): unknown =>
  (response.status === 200 ? reader.read(response.bytes) : null) ?? json(response)

/** Rows that have been read out of bytes. */
export class ByteRows implements Rows {
  readonly length: number
  readonly #shape: ObjectShape
  readonly #columns: ReadonlyMap<Shape, Column>

  constructor(length: number, shape: ObjectShape, columns: ReadonlyMap<Shape, Column>) {
    this.length = length
    this.#shape = shape
    this.#columns = columns
  }

  texts(path: Path) {
    const { codes, texts } = this.#at(path)
    return { codes: codes.subarray(0, this.length), values: texts?.values ?? [] }
  }

  numbers(path: Path) {
    return this.#numbersOf(this.#at(path))
  }

  listed(path: Path, type: string) {
    return this.#numbersOf(this.#at(path, type))
  }

  /** Who reads a column may change it: of one that is read by several, each gets its own. */
  #numbersOf({ numbers, isShared }: Column) {
    return isShared ? numbers.slice(0, this.length) : numbers.subarray(0, this.length)
  }

  #at(path: Path, type = ''): Column {
    let shape = shapeAt(this.#shape, path)
    if (shape?.kind === 'list') shape = shape.types.get(type)
    const column = shape && this.#columns.get(shape)
    if (column === undefined) throw new Error(`no column ${path.join('.')} ${type}`)
    return column
  }
}

/** The rows of a response: of parsed JSON, or read out of its bytes. */
export const RowList = z.union([z.array(z.unknown()), z.instanceof(ByteRows)])
export type RowList = z.output<typeof RowList>

/** So many responses one after the other that are left to JSON.parse mean that the next will be, too. */
const MOST_LEFT = 3
const FIRST_ROWS = 512

/**
 * A reader of rows of a shape, which are the list at a path of each response; `isOfShape` says by what stands
 * beside them whether they are.
 */
export function rowReader(
  shape: ObjectShape,
  path: Path,
  isOfShape: (body: unknown) => boolean = () => true,
): RowReader {
  const columns = new Map(leavesOf(shape).map(leaf => [leaf, columnFor(leaf)]))
  const all = [...columns.values()]
  const grammar = createGrammar(shape, columns)
  const marker = JSON.stringify(randomUUID())
  const counts = { read: 0, left: 0 }
  let leftInARow = 0
  let capacity = FIRST_ROWS

  return {
    counts,
    rowsOf: list => (list instanceof ByteRows ? list : jsonRows(list, shape, String(path.at(-1)))),
    read(bytes) {
      if (leftInARow === MOST_LEFT) return null
      try {
        const body = readResponse(bytes)
        counts.read += 1
        leftInARow = 0
        return body
      } catch (error) {
        if (!(error instanceof NotRecognised)) throw error
        counts.left += 1
        leftInARow += 1
        return null
      }
    },
  }

  function readResponse(bytes: Buffer): unknown {
    if (!isUtf8(bytes)) throw new NotRecognised()
    const from = listAt(bytes, path)
    for (const column of all) column.row = -1
    reserve(all, capacity)
    const { length, end } = readRows(sourceOf(bytes), from, { grammar, columns: all, capacity })
    capacity = Math.max(FIRST_ROWS, length)
    const envelope = Buffer.concat([bytes.subarray(0, from), Buffer.from(marker), bytes.subarray(end)])
    const own = new Map([...columns].map(([leaf, column]) => [leaf, { ...column }]))
    const body = withRows(valueIn(envelope, 0, envelope.length), path, new ByteRows(length, shape, own))
    if (!isOfShape(body)) throw new NotRecognised()
    return body
  }

  /** The response with its rows for the marker; names that come twice have put something else there. */
  function withRows(body: unknown, [step, ...rest]: Path, rows: ByteRows): unknown {
    if (step === undefined) {
      if (body !== JSON.parse(marker)) throw new NotRecognised()
      return rows
    }
    if (typeof body !== 'object' || body === null) throw new NotRecognised()
    const inner: unknown = Reflect.get(body, step)
    Reflect.set(body, step, withRows(inner, rest, rows))
    return body
  }
}

function leavesOf(shape: Shape): Leaf[] {
  if (shape.kind === 'object') return [...shape.fields.values()].flatMap(leavesOf)
  if (shape.kind === 'items') return shape.items.flatMap(leavesOf)
  return shape.kind === 'list' ? [...shape.types.values()] : [shape]
}

function columnFor(leaf: Leaf): Column {
  const common = { kind: kindOf(leaf), numbers: new Float64Array(), codes: new Int32Array(), row: -1 }
  if (leaf.kind === 'text') {
    const { rule } = leaf
    const isRequired = rule.absent === undefined
    return { ...common, texts: columnTexts(rule), parse: () => UNREADABLE, isRequired, isShared: false }
  }
  const { parse, isRequired = false } = leaf.format
  return { ...common, texts: null, parse, isRequired, isShared: leaf.readers > 1 }
}

function columnTexts({ isGood = () => true, absent }: TextRule): ColumnTexts {
  const values: string[] = []
  const texts = createByteTexts(({ bytes }: ByteSource, from, end) => {
    const text = textIn(bytes, from, end)
    if (!isGood(text)) throw new NotRecognised()
    values.push(text)
  })
  // The first of all: rows that say nothing have 0 in their column.
  if (absent !== undefined) texts.codeAt(sourceOf(Buffer.from(JSON.stringify(absent))), 1)
  return { ...texts, values }
}

/**
 * Columns for so many rows, in one buffer, with what has been read of the response so far. Each response has
 * its own: those of the one before may still be in use.
 */
function reserve(columns: readonly Column[], capacity: number): void {
  const numbers = columns.filter(({ texts }) => texts === null)
  const texts = columns.filter(column => column.texts !== null)
  const buffer = new ArrayBuffer(capacity * (8 * numbers.length + 4 * texts.length))
  new Float64Array(buffer, 0, capacity * numbers.length).fill(Number.NaN)
  for (const [index, column] of numbers.entries()) {
    const { numbers: before } = column
    column.numbers = new Float64Array(buffer, index * capacity * 8, capacity)
    if (column.row >= 0) column.numbers.set(before)
  }
  for (const [index, column] of texts.entries()) {
    const { codes: before } = column
    const start = capacity * (8 * numbers.length + 4 * index)
    column.codes = new Int32Array(buffer, start, capacity)
    if (column.row >= 0) column.codes.set(before)
  }
}

/** Where the list at a path begins. */
function listAt(bytes: Buffer, path: Path): number {
  let at = afterSpace(bytes, 0)
  for (const step of path) at = typeof step === 'number' ? firstItem(bytes, at) : fieldAt(bytes, at, step)
  if (bytes[at] !== OPEN_LIST) throw new NotRecognised()
  return at
}

function firstItem(bytes: Buffer, from: number): number {
  if (bytes[from] !== OPEN_LIST) throw new NotRecognised()
  return afterSpace(bytes, from + 1)
}

function fieldAt(bytes: Buffer, from: number, name: string): number {
  if (bytes[from] !== OPEN_OBJECT) throw new NotRecognised()
  for (let at = afterSpace(bytes, from + 1); ; at = afterSpace(bytes, at + 1)) {
    if (bytes[at] !== QUOTE) throw new NotRecognised()
    const end = stringEnd(bytes, at + 1)
    const colon = afterSpace(bytes, end + 1)
    if (bytes[colon] !== COLON) throw new NotRecognised()
    const value = afterSpace(bytes, colon + 1)
    if (bytes.toString('utf8', at + 1, end) === name) return value
    at = afterSpace(bytes, valueEnd(bytes, value))
    if (bytes[at] !== COMMA) throw new NotRecognised()
  }
}

interface Reading {
  grammar: Grammar
  columns: readonly Column[]
  capacity: number
}

/** Reads the list that begins at `from` into the columns; `end` is behind it. */
function readRows(source: ByteSource, from: number, reading: Reading): { length: number; end: number } {
  const { bytes } = source
  const { columns, grammar } = reading
  const required = columns.filter(({ isRequired }) => isRequired).length
  const row: RowState = { number: 0, required: 0 }
  let { capacity } = reading
  let at = afterSpace(bytes, from + 1)
  if (bytes[at] === CLOSE_LIST) return { length: 0, end: at + 1 }
  for (;;) {
    if (row.number === capacity) {
      capacity *= 2
      reserve(columns, capacity)
    }
    row.required = 0
    grammar.rows += 1
    at = afterSpace(bytes, readRow(source, at, { row, grammar }))
    if (row.required < required) throw new NotRecognised()
    row.number += 1
    if (bytes[at] === CLOSE_LIST) return { length: row.number, end: at + 1 }
    if (bytes[at] !== COMMA) throw new NotRecognised()
    at = afterSpace(bytes, at + 1)
  }
}

interface RowState {
  number: number
  /** How many of the values that each row has it has so far. */
  required: number
}

/** Reads one row, and returns where it ends. */
function readRow(
  source: ByteSource,
  from: number,
  { row, grammar }: { row: RowState; grammar: Grammar },
): number {
  const { number } = row
  let at = from
  let step = grammar.start
  for (;;) {
    const { last } = step
    const way = last !== null && isAt(last, source, at) ? last : otherWay(step, source, { at, grammar })
    at += way.length
    step = way.to
    if (way.opens.length > 0) open(way, grammar.rows)
    const { kind, column } = step
    if (kind === END) return at
    if (column === null) {
      at = skipped(source.bytes, at)
      continue
    }
    // A name that comes twice in a row: JSON.parse knows which one counts.
    if (column.row === number) throw new NotRecognised()
    column.row = number
    if (column.isRequired) row.required += 1
    if (kind === TEXT && column.texts) {
      const code = column.texts.codeAt(source, at)
      column.codes[number] = code
      at += column.texts.lengthOf(code)
    } else at = readNumber(source.bytes, at, column)
  }
}

function otherWay(step: Step, source: ByteSource, { at, grammar }: { at: number; grammar: Grammar }): Way {
  const way = step.ways.find(each => isAt(each, source, at)) ?? grammar.learn(step, source.bytes, at)
  step.last = way
  return way
}

function isAt({ length, words, literal }: Way, { bytes, view }: ByteSource, at: number): boolean {
  if (at + length > bytes.length) return false
  const final = words.length - 1
  if (final < 0) {
    for (let index = 0; index < length; index += 1) if (bytes[at + index] !== literal[index]) return false
    return true
  }
  for (let index = 0; index < final; index += 1)
    if (view.getInt32(at + 4 * index) !== words[index]) return false
  return view.getInt32(at + length - 4) === words[final]
}

function open({ opens }: Way, row: number): void {
  for (const opening of opens) {
    if (opening.row === row) throw new NotRecognised()
    opening.row = row
  }
}

/** The end of a value that nobody reads; it has to be JSON all the same. */
function skipped(bytes: Buffer, from: number): number {
  if (bytes[from] === QUOTE) {
    let at = from + 1
    for (
      let byte = bytes[at] ?? 0;
      byte !== QUOTE && byte !== BACKSLASH && byte >= SPACE;
      byte = bytes[at] ?? 0
    )
      at += 1
    if (bytes[at] === QUOTE) return at + 1
  }
  const end = valueEnd(bytes, from)
  valueIn(bytes, from, end)
  return end
}

import { divide } from '#shared/metrics.ts'
import type { Cell } from './cells.ts'
import { NUMBER_BYTES, putAscii, putMillionths, putNumber, type Output } from './json-bytes.ts'
import { exactCell, isEmptyCell, NOTHING, type Sums } from './sums.ts'
import { printList, putText, textBytes, textLength, WORD, type TextBytes } from './text-bytes.ts'

/**
 * Rows of a segment that are written together. Their sums are scattered, since they lie in the order in which
 * the rows came: copied in a loop that does nothing else, several arrive at a time.
 */
export interface Batch {
  /** Which they are, in order. */
  rows: Int32Array
  length: number
  sums: BatchSums[]
  columns: BatchColumn[]
}

/** The cells of a block's sums, row after row. */
interface BatchSums {
  groups: Int32Array
  sums: Sums
  values: Float64Array
  /** Where the cells of each row begin; negative: it has none. */
  starts: Int32Array
}

/** One column: what each of the rows prints. */
interface BatchColumn {
  form: 'text' | 'number' | 'millionths' | 'digits'
  /** What an empty cell prints. */
  empty: 'zero' | 'text'
  /** The number of row `r` is at `r * step + from`; not finite or NOTHING where the cell is empty. */
  numbers: Float64Array
  step: number
  from: number
  /** Texts by their numbers, -1 where the cell is empty. */
  texts: Int32Array
  bytes: TextBytes
  /** Sums beyond 2^53; "" where the cell is empty. */
  digits: string[]
  /** Reads what the rows print; returns how many bytes that may take. */
  fill: (rows: Int32Array) => number
}

const BATCH_ROWS = 512

export function openBatch(cells: readonly Cell[]): Batch {
  const sums: BatchSums[] = []
  const columns = cells.map(cell => openColumn(cell, sums))
  return { rows: new Int32Array(BATCH_ROWS), length: 0, sums, columns }
}

/** Reads what the rows print; returns how many bytes they may take, with the four around each row. */
export function fillBatch({ columns, rows, length, sums }: Batch): number {
  const own = rows.subarray(0, length)
  for (const each of sums) copySums(each, own)
  return columns.reduce((room, { fill }) => room + length + fill(own), 4 * length + WORD)
}

/** In short loops, so that the processor fetches for many rows at a time. */
function copySums({ groups, sums, values, starts }: BatchSums, rows: Int32Array): void {
  const { cells } = sums
  const width = sums.measures.length
  for (let at = 0; at < rows.length; at++) starts[at] = (groups[rows[at] ?? 0] ?? -1) * width
  for (let measure = 0; measure < width; measure++) {
    for (let at = 0; at < rows.length; at++) {
      const start = starts[at] ?? -1
      values[at * width + measure] = start < 0 ? NOTHING : (cells[start + measure] ?? NOTHING)
    }
  }
}

function openColumn(cell: Cell, batchSums: BatchSums[]): BatchColumn {
  const column: BatchColumn = {
    form: 'number',
    empty: 'zero' in cell && cell.zero ? 'zero' : 'text',
    numbers: new Float64Array(0),
    step: 1,
    from: 0,
    texts: new Int32Array(0),
    bytes: NO_TEXTS,
    digits: [],
    fill: rows => rows.length * NUMBER_BYTES,
  }
  if (cell.kind === 'constant' || cell.kind === 'text' || cell.kind === 'words')
    return openTexts(column, cell)
  if (cell.kind !== 'sum') return openNumbers(column, cell, batchSums)
  const { sums, measure, groups } = cell
  if (sums.high[measure]) return openDigits(column, cell)
  const { values } = sharedSums(batchSums, { sums, groups })
  const form = sums.scales[measure] === 1 ? 'number' : 'millionths'
  return { ...column, form, numbers: values, step: sums.measures.length, from: measure }
}

const NO_TEXTS = textBytes([])

/** The columns of a block copy its sums once. */
function sharedSums(all: BatchSums[], { sums, groups }: Pick<BatchSums, 'sums' | 'groups'>): BatchSums {
  const known = all.find(each => each.sums === sums && each.groups === groups)
  if (known) return known
  const values = new Float64Array(BATCH_ROWS * sums.measures.length)
  const opened = { sums, groups, values, starts: new Int32Array(BATCH_ROWS) }
  all.push(opened)
  return opened
}

type CellOf<Kind extends Cell['kind']> = Extract<Cell, { kind: Kind }>

function openTexts(column: BatchColumn, cell: CellOf<'constant' | 'text' | 'words'>): BatchColumn {
  const texts = new Int32Array(BATCH_ROWS)
  const { bytes } = cell
  const fill = (rows: Int32Array) => {
    if (cell.kind === 'text') readCodes(texts, cell, rows)
    if (cell.kind === 'words')
      for (const [at, row] of rows.entries()) texts[at] = wordAt(cell, cell.groups[row] ?? -1)
    let room = 0
    for (let at = 0; at < rows.length; at++) {
      const text = texts[at] ?? 0
      room += text < 0 ? EMPTY_BYTES : textLength(bytes, text)
    }
    return room
  }
  return { ...column, form: 'text', texts, bytes, fill }
}

function readCodes(
  codes: Int32Array,
  { rows: { keys, width }, position }: CellOf<'text' | 'serial'>,
  rows: Int32Array,
): void {
  for (let at = 0; at < rows.length; at++) codes[at] = keys[(rows[at] ?? 0) * width + position] ?? 0
}

function wordAt({ sums, measure, bytes }: CellOf<'words'>, group: number): number {
  const word = group < 0 ? null : exactCell(sums, measure, group)
  return word !== null && bytes.texts[Number(word)] !== undefined ? Number(word) : -1
}

function openNumbers(
  column: BatchColumn,
  cell: CellOf<'serial' | 'values' | 'ratio' | 'empty'>,
  batchSums: BatchSums[],
): BatchColumn {
  const numbers = new Float64Array(BATCH_ROWS).fill(Number.NaN)
  if (cell.kind === 'empty') return { ...column, numbers }
  if (cell.kind !== 'serial')
    return openDecimals(column, cell.kind === 'ratio' ? ratioReader(cell, batchSums) : valueReader(cell))
  const read = serialReader(cell)
  const fill = (rows: Int32Array) => {
    read(numbers, rows)
    return rows.length * NUMBER_BYTES
  }
  return { ...column, numbers, fill }
}

/**
 * Most have sixteen or seventeen digits. A list of them is printed in a third of the time that they take one
 * by one, since none becomes a text of its own.
 */
function openDecimals(column: BatchColumn, read: Reader<number[]>): BatchColumn {
  const numbers = Array.from({ length: BATCH_ROWS }, () => 0.5)
  const texts = new Int32Array(BATCH_ROWS)
  const bytes = textBytes(Array.from(numbers, String))
  const fill = (rows: Int32Array) => {
    read(numbers, rows)
    printList(bytes, rows.length < BATCH_ROWS ? numbers.slice(0, rows.length) : numbers)
    for (let at = 0; at < rows.length; at++) texts[at] = isEmptyCell(numbers[at] ?? NOTHING) ? -1 : at
    return bytes.encoded.at
  }
  return { ...column, form: 'text', texts, bytes, fill }
}

type Reader<Numbers> = (numbers: Numbers, rows: Int32Array) => void

function valueReader({ values }: CellOf<'values'>): Reader<number[]> {
  return (numbers, rows) => {
    // Adding 0 leaves no -0: what has been worked out to 0 is not empty.
    for (let at = 0; at < rows.length; at++) numbers[at] = (values[rows[at] ?? 0] ?? Number.NaN) + 0
  }
}

function serialReader(cell: CellOf<'serial'>): Reader<Float64Array> {
  const codes = new Int32Array(BATCH_ROWS)
  return (numbers, rows) => {
    readCodes(codes, cell, rows)
    for (let at = 0; at < rows.length; at++) numbers[at] = cell.serials[codes[at] ?? 0] ?? 0
  }
}

function ratioReader({ sums, ratio, groups }: CellOf<'ratio'>, batchSums: BatchSums[]): Reader<number[]> {
  if (sums.high[ratio.numerator] || sums.high[ratio.denominator])
    return (numbers, rows) => {
      for (const [at, row] of rows.entries()) {
        const group = groups[row] ?? -1
        const numerator = group < 0 ? null : exactCell(sums, ratio.numerator, group)
        const denominator = group < 0 ? null : exactCell(sums, ratio.denominator, group)
        const isEmpty = numerator === null || denominator === null
        numbers[at] = isEmpty ? Number.NaN : divide(Number(numerator), Number(denominator), ratio) + 0
      }
    }
  const { values } = sharedSums(batchSums, { sums, groups })
  const width = sums.measures.length
  return (numbers, rows) => {
    for (let at = 0; at < rows.length; at++) {
      const numerator = values[at * width + ratio.numerator] ?? NOTHING
      const denominator = values[at * width + ratio.denominator] ?? NOTHING
      const isEmpty = isEmptyCell(numerator) || isEmptyCell(denominator)
      numbers[at] = isEmpty ? Number.NaN : divide(numerator, denominator, ratio) + 0
    }
  }
}

function openDigits(column: BatchColumn, { sums, measure, groups }: CellOf<'sum'>): BatchColumn {
  const digits: string[] = []
  const fill = (rows: Int32Array) => {
    let room = 0
    for (const [at, row] of rows.entries()) {
      const own = digitsOf(sums, measure, groups[row] ?? -1)
      digits[at] = own
      room += Math.max(own.length, EMPTY_BYTES)
    }
    return room
  }
  return { ...column, form: 'digits', digits, fill }
}

/** A sum that may be beyond 2^53, digit for digit; "" where there is none. */
function digitsOf(sums: Sums, measure: number, group: number): string {
  const value = group < 0 ? null : exactCell(sums, measure, group)
  if (value === null) return ''
  if (sums.scales[measure] === 1) return String(value)
  const millionths = BigInt(value)
  const digits = String(millionths < 0n ? -millionths : millionths).padStart(7, '0')
  const fraction = digits.slice(-6).replace(/0+$/, '')
  const whole = `${millionths < 0n ? '-' : ''}${digits.slice(0, -6)}`
  return fraction === '' ? whole : `${whole}.${fraction}`
}

const QUOTE = 0x22
const ZERO = 0x30
const COMMA = 0x2c
const EMPTY_BYTES = 2

/** Writes the cells of one row, a comma behind each; there is room for them. */
export function writeCells(out: Output, columns: readonly BatchColumn[], row: number): void {
  const { view } = out
  let { at } = out
  for (const column of columns) {
    at = putCell(view, at, { column, row })
    view.setUint8(at++, COMMA)
  }
  out.at = at
}

function putCell(view: DataView, at: number, { column, row }: { column: BatchColumn; row: number }): number {
  if (column.form === 'text') {
    const text = column.texts[row] ?? -1
    return text < 0 ? putEmpty(view, at, column) : putText(view, at, { known: column.bytes, text })
  }
  if (column.form === 'digits') {
    const digits = column.digits[row] ?? ''
    return digits === '' ? putEmpty(view, at, column) : putAscii(view, at, digits)
  }
  const value = column.numbers[row * column.step + column.from] ?? NOTHING
  if (isEmptyCell(value)) return putEmpty(view, at, column)
  return column.form === 'number' ? putNumber(view, at, value) : putMillionths(view, at, Math.round(value))
}

function putEmpty(view: DataView, at: number, { empty }: BatchColumn): number {
  view.setUint8(at, empty === 'zero' ? ZERO : QUOTE)
  if (empty === 'zero') return at + 1
  view.setUint8(at + 1, QUOTE)
  return at + EMPTY_BYTES
}

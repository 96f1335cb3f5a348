import type { Dimension } from '#shared/channels/catalogue.ts'
import { divide } from '#shared/metrics.ts'
import { isKnown, scaledRatio, valuesOf } from './expression.ts'
import {
  writeAscii,
  writeByte,
  writeMillionths,
  writeNumber,
  writeText,
  writeWhole,
  type Output,
} from './json-bytes.ts'
import type { ColumnSource } from './columns.ts'
import type { MeasureRatio, PlannedMetric } from './plan.ts'
import type { Segment, Table } from './shape.ts'
import { writeKnownText, type TextBytes } from './text-bytes.ts'
import { exactCell, NOTHING, type Sums } from './sums.ts'

/** One column of a segment, ready to be written row by row. */
export type Cell =
  | { kind: 'constant'; text: string }
  | { kind: 'empty'; zero: boolean }
  | { kind: 'serial'; rows: Segment; position: number; serials: Int32Array }
  | { kind: 'text'; rows: Segment; position: number; bytes: TextBytes }
  | { kind: 'sum'; groups: Int32Array; sums: Sums; measure: number; zero: boolean }
  | { kind: 'words'; groups: Int32Array; sums: Sums; measure: number; texts: readonly string[] }
  | { kind: 'ratio'; groups: Int32Array; sums: Sums; ratio: MeasureRatio; zero: boolean }
  /** What was worked out for all rows at once; not finite where it is empty. */
  | { kind: 'values'; values: Float64Array; zero: boolean }

export function cellsOf(table: Columns, segment: Segment): Cell[] {
  const values = workedOut(table, segment)
  return table.sources.map((source, column): Cell => {
    if (source.kind === 'channel') return { kind: 'constant', text: segment.label }
    if (source.kind === 'dimension') return dimensionCell(table, segment, source.dimension)
    const own = values.get(column)
    if (own) return { kind: 'values', values: own, zero: segment.zero }
    return source.kind === 'metric' ? metricCell(segment, source.metrics) : { kind: 'empty', zero: false }
  })
}

/** The values of the columns that are worked out of others, all at once; by their positions. */
function workedOut({ sources, unmatched }: Columns, segment: Segment): Map<number, Float64Array> {
  const columns = sources.flatMap((source, column) => {
    const found = expressionIn(source, segment)
    return found ? { ...found, column } : []
  })
  const values = valuesOf(
    columns.map(({ expression }) => expression),
    segment,
  )
  return new Map(
    columns.map(({ column, is_compared }, at) => {
      const own = values[at] ?? new Float64Array(0)
      if (is_compared && unmatched) clearUnmatched(own, segment, unmatched)
      return [column, own]
    }),
  )
}

/** null: the column is not worked out, or not in these rows. */
function expressionIn(source: ColumnSource, segment: Segment) {
  if (source.kind === 'blend') return isKnown(source.blend.expression, segment) ? source.blend : null
  if (source.kind !== 'metric') return null
  const metric = source.metrics.find((each, block) => each && segment.groups[block])
  return metric && 'expression' in metric ? metric : null
}

function clearUnmatched(values: Float64Array, { keys, width }: Segment, unmatched: Uint8Array): void {
  for (let row = 0; row < values.length; row++)
    if (unmatched[keys[row * width] ?? 0]) values[row] = Number.NaN
}

type Columns = Pick<Table, 'sources' | 'dimensions' | 'unmatched'>

function dimensionCell(table: Columns, rows: Segment, dimension: Dimension): Cell {
  const visible = table.dimensions.find(other => other.dimension === dimension)
  if (!visible) return { kind: 'empty', zero: false }
  const { position, values } = visible
  return values.kind === 'serials'
    ? { kind: 'serial', rows, position, serials: values.serials }
    : { kind: 'text', rows, position, bytes: values.bytes }
}

function metricCell(segment: Segment, metrics: readonly (PlannedMetric | null)[]): Cell {
  const block = metrics.findIndex((metric, index) => metric && segment.groups[index])
  const metric = metrics[block]
  const groups = segment.groups[block]
  const sums = segment.sums[block]
  if (!metric || !groups || !sums) {
    // There is no zero of a text, not even in the rows of blocks that lack it.
    const isText = metrics.some(one => one?.unit === 'text')
    return { kind: 'empty', zero: segment.zeroElsewhere && !isText }
  }
  const { zero } = segment
  if ('measure' in metric) {
    const { measure, texts } = metric
    return texts
      ? { kind: 'words', groups, sums, measure, texts }
      : { kind: 'sum', groups, sums, measure, zero }
  }
  // Those that are worked out have their values already.
  if ('expression' in metric) return { kind: 'empty', zero }
  return { kind: 'ratio', groups, sums, ratio: scaledRatio(metric.ratio, sums), zero }
}

/** Writes one cell; there is space for a number, texts reserve their own. */
export function writeCell(out: Output, cell: Cell, row: number): void {
  switch (cell.kind) {
    case 'serial':
      return writeWhole(out, cell.serials[codeAt(cell, row)] ?? 0)
    case 'text':
      return writeKnownText(out, cell.bytes, codeAt(cell, row))
    case 'sum':
      return writeSum(out, cell, cell.groups[row] ?? -1)
    case 'ratio':
      return writeRatio(out, cell, cell.groups[row] ?? -1)
    case 'values':
      return writeValue(out, cell, row)
    case 'words':
      return writeWords(out, cell, cell.groups[row] ?? -1)
    case 'constant':
      return writeText(out, cell.text)
    case 'empty':
      return writeEmpty(out, cell.zero)
  }
}

const codeAt = ({ rows, position }: { rows: Segment; position: number }, row: number) =>
  rows.keys[row * rows.width + position] ?? 0

function writeEmpty(out: Output, zero: boolean): void {
  if (zero) writeByte(out, 0x30)
  else {
    writeByte(out, 0x22)
    writeByte(out, 0x22)
  }
}

type SumCell = Extract<Cell, { kind: 'sum' }>
type RatioCell = Extract<Cell, { kind: 'ratio' }>

function writeSum(out: Output, { sums, measure, zero }: SumCell, group: number): void {
  if (group >= 0 && sums.high[measure] === null) {
    const value = sums.cells[group * sums.measures.length + measure] ?? NOTHING
    if (Object.is(value, NOTHING) || value - value !== 0) return writeEmpty(out, zero)
    if (sums.scales[measure] === 1) return writeNumber(out, value)
    return writeMillionths(out, Math.round(value))
  }
  const value = group < 0 ? null : exactCell(sums, measure, group)
  if (value === null) writeEmpty(out, zero)
  else if (typeof value === 'bigint') writeBig(out, value, sums.scales[measure] ?? 1)
  else if (sums.scales[measure] === 1) writeNumber(out, value)
  else writeMillionths(out, Math.round(value))
}

/** A text that the platform encodes as a number; there is no zero of a text. */
function writeWords(
  out: Output,
  { sums, measure, texts }: Extract<Cell, { kind: 'words' }>,
  group: number,
): void {
  const text = group < 0 ? undefined : texts[Number(exactCell(sums, measure, group) ?? -1)]
  if (text === undefined) writeEmpty(out, false)
  else writeText(out, text)
}

function writeRatio(out: Output, { sums, ratio, zero }: RatioCell, group: number): void {
  const numerator = group < 0 ? null : exactCell(sums, ratio.numerator, group)
  const denominator = group < 0 ? null : exactCell(sums, ratio.denominator, group)
  if (numerator === null || denominator === null) return writeEmpty(out, zero)
  const value = divide(Number(numerator), Number(denominator), ratio)
  if (Number.isFinite(value)) writeNumber(out, value)
  else writeEmpty(out, zero)
}

function writeValue(out: Output, { values, zero }: Extract<Cell, { kind: 'values' }>, row: number): void {
  // Adding 0 leaves no negative zero, which would be printed with its sign.
  const value = (values[row] ?? Number.NaN) + 0
  if (Number.isFinite(value)) writeNumber(out, value)
  else writeEmpty(out, zero)
}

/** A sum beyond 2^53, digit for digit. */
function writeBig(out: Output, value: bigint, scale: number): void {
  if (scale === 1) return writeAscii(out, String(value))
  const digits = String(value < 0n ? -value : value)
  const fraction = digits.slice(-6).replace(/0+$/, '')
  const text = `${value < 0n ? '-' : ''}${digits.slice(0, -6)}`
  writeAscii(out, fraction === '' ? text : `${text}.${fraction}`)
}

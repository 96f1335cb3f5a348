import type { Dimension } from '#shared/channels/catalogue.ts'
import { isKnown, scaledRatio, valuesOf } from './expression.ts'
import type { ColumnSource } from './columns.ts'
import type { MeasureRatio, PlannedMetric } from './plan.ts'
import type { Segment, Table } from './shape.ts'
import { textBytes, type TextBytes } from './text-bytes.ts'
import type { Sums } from './sums.ts'

/** One column of a segment, and where the numbers and texts of its rows are. */
export type Cell =
  | { kind: 'constant'; bytes: TextBytes }
  | { kind: 'empty'; zero: boolean }
  | { kind: 'serial'; rows: Segment; position: number; serials: Int32Array }
  | { kind: 'text'; rows: Segment; position: number; bytes: TextBytes }
  | { kind: 'sum'; groups: Int32Array; sums: Sums; measure: number; zero: boolean }
  /** Texts that the platform encodes as numbers. */
  | { kind: 'words'; groups: Int32Array; sums: Sums; measure: number; bytes: TextBytes }
  | { kind: 'ratio'; groups: Int32Array; sums: Sums; ratio: MeasureRatio; zero: boolean }
  /** What was worked out for all rows at once; not finite where it is empty. */
  | { kind: 'values'; values: Float64Array; zero: boolean }

export function cellsOf(table: Columns, segment: Segment): Cell[] {
  const values = workedOut(table, segment)
  return table.sources.map((source, column): Cell => {
    if (source.kind === 'channel') return { kind: 'constant', bytes: textBytes([segment.label]) }
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
      ? { kind: 'words', groups, sums, measure, bytes: textBytes(texts) }
      : { kind: 'sum', groups, sums, measure, zero }
  }
  // Those that are worked out have their values already.
  if ('expression' in metric) return { kind: 'empty', zero }
  return { kind: 'ratio', groups, sums, ratio: scaledRatio(metric.ratio, sums), zero }
}

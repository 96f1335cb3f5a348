import { gaMetrics } from '#shared/channels/ga-metrics.ts'
import type { Page } from '#server/connectors/connector.ts'
import { decimal, millionths } from '#server/connectors/kit/decimals.ts'
import { unreadable } from '#server/connectors/kit/failures.ts'
import { createTextBuilder } from '#server/connectors/text-column.ts'
import type { Layout } from './query.ts'
import type { Report } from './schema.ts'

// Rows of a report → columns. This is the hot path: no schema per row, but nothing unchecked either. A value
// in another form than documented ends the fetch with its path; it never becomes 0.

/** Reads the rows of one response; the metrics are those of the layout. */
export function columnsOf({ columnHeader, data: { rows } }: Report, layout: Layout): Page {
  checkHeader(columnHeader, layout)
  const dates = createTextBuilder()
  const keys = layout.positions.map(() => createTextBuilder())
  const columns = layout.metrics.map(metric => ({
    parse: gaMetrics[metric].unit === 'money' ? millionths : decimal,
    figures: new Float64Array(rows.length),
  }))
  const startOf = startReader(layout)
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index]
    const texts = dimensionsOf(row, index, layout.body.dimensions.length)
    const values = valuesOf(row, index, layout.body.metrics.length)
    dates.push(startOf(texts, index))
    for (let at = 0; at < keys.length; at += 1) keys[at]?.push(keyOf(texts, layout.positions[at]))
    for (let at = 0; at < columns.length; at += 1) {
      const column = columns[at]
      if (column)
        column.figures[index] = figureOf(
          values[at],
          column.parse,
          () => `rows[${index}].metrics[0].values[${at}]`,
        )
    }
  }
  return {
    length: rows.length,
    dates: dates.column(),
    dimensions: keys.map(each => ({ keys: each.column() })),
    metrics: columns.map(({ figures }) => figures),
  }
}

/** Values by position are read only when the response names its columns. */
function checkHeader({ dimensions, metricHeader }: Report['columnHeader'], { body }: Layout): void {
  const names = [...dimensions, ...metricHeader.metricHeaderEntries.map(({ name }) => name)]
  const requested = [
    ...body.dimensions.map(({ name }) => name),
    ...body.metrics.map(({ expression }) => expression),
  ]
  if (names.join() !== requested.join()) throw unreadable('columnHeader')
}

/** Rows come day by day: most are of the same one as the row before. */
function startReader({ starts, time_fields }: Layout) {
  let time: string | null = null
  let start = ''
  return (texts: readonly string[], index: number): string => {
    const own = time_fields === 1 ? (texts[0] ?? '') : texts.slice(0, time_fields).join(' ')
    if (own === time) return start
    const found = starts.get(own)
    if (found === undefined) throw unreadable(`rows[${index}].dimensions[0]`)
    time = own
    start = found
    return start
  }
}

const NO_TEXTS: readonly string[] = []

function dimensionsOf(row: unknown, index: number, length: number): readonly string[] {
  const dimensions = length === 0 ? NO_TEXTS : fieldOf(row, 'dimensions')
  if (isTexts(dimensions, length)) return dimensions
  throw unreadable(`rows[${index}].dimensions`)
}

/** One range of days was requested, so there is one list of values. */
function valuesOf(row: unknown, index: number, length: number): readonly string[] {
  const metrics = fieldOf(row, 'metrics')
  const values = Array.isArray(metrics) ? fieldOf(metrics[0], 'values') : undefined
  if (isTexts(values, length)) return values
  throw unreadable(`rows[${index}].metrics`)
}

const fieldOf = (value: unknown, name: 'dimensions' | 'metrics' | 'values'): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined

function isTexts(value: unknown, length: number): value is readonly string[] {
  if (!Array.isArray(value) || value.length !== length) return false
  for (let at = 0; at < length; at += 1) if (typeof value[at] !== 'string') return false
  return true
}

function keyOf(texts: readonly string[], [first = 0, second]: readonly number[] = []): string {
  return second === undefined ? (texts[first] ?? '') : `${texts[first]} / ${texts[second]}`
}

function figureOf(text: string | undefined, parse: (text: unknown) => number, where: () => string): number {
  const figure = parse(text)
  if (!Number.isNaN(figure)) return figure
  const exact = parse(withoutExponent(text))
  if (Number.isNaN(exact)) throw unreadable(where())
  return exact
}

/** Large and small amounts may come as 1.234E7: the point is moved in the text, so that they stay exact. */
function withoutExponent(text: string | undefined): string | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    (text?.includes('E') && /^(-?)(\d+)(?:\.(\d+))?E(-?\d{1,2})$/.exec(text)) || []
  if (whole === '') return text
  const shift = Number(exponent)
  const digits =
    shift < 0 ? whole.padStart(whole.length - shift, '0') + fraction : whole + fraction.padEnd(shift, '0')
  const point = (shift < 0 ? digits.length - fraction.length : whole.length) + shift
  const after = digits.slice(point)
  return `${sign}${digits.slice(0, point)}${after === '' ? '' : `.${after}`}`
}

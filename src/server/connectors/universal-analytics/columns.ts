import { gaMetrics } from '#shared/channels/ga-metrics.ts'
import type { Page } from '../connector.ts'
import { decimal, millionths } from '../decimals.ts'
import { unreadable } from '../exchange.ts'
import type { Layout } from './question.ts'
import type { Report } from './schema.ts'

// Rows of a report → columns. This is the hot path: no schema per row, but nothing unchecked either. A value in another form than
// documented ends the fetch with its path; it never becomes 0.

/** Reads the rows of one answer; the metrics are those of the layout. */
export function columnsOf({ columnHeader, data: { rows } }: Report, layout: Layout): Page {
  checkHeader(columnHeader, layout)
  const texts = rows.map(dimensionsOf(layout.body.dimensions.length))
  const values = rows.map(valuesOf(layout.body.metrics.length))
  return {
    length: rows.length,
    dates: texts.map((row, index) => {
      const start = layout.starts.get(timeOf(row, layout.time_fields))
      if (start === undefined) throw unreadable(`rows[${index}].dimensions[0]`)
      return start
    }),
    dimensions: layout.places.map(([first = 0, second]) => ({
      keys: texts.map(row => (second === undefined ? (row[first] ?? '') : `${row[first]} / ${row[second]}`)),
    })),
    metrics: layout.metrics.map((metric, at) =>
      figuresOf(values, at, gaMetrics[metric].unit === 'money' ? millionths : decimal),
    ),
  }
}

function figuresOf(
  values: readonly (readonly string[])[],
  at: number,
  parse: (text: unknown) => number,
): Float64Array {
  const column = new Float64Array(values.length)
  for (let index = 0; index < values.length; index += 1) {
    const text = values[index]?.[at]
    let value = parse(text)
    if (Number.isNaN(value)) value = parse(withoutExponent(text))
    if (Number.isNaN(value)) throw unreadable(`rows[${index}].metrics[0].values[${at}]`)
    column[index] = value
  }
  return column
}

/** Positional answers are believed only when they say what they are about. */
function checkHeader({ dimensions, metricHeader }: Report['columnHeader'], { body }: Layout): void {
  const said = [...dimensions, ...metricHeader.metricHeaderEntries.map(({ name }) => name)]
  const asked = [
    ...body.dimensions.map(({ name }) => name),
    ...body.metrics.map(({ expression }) => expression),
  ]
  if (said.join() !== asked.join()) throw unreadable('columnHeader')
}

const timeOf = (row: readonly string[], fields: number) =>
  fields === 1 ? (row[0] ?? '') : row.slice(0, fields).join(' ')

const dimensionsOf =
  (length: number) =>
  (row: unknown, index: number): readonly string[] => {
    const dimensions = length === 0 ? [] : fieldOf(row, 'dimensions')
    if (!isTexts(dimensions) || dimensions.length !== length) throw unreadable(`rows[${index}].dimensions`)
    return dimensions
  }

/** One range of days was asked for, so there is one list of values. */
const valuesOf =
  (length: number) =>
  (row: unknown, index: number): readonly string[] => {
    const metrics = fieldOf(row, 'metrics')
    const values = Array.isArray(metrics) ? fieldOf(metrics[0], 'values') : undefined
    if (!isTexts(values) || values.length !== length) throw unreadable(`rows[${index}].metrics`)
    return values
  }

const fieldOf = (value: unknown, name: 'dimensions' | 'metrics' | 'values'): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined

function isTexts(value: unknown): value is string[] {
  if (!Array.isArray(value)) return false
  for (let at = 0; at < value.length; at += 1) if (typeof value[at] !== 'string') return false
  return true
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

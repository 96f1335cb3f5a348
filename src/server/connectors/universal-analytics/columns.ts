import { gaMetrics } from '#shared/channels/ga-metrics.ts'
import type { Page } from '#server/connectors/connector.ts'
import { count, money } from '#server/connectors/kit/analytics-numbers.ts'
import { ByteRows, rowReader, type RowReader } from '#server/connectors/kit/byte-rows.ts'
import { unreadable } from '#server/connectors/kit/failures.ts'
import { jsonRows } from '#server/connectors/kit/json-rows.ts'
import { shapeOf, type Rows } from '#server/connectors/kit/rows.ts'
import { combineTexts } from '#server/connectors/text-column.ts'
import type { Layout } from './query.ts'
import type { Report } from './schema.ts'

// Rows of a report → columns. This is the hot path: no schema per row, but nothing unchecked either.

/** Reads the rows of one response; the metrics are those of the layout. */
export function columnsOf({ columnHeader, data: { rows } }: Report, layout: Layout): Page {
  checkHeader(columnHeader, layout)
  const read = (from: Rows) => columnsIn(from, layout)
  return read(rows instanceof ByteRows ? rows : jsonRows(rows, shapeOf(read), 'rows'))
}

export const readerOf = (layout: Layout): RowReader =>
  rowReader(
    shapeOf(rows => columnsIn(rows, layout)),
    ['reports', 0, 'data', 'rows'],
  )

/** Values by position are read only when the response names its columns. */
function checkHeader({ dimensions, metricHeader }: Report['columnHeader'], { body }: Layout): void {
  const names = [...dimensions, ...metricHeader.metricHeaderEntries.map(({ name }) => name)]
  const requested = [
    ...body.dimensions.map(({ name }) => name),
    ...body.metrics.map(({ expression }) => expression),
  ]
  if (names.join() !== requested.join()) throw unreadable('columnHeader')
}

function columnsIn(rows: Rows, { body, metrics, positions, starts, time_fields }: Layout): Page {
  const texts = body.dimensions.map((_, at) => rows.texts(['dimensions', at]))
  // One range of days was requested, so there is one list of values. They are read even where none counts.
  const numbers = body.metrics.map((_, at) => {
    const metric = metrics[at]
    const format = metric !== undefined && gaMetrics[metric].unit === 'money' ? money : count
    return rows.numbers(['metrics', 0, 'values', at], format)
  })
  const textsAt = (of: readonly number[]) => of.flatMap(position => texts[position] ?? [])
  return {
    length: rows.length,
    dates: combineTexts(texts.slice(0, time_fields), rows.length, (values, row) => {
      const start = starts.get(values.join(' '))
      if (start === undefined) throw unreadable(`rows[${row}].dimensions[0]`)
      return start
    }),
    dimensions: positions.map(of => {
      const [only, ...others] = textsAt(of)
      if (only === undefined) throw new Error('a dimension that was not requested')
      return {
        keys:
          others.length === 0
            ? only
            : combineTexts([only, ...others], rows.length, values => values.join(' / ')),
      }
    }),
    metrics: numbers.slice(0, metrics.length),
  }
}

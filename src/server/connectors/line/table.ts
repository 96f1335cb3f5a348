import { lnMetrics } from '#shared/channels/ln-metrics.ts'
import type { Page } from '#server/connectors/connector.ts'
import { createTextBuilder, textAt } from '#server/connectors/text-column.ts'
import type { FetchedMetric } from './fields.ts'

/** What a row of a table is about. */
export interface RowKey {
  start: string
  keys: readonly string[]
  labels: readonly string[]
}

/** Rows as columns. */
export interface Table {
  /** The number of the row that is about this; a new one where every row is one of its own. */
  rowOf(rowKey: RowKey): number
  /** Adds what adds up; NaN is ignored. */
  put(row: number, metric: number, value: number): void
  /** Takes all rows of another table of the same columns in. */
  absorb(table: Table): void
  pages(): Generator<Page>
}

interface Columns {
  /** For each dimension, whether its rows have labels beside their keys. */
  has_labels: readonly boolean[]
  metrics: readonly FetchedMetric[]
  /** Whether rows about the same are one row. */
  adds_up: boolean
}

const PAGE_ROWS = 5000

export function createTable({ has_labels, metrics, adds_up }: Columns): Table {
  const known = new Map<string, number>()
  const starts = createTextBuilder()
  const keys = has_labels.map(() => createTextBuilder())
  const labels = has_labels.map(has => (has ? createTextBuilder() : null))
  const values: number[][] = metrics.map(() => [])
  const isAdditive = metrics.map(metric => lnMetrics[metric].kind === 'additive')

  const newRow = (rowKey: RowKey) => {
    starts.push(rowKey.start)
    for (const column of values) column.push(Number.NaN)
    for (let at = 0; at < keys.length; at += 1) {
      keys[at]?.push(rowKey.keys[at] ?? '')
      labels[at]?.push(rowKey.labels[at] ?? '')
    }
    return starts.length() - 1
  }
  const rowOf: Table['rowOf'] = rowKey => {
    if (!adds_up) return newRow(rowKey)
    let about = rowKey.start
    for (const key of rowKey.keys) about += `\n${key}`
    const row = known.get(about) ?? newRow(rowKey)
    known.set(about, row)
    return row
  }
  const put: Table['put'] = (row, metric, value) => {
    const column = values[metric]
    if (column === undefined || Number.isNaN(value)) return
    const before = column[row] ?? Number.NaN
    column[row] = Number.isNaN(before) || !isAdditive[metric] ? value : before + value
  }
  return {
    rowOf,
    put,
    absorb(table) {
      for (const page of table.pages()) {
        for (let at = 0; at < page.length; at += 1) {
          const row = rowOf({
            start: textAt(page.dates, at),
            keys: page.dimensions.map(dimension => textAt(dimension.keys, at)),
            labels: page.dimensions.map(({ labels: names }) => (names ? textAt(names, at) : '')),
          })
          for (const [metric, column] of page.metrics.entries()) put(row, metric, column[at] ?? Number.NaN)
        }
      }
    },
    *pages() {
      for (let from = 0; from < starts.length(); from += PAGE_ROWS) {
        const to = Math.min(from + PAGE_ROWS, starts.length())
        yield {
          length: to - from,
          dates: starts.column(from, to),
          dimensions: keys.map((column, at) => {
            const names = labels[at]
            return { keys: column.column(from, to), ...(names && { labels: names.column(from, to) }) }
          }),
          metrics: values.map(column => Float64Array.from(column.slice(from, to))),
        }
      }
    },
  }
}

import type { Page } from '../connector.ts'
import type { Layout, Question } from './question.ts'

interface Answer {
  layout: Layout
  pages: AsyncIterable<Page>
}

/**
 * The rows of several requests at the same grain as one page. A request leaves rows out in which all of its own metrics are 0, so each may
 * lack rows that another has.
 */
export async function* merged({ dimensions, metrics }: Question, answers: Answer[]): AsyncGenerator<Page> {
  const rows = new Map<string, number>()
  const dates: string[] = []
  const keys = dimensions.map((): string[] => [])
  const columns = new Map(metrics.map((metric): [string, number[]] => [metric, []]))
  for (const { layout, pages } of answers) {
    const own = layout.metrics.map(metric => columns.get(metric) ?? [])
    for await (const page of pages) {
      for (let at = 0; at < page.length; at += 1) {
        const texts = page.dimensions.map(dimension => dimension.keys[at] ?? '')
        const date = page.dates[at] ?? ''
        const key = [date, ...texts].join('\0')
        const row = rows.get(key) ?? rows.size
        if (row === rows.size) {
          rows.set(key, row)
          dates.push(date)
          for (const [index, column] of keys.entries()) column.push(texts[index] ?? '')
          for (const column of columns.values()) column.push(0)
        }
        for (const [index, column] of own.entries()) column[row] = page.metrics[index]?.[at] ?? 0
      }
    }
  }
  if (rows.size === 0) return
  yield {
    length: rows.size,
    dates,
    dimensions: keys.map(column => ({ keys: column })),
    metrics: metrics.map(metric => Float64Array.from(columns.get(metric) ?? [])),
  }
}

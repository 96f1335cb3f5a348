import type { Page } from '#server/connectors/connector.ts'
import type { Layout, ReportQuery } from './query.ts'

interface Answer {
  layout: Pick<Layout, 'metrics'>
  pages: AsyncIterable<Page>
}

/**
 * The rows of several requests at the same grain as one page. A request leaves rows out in which all of its
 * own metrics are 0, so each may lack rows that another has.
 */
export async function* merged(query: ReportQuery, answers: Answer[]): AsyncGenerator<Page> {
  const rows = createRows(query)
  for (const { layout, pages } of answers) {
    for await (const page of pages) rows.add(page, layout.metrics, date => date)
  }
  yield* rows.page()
}

/** The rows of finer slices as those of one slice. */
export async function* summed(
  query: ReportQuery,
  start: string,
  pages: AsyncIterable<Page>,
): AsyncGenerator<Page> {
  const rows = createRows(query)
  for await (const page of pages) rows.add(page, query.metrics, () => start)
  yield* rows.page()
}

/** Rows that are added up by their slice and dimensions. */
function createRows({ dimensions, metrics }: ReportQuery) {
  const places = new Map<string, number>()
  const dates: string[] = []
  const keys = dimensions.map((): string[] => [])
  const columns = metrics.map((): number[] => [])
  const placeOf = (date: string, texts: string[]): number => {
    const key = [date, ...texts].join('\0')
    const known = places.get(key)
    if (known !== undefined) return known
    dates.push(date)
    for (const [index, column] of keys.entries()) column.push(texts[index] ?? '')
    for (const column of columns) column.push(0)
    places.set(key, places.size)
    return places.size - 1
  }
  return {
    add(page: Page, of: Layout['metrics'], dateOf: (date: string) => string) {
      const own = of.map(metric => columns[metrics.indexOf(metric)] ?? [])
      for (let at = 0; at < page.length; at += 1) {
        const texts = page.dimensions.map(dimension => dimension.keys[at] ?? '')
        const row = placeOf(dateOf(page.dates[at] ?? ''), texts)
        for (const [index, column] of own.entries())
          column[row] = (column[row] ?? 0) + (page.metrics[index]?.[at] ?? 0)
      }
    },
    *page(): Generator<Page> {
      if (places.size === 0) return
      yield {
        length: places.size,
        dates,
        dimensions: keys.map(column => ({ keys: column })),
        metrics: columns.map(column => Float64Array.from(column)),
      }
    },
  }
}

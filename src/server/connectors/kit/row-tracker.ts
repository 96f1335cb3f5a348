import type { Page } from '#server/connectors/connector.ts'

type RowCheck = (date: string, entity: string) => 'new' | 'known' | 'repeated'
export type RowTracker = ReturnType<typeof createRowTracker>

/**
 * Remembers which rows were yielded, so that reading again, in whichever way, yields none twice; and on which
 * pass through the pages each came last. A byte a date and entity, for as long as these dates are being read;
 * of an entity with a single date, as most search terms are, that date alone.
 */
export function createRowTracker(dates: readonly string[]) {
  const starts = new Map(dates.map((date, index) => [date, index]))
  const entityNumbers = new Map<string, number>()
  const entities: string[] = []
  /**
   * By entity: the slice of its first row and the pass that it came on last; then, once it has a second
   * slice, the passes of all.
   */
  const firstSlices: number[] = []
  const firstPasses: number[] = []
  const lastPasses: (Uint8Array | null)[] = []
  let current = 0
  let passes = 0
  /**
   * Platforms name entities in the same order again and again: most are the one before or the one that
   * follows it, with no need to look it up.
   */
  const numberOf = (entity: string): number => {
    if (entities[current] === entity) return current
    if (entities[current + 1] === entity) return current + 1
    const known = entityNumbers.get(entity)
    if (known !== undefined) return known
    entityNumbers.set(entity, entities.length)
    firstSlices.push(NO_SLICE)
    firstPasses.push(0)
    lastPasses.push(null)
    return entities.push(entity) - 1
  }
  /** On which pass the entity's row of a slice came last, 0 for none; from now on it is this one. */
  const lastPass = (slice: number, pass: number): number => {
    const firstSlice = firstSlices[current]
    let last = lastPasses[current] ?? null
    if (last === null && (firstSlice === NO_SLICE || firstSlice === slice)) {
      const before = firstPasses[current] ?? 0
      firstSlices[current] = slice
      firstPasses[current] = pass
      return before
    }
    if (last === null) {
      last = new Uint8Array(dates.length)
      last[firstSlice ?? 0] = firstPasses[current] ?? 0
      lastPasses[current] = last
    }
    const before = last[slice] ?? 0
    last[slice] = pass
    return before
  }
  return {
    /** The dates that rows may be about: first days of slices. */
    starts,
    startPass(): RowCheck {
      // A byte counts to 255; nothing is read that often.
      passes = (passes % 255) + 1
      const pass = passes
      return (date, entity) => {
        current = numberOf(entity)
        const slice = starts.get(date) ?? 0
        const last_pass = lastPass(slice, pass)
        return last_pass === 0 ? 'new' : last_pass === pass ? 'repeated' : 'known'
      }
    },
  }
}

const NO_SLICE = -1

/** The rows of a page that are new, and whether one of them came on this pass before. */
export function keepNewRows(page: Page, check: RowCheck): { fresh: Page; repeats: boolean } {
  const { rows, repeats } = newRowNumbers(page, check)
  return { fresh: pickRows(page, rows), repeats }
}

/** The numbers of the rows that are new, and whether one of the page's rows came on this pass before. */
export function newRowNumbers(page: Page, check: RowCheck): { rows: number[]; repeats: boolean } {
  const [first, ...others] = page.dimensions.map(dimension => dimension.keys)
  const rows: number[] = []
  let repeats = false
  for (let row = 0; row < page.length; row += 1) {
    let entity = first?.[row] ?? ''
    // Names have spaces: only what no name has keeps them apart.
    for (const keys of others) entity += `\u0000${keys[row]}`
    const found = check(page.dates[row] ?? '', entity)
    if (found === 'new') rows.push(row)
    else if (found === 'repeated') repeats = true
  }
  return { rows, repeats }
}

/** Some rows of a page, by their numbers. */
export function pickRows(page: Page, rows: number[]): Page {
  if (rows.length === page.length) return page
  const { dates, dimensions, metrics } = page
  const pick = (texts: string[]) => rows.map(row => texts[row] ?? '')
  return {
    length: rows.length,
    dates: pick(dates),
    dimensions: dimensions.map(({ keys, labels }) => ({
      keys: pick(keys),
      ...(labels && { labels: pick(labels) }),
    })),
    metrics: metrics.map(column => Float64Array.from(rows, row => column[row] ?? Number.NaN)),
  }
}

import type { Page } from '#server/connectors/connector.ts'
import { pickRows } from '#server/connectors/page-rows.ts'
import { createTextList, translator } from '#server/connectors/text-column.ts'

/** Looks through a page for the rows that are new. */
export type RowCheck = (page: Page) => NewRows
export interface NewRows {
  /** Their numbers. */
  rows: number[]
  /** Whether one of the page's rows came on this pass before. */
  repeats: boolean
}
export type RowTracker = ReturnType<typeof createRowTracker>

/**
 * Remembers which rows were yielded, so that reading again, in whichever way, yields none twice; and on which
 * pass through the pages each came last. A byte a date and entity, for as long as these dates are being read;
 * of an entity with a single date, as most search terms are, that date alone.
 */
export function createRowTracker(dates: readonly string[]) {
  const starts = new Map(dates.map((date, index) => [date, index]))
  const writeSlices = translator(date => starts.get(date) ?? 0)
  const numberEntities = entityNumbers()
  /**
   * By entity: the slice of its first row and the pass that it came on last; then, once it has a second
   * slice, the passes of all.
   */
  const firstSlices: number[] = []
  const firstPasses: number[] = []
  const lastPasses: (Uint8Array | null)[] = []
  let passes = 0
  /** On which pass the entity's row of a slice came last, 0 for none; from now on it is this one. */
  const lastPass = (entity: number, slice: number, pass: number): number => {
    const firstSlice = firstSlices[entity] ?? slice
    let last = lastPasses[entity] ?? null
    if (last === null && firstSlice === slice) {
      const before = firstPasses[entity] ?? 0
      firstSlices[entity] = slice
      firstPasses[entity] = pass
      return before
    }
    if (last === null) {
      last = new Uint8Array(dates.length)
      last[firstSlice] = firstPasses[entity] ?? 0
      lastPasses[entity] = last
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
      return page => {
        const slices = new Int32Array(page.length)
        writeSlices(page.dates, { codes: slices, from: 0, step: 1, length: page.length })
        const entities = numberEntities(page)
        const rows: number[] = []
        let repeats = false
        for (let row = 0; row < page.length; row += 1) {
          const last = lastPass(entities[row] ?? 0, slices[row] ?? 0, pass)
          if (last === 0) rows.push(row)
          else if (last === pass) repeats = true
        }
        return { rows, repeats }
      }
    },
  }
}

/** Numbers each combination of keys, from 0 on in the order in which they come. */
export function entityNumbers(): (page: Page) => Int32Array {
  const translators: ReturnType<typeof translator>[] = []
  /** By column from the second on: the numbers of what the columns before and this one say together. */
  const combinations: Map<number, number>[] = []
  /** The codes of each entity, one entity after the other. */
  const entityCodes: number[] = []
  let current = 0

  return ({ length, dimensions }) => {
    const width = dimensions.length
    const codes = new Int32Array(length * width)
    for (const [from, { keys }] of dimensions.entries()) {
      const write = (translators[from] ??= translator(createTextList().codeOf))
      write(keys, { codes, from, step: width, length })
    }
    // Of one dimension, the entity is its key.
    if (width < 2) return width === 1 ? codes : new Int32Array(length)
    const entities = new Int32Array(length)
    const isAt = (entity: number, from: number) => {
      for (let at = 0; at < width; at += 1)
        if (entityCodes[entity * width + at] !== codes[from + at]) return false
      return true
    }
    for (let row = 0; row < length; row += 1) {
      const from = row * width
      // Platforms name entities in the same order again and again: most are the one before or the one that
      // follows it, with no need to look it up.
      if (!isAt(current, from)) current = isAt(current + 1, from) ? current + 1 : numberAt(codes, from, width)
      entities[row] = current
    }
    return entities
  }

  function numberAt(codes: Int32Array, from: number, width: number): number {
    let entity = codes[from] ?? 0
    for (let at = 1; at < width; at += 1) {
      const known = (combinations[at] ??= new Map<number, number>())
      const key = entity * MOST_CODES + (codes[from + at] ?? 0)
      const number = known.get(key) ?? known.size
      if (number === known.size) known.set(key, number)
      entity = number
    }
    if (entity * width === entityCodes.length) entityCodes.push(...codes.subarray(from, from + width))
    return entity
  }
}

/** More texts than fit into memory, and few enough for two codes to be one exact number. */
const MOST_CODES = 2 ** 26

/** The rows of a page that are new, and whether one of them came on this pass before. */
export function keepNewRows(page: Page, check: RowCheck): { fresh: Page; repeats: boolean } {
  const { rows, repeats } = check(page)
  return { fresh: pickRows(page, rows), repeats }
}

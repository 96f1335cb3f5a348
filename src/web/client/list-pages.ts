/** Which rows of a list are requested, as every list of the API takes it. */
export interface Rows {
  limit: number
  offset: number
}

/** Those of a page, counted from 1. */
export const rowsOf = (page: number, size: number): Rows => ({ limit: size, offset: size * (page - 1) })

/** The longest page that the API gives. */
export const LONGEST_PAGE = 100

/** Every row of a list, page by page, or as many pages as it takes for so many. */
export async function readAll<Row>(
  ask: (rows: Rows) => Promise<{ results: Row[]; next: string | null }>,
  most = Number.POSITIVE_INFINITY,
): Promise<Row[]> {
  const found: Row[] = []
  for (let offset = 0; offset < most; offset += LONGEST_PAGE) {
    const { results, next } = await ask({ limit: LONGEST_PAGE, offset })
    found.push(...results)
    if (next === null) break
  }
  return found
}

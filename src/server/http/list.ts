/** A page of a list with the paths of the pages beside it. */
export function pageOf<Item>(
  url: string,
  { limit, offset }: { limit: number; offset: number },
  { count, results }: { count: number; results: Item[] },
) {
  const at = (start: number) => {
    const { pathname, searchParams } = new URL(url, 'http://site')
    searchParams.set('limit', String(limit))
    searchParams.set('offset', String(start))
    return `${pathname}?${searchParams}`
  }
  return {
    count,
    next: offset + limit < count ? at(offset + limit) : null,
    previous: offset > 0 ? at(Math.max(0, offset - limit)) : null,
    results,
  }
}

/** Reads a whole list, so many rows at a time; the last result of `read` has the total. */
export async function* batchesOf<Row>(
  limit: number,
  read: (rows: { limit: number; offset: number }) => Promise<{ count: number; rows: readonly Row[] }>,
): AsyncGenerator<readonly Row[]> {
  for (let offset = 0; ; offset += limit) {
    const { count, rows } = await read({ limit, offset })
    yield rows
    if (offset + limit >= count) return
  }
}

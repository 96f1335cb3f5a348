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

/** One page of a list as the API answers it: with the paths of its neighbours, every other parameter kept. */
export function pageOf<Item>(
  url: string,
  page: { count: number; limit: number; offset: number; results: Item[] },
): { count: number; next: string | null; previous: string | null; results: Item[] } {
  const { count, limit, offset, results } = page
  return {
    count,
    next: offset + limit < count ? at(url, limit, offset + limit) : null,
    previous: offset > 0 ? at(url, limit, Math.max(0, offset - limit)) : null,
    results,
  }
}

function at(url: string, limit: number, offset: number): string {
  const { pathname, searchParams } = new URL(url, 'http://site.invalid')
  searchParams.set('limit', String(limit))
  searchParams.set('offset', String(offset))
  return `${pathname}?${searchParams}`
}

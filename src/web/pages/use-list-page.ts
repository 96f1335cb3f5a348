import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { client } from '#web/client/client.ts'
import type { Query } from '#web/client/http.ts'
import { rowsOf } from '#web/client/list-pages.ts'
import type { Problem } from '#web/client/problem.ts'

interface ListPage {
  /** The cache key of the list, without the query. */
  key: readonly string[]
  path: string
  /** What the list is filtered by, on every page. */
  filters: Query
  /** From 1. */
  page: number
  size: number
}

/** One page of a list; the one before stays until it is there. */
export function useListPage<List>({ key, path, filters, page, size }: ListPage) {
  const query = { ...filters, ...rowsOf(page, size) }
  return useQuery<List, Problem>({
    queryKey: [...key, query],
    queryFn: ({ signal }) => client.get(path, { query, signal }),
    placeholderData: keepPreviousData,
  })
}

import type { QueryClient } from '@tanstack/react-query'
import { endingQuery } from '#web/pages/reports/bulk-changes/ending-counts.ts'
import { foldersQuery, reportsQuery } from './data.ts'
import type { ListView } from './view.ts'

/** What the list shows first, requested while its code is loading. */
export const prefetchList = (queries: QueryClient, view: ListView) =>
  Promise.all([
    queries.prefetchQuery(reportsQuery(view)),
    queries.prefetchQuery(foldersQuery),
    ...(view.deleted ? [] : [queries.prefetchQuery(endingQuery)]),
  ])

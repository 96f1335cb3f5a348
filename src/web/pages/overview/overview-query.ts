import { queryOptions } from '@tanstack/react-query'
import type { Overview } from '#shared/api/overview.ts'
import { client } from '#web/client/client.ts'
import type { Problem } from '#web/client/problem.ts'

const REFRESH_MS = 60_000

/**
 * Under `reports`, so that whatever changes a report or ends a run invalidates it. Requested while the page's
 * code is loading.
 */
export const overviewQuery = queryOptions<Overview, Problem>({
  queryKey: ['reports', 'overview'],
  queryFn: ({ signal }) => client.get('/api/overview/', { query: { timezone: ownZone() }, signal }),
  refetchInterval: REFRESH_MS,
})

/** Not from Temporal, which may still be loading, too. */
const ownZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

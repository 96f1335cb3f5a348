import { queryOptions } from '@tanstack/react-query'
import type { Grouping, OverviewGroups } from '#shared/api/overview-groups.ts'
import { client } from '#web/client/client.ts'
import type { Problem } from '#web/client/problem.ts'

/** The counts of reports by team or client. Under `reports`: whatever changes one invalidates them. */
export const groupsQuery = (by: Grouping) =>
  queryOptions<OverviewGroups, Problem>({
    queryKey: ['reports', 'groups', by],
    queryFn: ({ signal }) =>
      client.get('/api/overview/groups/', { query: { by, timezone: Temporal.Now.timeZoneId() }, signal }),
  })

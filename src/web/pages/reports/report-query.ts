import { queryOptions } from '@tanstack/react-query'
import type { Report } from '#shared/api/reports.ts'
import { client } from '#web/client/client.ts'
import type { Problem } from '#web/client/problem.ts'

export const reportQuery = (id: number | undefined) =>
  queryOptions<Report, Problem>({
    queryKey: ['reports', 'one', id],
    queryFn: ({ signal }) => client.get(`/api/gs-template-setting/${id}/`, { signal }),
    enabled: id !== undefined,
    staleTime: 0,
  })

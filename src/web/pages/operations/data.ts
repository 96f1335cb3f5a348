import { useQuery } from '@tanstack/react-query'
import type { Operations } from '#shared/api/operations.ts'
import { client } from '#web/client/client.ts'
import type { Problem } from '#web/client/problem.ts'

/** Polled every five seconds while the page is visible. */
export const useOperations = () =>
  useQuery<Operations, Problem>({
    queryKey: ['operations'],
    queryFn: ({ signal }) => client.get('/api/operations/', { signal }),
    refetchInterval: 5000,
  })

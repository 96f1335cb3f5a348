import { useQuery } from '@tanstack/react-query'
import type { Operations } from '#shared/api/operations.ts'
import { client } from '#web/app/client.ts'
import type { Problem } from '#web/app/problem.ts'

/** Looked at again every five seconds while somebody looks at it. */
export const useOperations = () =>
  useQuery<Operations, Problem>({
    queryKey: ['operations'],
    queryFn: ({ signal }) => client.get('/api/operations/', { signal }),
    refetchInterval: 5000,
  })

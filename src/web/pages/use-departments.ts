import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Department } from '#shared/api/people.ts'
import { client } from '#web/client/client.ts'
import { useMe } from '#web/client/me.ts'
import type { Problem } from '#web/client/problem.ts'

/** The departments in the language of the profile; they change with the program alone. */
export const useDepartments = () => {
  const { language } = useMe()
  return useQuery<z.infer<typeof Department>[], Problem>({
    queryKey: ['departments', language],
    queryFn: ({ signal }) => client.get('/api/department/', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

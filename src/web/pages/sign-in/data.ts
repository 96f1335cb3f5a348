import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Demo } from '#shared/api/demo.ts'
import type { SignIn, TokenPair } from '#shared/api/session.ts'
import { client } from '#web/client/client.ts'
import { asProblem, type Problem } from '#web/client/problem.ts'
import { forgetPerson, PUBLIC } from '#web/client/query-client.ts'

/** The people of the demo agency; null outside of demo mode. */
export function useDemo(): Demo | null {
  const demo = useQuery<Demo | null>({
    queryKey: [PUBLIC, 'demo'],
    queryFn: ({ signal }) =>
      client.anonymous<Demo>('GET', '/api/demo/', { signal }).catch((error: unknown) => {
        if (asProblem(error).code === 'not_found') return null
        throw error
      }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return demo.data ?? null
}

/** Signs in; the server sets the cookies. What another person has loaded is dropped first. */
export function useSignIn(onSignedIn: () => void) {
  const queries = useQueryClient()
  return useMutation<z.infer<typeof TokenPair>, Problem, z.infer<typeof SignIn>>({
    mutationFn: credentials => client.anonymous('POST', '/api/token/', { body: credentials }),
    onSuccess: () => {
      forgetPerson(queries)
      onSignedIn()
    },
  })
}

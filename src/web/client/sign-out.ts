import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { client, session } from './client.ts'
import { forgetPerson } from './query-client.ts'

/** Ends the session here or everywhere; nothing that was shown stays in memory. */
export function useSignOut() {
  const queries = useQueryClient()
  const router = useRouter()
  return useMutation({
    mutationFn: ({ everywhere }: { everywhere: boolean }) =>
      client.post<null>('/api/token/logout/', { body: { everywhere } }),
    // Requests under way may be refused before the response is here.
    onMutate: () => session.leave(),
    // Refused as well, or not reached: the refresh token must not stay behind.
    onError: () => session.revoke(),
    // Whatever the server responds, this browser drops the session.
    onSettled: async () => {
      session.clear()
      await router.navigate({ to: '/sign-in', search: {} })
      forgetPerson(queries)
    },
  })
}

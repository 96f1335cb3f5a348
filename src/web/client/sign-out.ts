import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { client, session } from './client.ts'
import { removeLocalDrafts } from './local-drafts.ts'
import { meQuery } from './me.ts'
import { forgetPerson } from './query-client.ts'
import { leaveThen } from './unsaved-changes.ts'

/**
 * Ends the session here or everywhere, once unsaved changes and uploads may be lost; nothing that was shown
 * stays in memory, and nothing that was typed in the browser.
 */
export function useSignOut() {
  const queries = useQueryClient()
  const router = useRouter()
  const { mutate, isPending } = useMutation({
    mutationFn: ({ everywhere }: { everywhere: boolean }) =>
      client.post<null>('/api/token/logout/', { body: { everywhere } }),
    // Requests under way may be refused before the response is here.
    onMutate: () => session.leave(),
    // Refused as well, or not reached: the refresh token must not stay behind.
    onError: () => session.revoke(),
    // Whatever the server responds, this browser drops the session.
    onSettled: async () => {
      const me = queries.getQueryData(meQuery.queryKey)
      session.clear()
      await router.navigate({ to: '/sign-in', search: {}, ignoreBlocker: true })
      if (me) removeLocalDrafts(me.user_id)
      forgetPerson(queries)
    },
  })
  return {
    isPending,
    mutate: (how: { everywhere: boolean }) => leaveThen(() => mutate(how)),
  }
}

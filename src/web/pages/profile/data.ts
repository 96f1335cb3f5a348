import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { UpdateUser, User } from '#shared/api/people.ts'
import type { SessionList } from '#shared/api/session.ts'
import { client } from '#web/client/client.ts'
import { useMe } from '#web/client/me.ts'
import type { Problem } from '#web/client/problem.ts'

/** The whole of the own account. */
export function useProfile() {
  const { user_id } = useMe()
  return useQuery<User, Problem>({
    queryKey: ['profile', user_id],
    queryFn: ({ signal }) => client.get(`/users/${user_id}/`, { signal }),
  })
}

/**
 * Changes what one may change of oneself; a new password ends all other sessions of the account, not this
 * one.
 */
export function useSaveProfile(onSaved: () => void) {
  const { user_id } = useMe()
  const queries = useQueryClient()
  return useMutation<User, Problem, z.input<typeof UpdateUser>>({
    mutationFn: change => client.patch(`/users/${user_id}/`, { body: change }),
    onSuccess: user => {
      queries.setQueryData(['profile', user_id], user)
      void queries.invalidateQueries({ queryKey: ['me'] })
      // A new password ends all others and begins this one anew.
      void queries.invalidateQueries({ queryKey: ['sessions'] })
      onSaved()
    },
  })
}

/** The server returns at most this many: nobody has more browsers. */
const MOST = 100

export const useSessions = () =>
  useQuery<SessionList, Problem>({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => client.get('/api/sessions/', { query: { limit: MOST }, signal }),
  })

/** One that has already ended elsewhere counts as ended. */
export function useEndSession(onEnded: () => void) {
  const queries = useQueryClient()
  return useMutation<null, Problem, string>({
    mutationFn: id => client.delete(`/api/sessions/${id}/`),
    onSuccess: onEnded,
    onSettled: () => queries.invalidateQueries({ queryKey: ['sessions'] }),
  })
}

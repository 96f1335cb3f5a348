import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Department, UpdateUser, User } from '#shared/api/people.ts'
import { client } from '#web/app/client.ts'
import { useMe } from '#web/app/me.ts'
import type { Problem } from '#web/app/problem.ts'

/** The whole of the own account. */
export function useProfile() {
  const { user_id } = useMe()
  return useQuery<User, Problem>({
    queryKey: ['profile', user_id],
    queryFn: ({ signal }) => client.get(`/users/${user_id}/`, { signal }),
  })
}

/** In the language of the profile. */
export const useDepartments = () => {
  const { language } = useMe()
  return useQuery<z.infer<typeof Department>[], Problem>({
    queryKey: ['departments', language],
    queryFn: ({ signal }) => client.get('/api/department/', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Changes what one may change of oneself; a new password ends all other sessions of the account, not this one. */
export function useSaveProfile(onSaved: () => void) {
  const { user_id } = useMe()
  const queries = useQueryClient()
  return useMutation<User, Problem, z.input<typeof UpdateUser>>({
    mutationFn: change => client.patch(`/users/${user_id}/`, { body: change }),
    onSuccess: user => {
      queries.setQueryData(['profile', user_id], user)
      void queries.invalidateQueries({ queryKey: ['me'] })
      onSaved()
    },
  })
}

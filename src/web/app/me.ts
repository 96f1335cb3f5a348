import {
  queryOptions,
  useMutation,
  useQueryClient,
  useSuspenseQuery,
  type QueryClient,
} from '@tanstack/react-query'
import { createContext, use } from 'react'
import type { z } from 'zod'
import type { IdentityReply, UpdateUser, User } from '#shared/api/people.ts'
import { switchLanguage } from '#web/i18n/i18n.ts'
import { client } from './client.ts'
import { chooseColorScheme } from './color-scheme.ts'

/** Who is signed in; read once and kept until it is changed or the session ends. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => client.get<IdentityReply>('/users/identity/', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

/** What the shell tells everything inside of it: a list asks once for each of its rows, and a query would watch for each. */
export const Me = createContext<IdentityReply | null>(null)

/** For the shell alone, which is not drawn before it is known who is there. */
export const useKnownMe = (): IdentityReply => useSuspenseQuery(meQuery).data

/** Who is signed in, for everything inside of the shell. */
export function useMe(): IdentityReply {
  const me = use(Me)
  if (me === null) throw new Error('outside of the shell')
  return me
}

/** The agency's own people see other texts than clients. */
export const useIsInternal = () => useMe().identity !== 'external_user'

/** Reads who is signed in and draws the interface their way; throws the problem when nobody is. */
export async function loadMe(queries: QueryClient) {
  const me = await queries.ensureQueryData(meQuery)
  chooseColorScheme(me.theme)
  await switchLanguage(me.language)
  return me
}

/** Changes the own profile; language and theme act at once, before the server has answered. */
export function useUpdateMe() {
  const queries = useQueryClient()
  const me = useMe()
  return useMutation({
    mutationFn: async (change: z.input<typeof UpdateUser>) => {
      // Sent without waiting for the texts, and also when the page is left at once: the next page asks the server which language it is.
      const saving = client.patch<User>(`/users/${me.user_id}/`, { body: change, keepalive: true })
      const [user] = await Promise.all([saving, change.language && switchLanguage(change.language)])
      return user
    },
    onMutate: ({ language, theme }) => {
      queries.setQueryData(meQuery.queryKey, {
        ...me,
        language: language ?? me.language,
        theme: theme ?? me.theme,
      })
      if (theme) chooseColorScheme(theme)
    },
    onSuccess: user =>
      queries.setQueryData(meQuery.queryKey, current => current && { ...current, full_name: user.full_name }),
  })
}

import {
  queryOptions,
  useMutation,
  useQueryClient,
  useSuspenseQuery,
  type QueryClient,
} from '@tanstack/react-query'
import { createContext, use } from 'react'
import type { IdentityReply, User } from '#shared/api/people.ts'
import { speakOf, switchLanguage } from '#web/i18n/i18n.ts'
import { client } from './client.ts'
import { chooseColorScheme } from './color-scheme.ts'
import { savePreferences, unsavedPreferences, type Preferences } from './unsaved-preferences.ts'

/** The signed-in user; read once and cached until it changes or the session ends. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }) => {
    const me = await client.get<IdentityReply>('/users/identity/', { signal })
    const { language = me.language, theme = me.theme } = saveUnsavedPreferences(me.user_id)
    return { ...me, language, theme }
  },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

/**
 * A context instead of a query: a list reads it once for each of its rows, and each query would subscribe.
 */
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
  speakOf(me.specialists)
  await switchLanguage(me.language)
  return me
}

/** Changes the own language and theme: at once, before the server has answered. */
export function useUpdatePreferences() {
  const queries = useQueryClient()
  const me = useMe()
  return useMutation({
    mutationFn: async (chosen: Preferences) => {
      // Sent without waiting for the texts, and also when the page is left at once.
      const saving = save(me.user_id, chosen)
      const [user] = await Promise.all([saving, chosen.language && switchLanguage(chosen.language)])
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

/**
 * The page before this one may have been left with a choice that never arrived, or that arrives after this
 * page has requested the user.
 */
function saveUnsavedPreferences(user_id: number): Preferences {
  const unsaved = unsavedPreferences(user_id)
  // Refused, it is what the server says at the next page; nobody here has just chosen anything.
  if (Object.keys(unsaved).length > 0) save(user_id, unsaved).catch(() => {})
  return unsaved
}

const save = (user_id: number, chosen: Preferences) =>
  savePreferences(user_id, chosen, body =>
    client.patch<User>(`/users/${user_id}/`, { body, keepalive: true }),
  )

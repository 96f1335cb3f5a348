import { QueryClient } from '@tanstack/react-query'
import { asProblem } from './problem.ts'
import { reachability } from './reachability.ts'

/** The cache of what the server said. No refetch on focus: a list must not move under somebody's cursor. */
export function createQueryClient() {
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        refetchOnWindowFocus: false,
        staleTime: 10_000,
        // The client itself knows whether the server can be reached; the browser's guess is not asked.
        networkMode: 'always',
        retry: (failures, error) => failures < 2 && isPassing(error),
        retryDelay: (failures, error) => asProblem(error).retry_after_ms ?? 500 * 2 ** failures,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
  // What failed while the server was away is asked for again as soon as it is back.
  reachability.subscribe(() => {
    if (reachability.get())
      void queries.refetchQueries({ predicate: query => query.state.status === 'error' })
  })
  return queries
}

/**
 * Nothing of what somebody has seen or sent stays in memory. What is the same for everybody does: the page that comes next may be asking for it already,
 * and whoever waits for what is taken out of the cache waits for ever.
 */
export function forgetPerson(queries: QueryClient) {
  queries.removeQueries({ predicate: query => query.queryKey[0] !== PUBLIC })
  queries.getMutationCache().clear()
}

/** The first word of the keys of what needs no session. */
export const PUBLIC = 'public'

function isPassing(error: unknown) {
  const { code } = asProblem(error)
  return code === 'unreachable' || code === 'overloaded'
}

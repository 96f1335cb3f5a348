import { QueryClient } from '@tanstack/react-query'
import { asProblem } from './problem.ts'
import { reachability } from './reachability.ts'
import { forgetTray } from './tray.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** The server asks a platform for it: a page that arrives drawn does not wait so long. */
      asks_platform?: boolean
    }
  }
}

/** The cache of what the server said. No refetch on focus: a list must not move under somebody's cursor. */
export function createQueryClient() {
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        refetchOnWindowFocus: false,
        staleTime: 10_000,
        // The client itself knows whether the server can be reached; the browser's guess is not used.
        networkMode: 'always',
        retry: (failures, error) => failures < 2 && isPassing(error),
        retryDelay: (failures, error) => asProblem(error).retry_after_ms ?? 500 * 2 ** failures,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
  // What failed while the server was unreachable is requested again as soon as it is back.
  reachability.subscribe(() => {
    if (reachability.get() === 'reached')
      void queries.refetchQueries({ predicate: query => query.state.status === 'error' })
  })
  return queries
}

/**
 * Removes what the person has seen or sent from memory, and stops what goes on in the corner of their pages.
 * What is the same for everybody stays: the next page may be fetching it already, and a query that is removed
 * while a component observes it never resolves.
 */
export function forgetPerson(queries: QueryClient) {
  forgetTray()
  queries.removeQueries({ predicate: query => query.queryKey[0] !== PUBLIC })
  queries.getMutationCache().clear()
}

/** First element of the keys of queries that need no session. */
export const PUBLIC = 'public'

function isPassing(error: unknown) {
  const { code } = asProblem(error)
  return code === 'unreachable' || code === 'overloaded'
}

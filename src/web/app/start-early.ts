import type { QueryClient } from '@tanstack/react-query'
import { session } from '#web/client/client.ts'
import { meQuery } from '#web/client/me.ts'
import type { Raw } from '#web/client/search.ts'
import type { AppRouter } from './routes.tsx'

/** The route around every page behind the sign-in. */
const SHELL = '/shell'

/**
 * Loads everything that an address needs at once instead of one thing after the other: the router would load
 * a page's code only after it knows who is signed in.
 */
export function startEarly(router: AppRouter, queries: QueryClient) {
  const found = new Map<string, Raw>(
    router.matchRoutes(router.latestLocation).map(({ routeId, search }) => [routeId, search]),
  )
  const is_inside = found.has(SHELL)
  if (is_inside && session.state() === 'none') return
  if (is_inside) void queries.prefetchQuery(meQuery)
  for (const { id, options } of Object.values(router.routesById)) {
    const search = found.get(id)
    if (!search) continue
    // A failure is reported when the page itself loads the file.
    void preloadOf(options.component)?.().catch(() => undefined)
    void options.staticData?.early?.(queries, search).catch(() => undefined)
  }
}

const preloadOf = (component: unknown) =>
  typeof component === 'function' && 'preload' in component && typeof component.preload === 'function'
    ? (component.preload as () => Promise<void>)
    : undefined

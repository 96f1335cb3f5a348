import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute } from '@tanstack/react-router'
import type { Reach } from '#shared/access.ts'
import type { Raw } from '#web/client/search.ts'
import type { en } from '#web/i18n/en.ts'
import { admit } from './admit.ts'
import { WholeCrash } from './crash.tsx'
import { firstPage } from './page-component.ts'
import { Root } from './root.tsx'

/** What the breadcrumb says of a route: a key of i18n/…/app.ts `crumb`. */
type Crumb = Exclude<keyof (typeof en)['app']['crumb'], 'label'>

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    crumb?: Crumb
    /** Who may open it; left out: everybody who is signed in. */
    reach?: Reach
    /** What the page requests first; sent while its code is still loading. */
    early?: (queries: QueryClient, search: Raw) => Promise<unknown>
  }
}

/** Of every page. */
export const root = createRootRouteWithContext<{ queries: QueryClient }>()({ component: Root })

/** Of the pages for people who are signed in. */
export const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: ({ context, location }) => admit(context.queries, location.href),
  component: firstPage(() => import('./shell.tsx'), 'Shell'),
  errorComponent: WholeCrash,
})

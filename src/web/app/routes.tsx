import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  stripSearchParams,
} from '@tanstack/react-router'
import { isNatural, listSearch, only, textOf, type Raw } from './search.ts'
import type { Reach } from '#shared/access.ts'
import { sitePath } from '#shared/redirect.ts'
import {
  reportEditorSearch,
  reportListSearch,
  reportSearch,
  runHistorySearch,
} from '#web/pages/reports/search.ts'
import type { en } from '#web/i18n/en.ts'
import { loadAllTexts } from '#web/i18n/i18n.ts'
import { session } from './client.ts'
import { Crash } from './crash.tsx'
import { loadMe } from './me.ts'
import { NotFound } from './not-found.tsx'
import { PageLoading } from './page-loading.tsx'
import { asProblem } from './problem.ts'
import { Root } from './root.tsx'
import { StaleVersion } from './stale-version.ts'

/** What the breadcrumb says of a route: a key of i18n/…/app.ts `crumb`. */
export type Crumb = Exclude<keyof (typeof en)['app']['crumb'], 'label'>

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    crumb?: Crumb
    /** Who may open it; left out: everybody who is signed in. */
    reach?: Reach
  }
  interface Register {
    router: AppRouter
  }
}

const root = createRootRouteWithContext<{ queries: QueryClient }>()({ component: Root })

/** Only a path of this site survives. */
export const withRedirect = ({ redirect: path }: Raw): { redirect?: string } => {
  const safe = sitePath(path)
  return safe === null ? {} : { redirect: safe }
}

/** What the addresses of the pages say behind their `?`. */
const searches = {
  redirect: only(withRedirect),
  token: only(({ token }) => ({ token: textOf(token) })),
  gid: only(({ gid }): { gid?: number } => (isNatural(gid) ? { gid } : {})),
  report_list: only(reportListSearch),
  report_editor: only(reportEditorSearch),
  report: only(reportSearch),
  run_history: only(runHistorySearch),
  public_accounts: only(listSearch(['name', 'tested_at', 'expires_at'])),
}

// Pages that need no session.

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: searches.redirect,
  beforeLoad({ search }) {
    if (session.state() === 'open') throw redirect({ href: search.redirect ?? '/' })
  },
  component: firstPage(() => import('#web/pages/sign-in/sign-in.tsx'), 'SignIn'),
})

const expired = createRoute({
  getParentRoute: () => root,
  path: '/expired',
  validateSearch: searches.redirect,
  component: firstPage(() => import('#web/pages/expired/expired.tsx'), 'Expired'),
})

const setPassword = createRoute({
  getParentRoute: () => root,
  path: '/set-password',
  validateSearch: searches.token,
  component: firstPage(() => import('#web/pages/set-password/set-password.tsx'), 'SetPassword'),
})

// Everything else stands in the shell, for people who are signed in.

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: async ({ context, location }) => {
    const back = withRedirect({ redirect: location.href })
    if (session.state() === 'none') throw redirect({ to: '/sign-in', search: back })
    try {
      await loadMe(context.queries)
    } catch (error) {
      // Signed in is whom the identity call does not refuse.
      if (![401, 403, 404].includes(asProblem(error).status)) throw error
      session.clear()
      throw redirect({ to: '/expired', search: back })
    }
  },
  component: firstPage(() => import('./shell.tsx'), 'Shell'),
})

const overview = createRoute({
  getParentRoute: () => shell,
  path: '/',
  staticData: { crumb: 'overview' },
  component: firstPage(() => import('#web/pages/overview/overview.tsx'), 'Overview'),
})

const reports = createRoute({
  getParentRoute: () => shell,
  path: '/gs-template',
  staticData: { crumb: 'reports' },
})

const reportList = createRoute({
  getParentRoute: () => reports,
  path: '/',
  validateSearch: searches.report_list,
  search: { middlewares: [stripSearchParams({ search: '', page: 1 })] },
  component: page(() => import('#web/pages/reports/report-list.tsx'), 'ReportList'),
})

const reportEditor = createRoute({
  getParentRoute: () => reports,
  path: '/template',
  validateSearch: searches.report_editor,
  staticData: { crumb: 'report_editor' },
  component: page(() => import('#web/pages/reports/report-editor.tsx'), 'ReportEditor'),
})

const permissionSettings = createRoute({
  getParentRoute: () => reports,
  path: '/setting',
  validateSearch: searches.report,
  staticData: { crumb: 'permission_settings' },
  component: page(() => import('#web/pages/reports/permission-settings.tsx'), 'PermissionSettings'),
})

const runHistory = createRoute({
  getParentRoute: () => reports,
  path: '/history',
  validateSearch: searches.run_history,
  staticData: { crumb: 'run_history' },
  component: page(() => import('#web/pages/reports/run-history.tsx'), 'RunHistory'),
})

const sheets = createRoute({
  getParentRoute: () => shell,
  path: '/sheets',
  staticData: { crumb: 'sheets' },
})

const sheetList = createRoute({
  getParentRoute: () => sheets,
  path: '/',
  component: page(() => import('#web/pages/sheets/sheet-list.tsx'), 'SheetList'),
})

const sheet = createRoute({
  getParentRoute: () => sheets,
  path: '/$id',
  validateSearch: searches.gid,
  staticData: { crumb: 'sheet' },
  component: page(() => import('#web/pages/sheets/sheet.tsx'), 'Sheet'),
})

/** The address that a spreadsheet is known by elsewhere, in the form that Google's have. */
const sheetAddress = createRoute({
  getParentRoute: () => shell,
  path: '/spreadsheets/d/$id/edit',
  beforeLoad({ params, location }) {
    const gid = Number(/gid=(\d+)/.exec(location.hash)?.[1] ?? Number.NaN)
    throw redirect({ to: '/sheets/$id', params, search: isNatural(gid) ? { gid } : {}, replace: true })
  },
})

const profile = createRoute({
  getParentRoute: () => shell,
  path: '/profile',
  staticData: { crumb: 'profile' },
  component: page(() => import('#web/pages/profile/profile.tsx'), 'Profile'),
})

const publicAccounts = createRoute({
  getParentRoute: () => shell,
  path: '/setting/public-account',
  validateSearch: searches.public_accounts,
  search: { middlewares: [stripSearchParams({ search: '', page: 1 })] },
  staticData: { crumb: 'public_accounts', reach: 'superuser' },
  component: page(() => import('#web/pages/public-accounts/public-accounts.tsx'), 'PublicAccounts'),
})

const tree = root.addChildren([
  signIn,
  expired,
  setPassword,
  shell.addChildren([
    overview,
    reports.addChildren([reportList, reportEditor, permissionSettings, runHistory]),
    sheets.addChildren([sheetList, sheet]),
    sheetAddress,
    profile,
    publicAccounts,
  ]),
])

export type AppRouter = ReturnType<typeof createAppRouter>

/** All addresses of the interface. A page's code is loaded when somebody is about to open it. */
export function createAppRouter(queries: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { queries },
    defaultPreload: 'intent',
    defaultPreloadDelay: 60,
    // The bar at the top says that a page is loading; the skeleton only stands in when it takes longer than this.
    defaultPendingMs: 400,
    defaultPendingComponent: PageLoading,
    defaultErrorComponent: Crash,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
    scrollToTopSelectors: ['#content'],
  })
}

/** A page of its own chunk. A chunk that is gone means that the product was updated under the open page. */
function page<Module extends Record<Name, () => React.ReactNode>, Name extends string>(
  load: () => Promise<Module>,
  name: Name,
) {
  return firstPage(async () => (await Promise.all([load(), loadAllTexts()]))[0], name)
}

/** The same for the pages that are loaded first: their texts are there already (i18n/en-first.ts). */
function firstPage<Module extends Record<Name, () => React.ReactNode>, Name extends string>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(
    () =>
      load().catch((error: unknown) => {
        throw new StaleVersion(error)
      }),
    name,
  )
}

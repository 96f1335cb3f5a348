import type { QueryClient } from '@tanstack/react-query'
import {
  createRoute,
  createRouter,
  redirect,
  stripSearchParams,
  type RouterHistory,
} from '@tanstack/react-router'
import { CALLBACK_PATH } from '#web/client/came-back.ts'
import { session } from '#web/client/client.ts'
import { isNatural } from '#web/client/search.ts'
import { loadErrorTexts } from '#web/i18n/i18n.ts'
import { NotFound } from '#web/pages/not-found.tsx'
import { overviewQuery } from '#web/pages/overview/overview-query.ts'
import { reportListSearch } from '#web/pages/reports/search.ts'
import { PageLoading } from '#web/ui/page-loading.tsx'
import { admit, loadMeOrExpire } from './admit.ts'
import { businessRoutes } from './business-routes.tsx'
import { Crash, WholeCrash } from './crash.tsx'
import { businessPage, editorPage, firstPage, page } from './page-component.ts'
import { searches } from './searches.ts'
import { root, shell } from './shell-route.tsx'

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
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

/** For whose role needs a second factor that they have not set up: nothing else is open to them. */
const secondFactor = createRoute({
  getParentRoute: () => root,
  path: '/second-factor',
  validateSearch: searches.redirect,
  beforeLoad: async ({ context, search }) => {
    const back = search.redirect ?? '/'
    if (session.state() === 'none') throw redirect({ to: '/sign-in', search: { redirect: back } })
    const me = await loadMeOrExpire(context.queries, { redirect: back })
    if (!me.second_factor_setup_required) throw redirect({ href: back })
  },
  component: page(pages => pages.secondFactor(), 'SecondFactorRequired'),
  errorComponent: WholeCrash,
})

/** Where platforms send people back to: what they bring is not in the address any more. */
const connectCallback = createRoute({
  getParentRoute: () => root,
  path: CALLBACK_PATH,
  beforeLoad: ({ context }) => admit(context.queries, CALLBACK_PATH),
  component: businessPage(pages => pages.connectCallback(), 'ConnectCallback'),
  errorComponent: WholeCrash,
})

// Everything else is inside the shell, for people who are signed in.

const overview = createRoute({
  getParentRoute: () => shell,
  path: '/',
  validateSearch: searches.overview,
  staticData: { crumb: 'overview', early: queries => queries.prefetchQuery(overviewQuery) },
  // The texts of its failures are the largest thing that it shows.
  component: firstPage(
    async () => (await Promise.all([import('#web/pages/overview/overview.tsx'), loadErrorTexts()]))[0],
    'Overview',
  ),
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
  staticData: {
    async early(queries, search) {
      // Not through inner-pages.ts: the request is to be answered before the page's own code has loaded.
      const { prefetchList } = await import('#web/pages/reports/list/prefetch.ts')
      await prefetchList(queries, reportListSearch(search))
    },
  },
  component: page(pages => pages.reportList(), 'ReportList'),
})

const reportEditor = createRoute({
  getParentRoute: () => reports,
  path: '/template',
  validateSearch: searches.report_editor,
  staticData: { crumb: 'report_editor' },
  component: editorPage(pages => pages.reportEditor(), 'ReportEditor'),
})

const newReport = createRoute({
  getParentRoute: () => reports,
  path: '/new',
  validateSearch: searches.new_report,
  staticData: { crumb: 'new_report' },
  component: page(pages => pages.newReport(), 'NewReport'),
})

const permissionSettings = createRoute({
  getParentRoute: () => reports,
  path: '/setting',
  validateSearch: searches.report,
  staticData: { crumb: 'permission_settings' },
  component: page(pages => pages.permissionSettings(), 'PermissionSettings'),
})

const runHistory = createRoute({
  getParentRoute: () => reports,
  path: '/history',
  validateSearch: searches.run_history,
  staticData: { crumb: 'run_history' },
  component: page(pages => pages.runHistory(), 'RunHistory'),
})

const reportVersions = createRoute({
  getParentRoute: () => reports,
  path: '/versions',
  validateSearch: searches.report_versions,
  staticData: { crumb: 'report_versions' },
  component: editorPage(pages => pages.reportVersions(), 'ReportVersions'),
})

const bulkChanges = createRoute({
  getParentRoute: () => reports,
  path: '/care',
  validateSearch: searches.bulk_changes,
  staticData: { crumb: 'bulk_changes' },
  component: page(pages => pages.bulkChangesPage(), 'BulkChangesPage'),
})

const sheets = createRoute({
  getParentRoute: () => shell,
  path: '/sheets',
  staticData: { crumb: 'sheets' },
})

const sheetList = createRoute({
  getParentRoute: () => sheets,
  path: '/',
  component: page(pages => pages.sheetList(), 'SheetList'),
})

const sheet = createRoute({
  getParentRoute: () => sheets,
  path: '/$id',
  validateSearch: searches.gid,
  staticData: { crumb: 'sheet' },
  component: page(pages => pages.sheet(), 'Sheet'),
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
  component: page(pages => pages.profile(), 'Profile'),
})

const publicAccounts = createRoute({
  getParentRoute: () => shell,
  path: '/setting/public-account',
  validateSearch: searches.public_accounts,
  search: { middlewares: [stripSearchParams({ search: '', page: 1 })] },
  // Keepers find theirs here, and nobody else anything.
  staticData: { crumb: 'public_accounts', reach: 'staff' },
  component: businessPage(pages => pages.publicAccounts(), 'PublicAccounts'),
})

const mailbox = createRoute({
  getParentRoute: () => shell,
  path: '/mailbox',
  validateSearch: searches.mailbox,
  search: { middlewares: [stripSearchParams({ page: 1 })] },
  staticData: { crumb: 'mailbox' },
  component: page(pages => pages.mailbox(), 'Mailbox'),
})

const operations = createRoute({
  getParentRoute: () => shell,
  path: '/setting/operations',
  staticData: { crumb: 'operations', reach: 'superuser' },
  component: page(pages => pages.operations(), 'Operations'),
})

const audit = createRoute({
  getParentRoute: () => shell,
  path: '/setting/audit',
  validateSearch: searches.audit,
  search: { middlewares: [stripSearchParams({ search: '', page: 1 })] },
  staticData: { crumb: 'audit', reach: 'superuser' },
  component: businessPage(pages => pages.audit(), 'Audit'),
})

const users = createRoute({
  getParentRoute: () => shell,
  path: '/setting/users',
  validateSearch: searches.users,
  search: { middlewares: [stripSearchParams({ search: '', page: 1 })] },
  staticData: { crumb: 'users' },
  component: businessPage(pages => pages.users(), 'Users'),
})

const instructions = createRoute({
  getParentRoute: () => shell,
  path: '/setting/instructions',
  validateSearch: searches.instructions,
  staticData: { crumb: 'instructions', reach: 'staff' },
  component: page(pages => pages.instructions(), 'Instructions'),
})

const support = createRoute({
  getParentRoute: () => shell,
  path: '/support',
  validateSearch: searches.support,
  search: { middlewares: [stripSearchParams({ search: '', page: 1 })] },
  staticData: { crumb: 'support', reach: 'staff' },
  component: page(pages => pages.support(), 'Support'),
})

/** Every other address. */
const nowhere = createRoute({ getParentRoute: () => shell, path: '$', component: NotFound })

const tree = root.addChildren([
  signIn,
  expired,
  setPassword,
  secondFactor,
  connectCallback,
  shell.addChildren([
    overview,
    reports.addChildren([
      reportList,
      newReport,
      reportEditor,
      permissionSettings,
      runHistory,
      reportVersions,
      bulkChanges,
    ]),
    sheets.addChildren([sheetList, sheet]),
    sheetAddress,
    profile,
    users,
    instructions,
    publicAccounts,
    ...businessRoutes,
    nowhere,
    operations,
    audit,
    mailbox,
    support,
  ]),
])

export type AppRouter = ReturnType<typeof createAppRouter>

/**
 * All addresses of the interface. A page's code is loaded when somebody is about to open it. Without a
 * history it follows the browser's.
 */
export function createAppRouter(queries: QueryClient, history?: RouterHistory) {
  return createRouter({
    ...(history && { history }),
    routeTree: tree,
    context: { queries },
    defaultPreload: 'intent',
    defaultPreloadDelay: 60,
    // The bar at the top says that a page is loading; the skeleton only appears when loading takes longer
    // than this.
    defaultPendingMs: 400,
    defaultPendingComponent: PageLoading,
    defaultErrorComponent: Crash,
    defaultNotFoundComponent: NotFound,
    // Where nothing scrolls it would be an inline script.
    scrollRestoration: history === undefined,
    scrollToTopSelectors: ['#content'],
  })
}

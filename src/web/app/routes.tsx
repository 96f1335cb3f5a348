import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  redirect,
  stripSearchParams,
} from '@tanstack/react-router'
import type { Reach } from '#shared/access.ts'
import { CALLBACK_PATH } from '#web/client/came-back.ts'
import { session } from '#web/client/client.ts'
import { isNatural, type Raw } from '#web/client/search.ts'
import type { en } from '#web/i18n/en.ts'
import { loadErrorTexts } from '#web/i18n/i18n.ts'
import { NotFound } from '#web/pages/not-found.tsx'
import { audiencesSearch } from '#web/pages/audiences/search.ts'
import { overviewQuery } from '#web/pages/overview/overview-query.ts'
import { reportListSearch } from '#web/pages/reports/search.ts'
import { PageLoading } from '#web/ui/page-loading.tsx'
import { admit, loadMeOrExpire } from './admit.ts'
import { Crash, WholeCrash } from './crash.tsx'
import { businessPage, editorPage, firstPage, page } from './page-component.ts'
import { Root } from './root.tsx'
import { searches } from './searches.ts'

/** What the breadcrumb says of a route: a key of i18n/…/app.ts `crumb`. */
export type Crumb = Exclude<keyof (typeof en)['app']['crumb'], 'label'>

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    crumb?: Crumb
    /** Who may open it; left out: everybody who is signed in. */
    reach?: Reach
    /** What the page requests first; sent while its code is still loading. */
    early?: (queries: QueryClient, search: Raw) => Promise<unknown>
  }
  interface Register {
    router: AppRouter
  }
}

const root = createRootRouteWithContext<{ queries: QueryClient }>()({ component: Root })

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

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: ({ context, location }) => admit(context.queries, location.href),
  component: firstPage(() => import('./shell.tsx'), 'Shell'),
  errorComponent: WholeCrash,
})

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
  component: page(pages => pages.audit(), 'Audit'),
})

const users = createRoute({
  getParentRoute: () => shell,
  path: '/setting/users',
  validateSearch: searches.users,
  search: { middlewares: [stripSearchParams({ search: '', page: 1 })] },
  staticData: { crumb: 'users' },
  component: page(pages => pages.users(), 'Users'),
})

const instructions = createRoute({
  getParentRoute: () => shell,
  path: '/setting/instructions',
  validateSearch: searches.instructions,
  staticData: { crumb: 'instructions', reach: 'staff' },
  component: page(pages => pages.instructions(), 'Instructions'),
})

const customers = createRoute({
  getParentRoute: () => shell,
  path: '/customer',
  staticData: { reach: 'staff' },
})

const advertisers = createRoute({
  getParentRoute: () => customers,
  path: '/advertiser',
  staticData: { crumb: 'advertisers' },
})

const advertiserList = createRoute({
  getParentRoute: () => advertisers,
  path: '/',
  validateSearch: searches.advertisers,
  search: { middlewares: [stripSearchParams({ search: '', page: 1 })] },
  component: businessPage(pages => pages.advertisers(), 'Advertisers'),
})

const advertiser = createRoute({
  getParentRoute: () => advertisers,
  path: '/$id',
  validateSearch: searches.advertiser,
  staticData: { crumb: 'advertiser' },
  component: businessPage(pages => pages.advertiser(), 'AdvertiserPage'),
})

const industries = createRoute({
  getParentRoute: () => customers,
  path: '/industry',
  validateSearch: searches.industries,
  search: { middlewares: [stripSearchParams({ search: '', page: 1 })] },
  staticData: { crumb: 'industries' },
  component: businessPage(pages => pages.industries(), 'Industries'),
})

const agents = createRoute({
  getParentRoute: () => customers,
  path: '/agent',
  validateSearch: searches.agents,
  search: { middlewares: [stripSearchParams({ search: '', page: 1 })] },
  staticData: { crumb: 'agents' },
  component: businessPage(pages => pages.agents(), 'Agents'),
})

const issuer = createRoute({
  getParentRoute: () => customers,
  path: '/issuer',
  staticData: { crumb: 'issuer', reach: 'director_or_finance' },
  component: businessPage(pages => pages.issuer(), 'IssuerPage'),
})

const support = createRoute({
  getParentRoute: () => shell,
  path: '/support',
  validateSearch: searches.support,
  search: { middlewares: [stripSearchParams({ search: '', page: 1 })] },
  staticData: { crumb: 'support', reach: 'staff' },
  component: page(pages => pages.support(), 'Support'),
})

const ecSpend = createRoute({
  getParentRoute: () => shell,
  path: '/ec-spend',
  staticData: { crumb: 'ec_spend', reach: 'director_or_finance' },
})

const ecMonths = createRoute({
  getParentRoute: () => ecSpend,
  path: '/',
  validateSearch: searches.ec_spend,
  component: businessPage(pages => pages.ecSpend(), 'EcSpendPage'),
})

const ecMonth = createRoute({
  getParentRoute: () => ecSpend,
  path: '/$month',
  validateSearch: searches.ec_month,
  staticData: { crumb: 'ec_month' },
  component: businessPage(pages => pages.ecMonth(), 'EcMonthPage'),
})

const businesses = createRoute({
  getParentRoute: () => shell,
  path: '/bm-management',
  validateSearch: searches.businesses,
  search: { middlewares: [stripSearchParams({ search: '', page: 1 })] },
  staticData: { crumb: 'businesses' },
  component: businessPage(pages => pages.businesses(), 'Businesses'),
})

const insightSettings = createRoute({
  getParentRoute: () => shell,
  path: '/insight-setting',
  validateSearch: searches.insight_settings,
  search: { middlewares: [stripSearchParams({ search: '', page: 1 })] },
  staticData: { crumb: 'insight_settings', reach: 'staff' },
  component: businessPage(pages => pages.insightSettings(), 'InsightSettings'),
})

const audiences = createRoute({
  getParentRoute: () => shell,
  path: '/lta-audience/audience-list',
  validateSearch: searches.audiences,
  search: { middlewares: [stripSearchParams({ search: '', page: 1 })] },
  staticData: {
    crumb: 'audience_lists',
    async early(queries, search) {
      const { prefetchAudiences } = await import('#web/pages/audiences/list-query.ts')
      await prefetchAudiences(queries, audiencesSearch(search))
    },
  },
  component: businessPage(pages => pages.audiences(), 'Audiences'),
})

const insertionOrders = createRoute({
  getParentRoute: () => shell,
  path: '/customer/insertion-order',
  staticData: { crumb: 'insertion_orders', reach: 'staff' },
})

const orderList = createRoute({
  getParentRoute: () => insertionOrders,
  path: '/',
  validateSearch: searches.orders,
  search: { middlewares: [stripSearchParams({ search: '', page: 1 })] },
  component: businessPage(pages => pages.orders(), 'Orders'),
})

const newOrder = createRoute({
  getParentRoute: () => insertionOrders,
  path: '/new',
  validateSearch: searches.new_order,
  staticData: { crumb: 'new_quotation' },
  component: businessPage(pages => pages.newOrder(), 'NewOrder'),
})

const payments = createRoute({
  getParentRoute: () => insertionOrders,
  path: '/payments',
  validateSearch: searches.payments,
  search: { middlewares: [stripSearchParams({ search: '', page: 1 })] },
  staticData: { crumb: 'payments' },
  component: businessPage(pages => pages.payments(), 'Payments'),
})

const insertionOrder = createRoute({ getParentRoute: () => insertionOrders, path: '/$id' })

const orderPage = createRoute({
  getParentRoute: () => insertionOrder,
  path: '/',
  validateSearch: searches.order,
  staticData: { crumb: 'insertion_order' },
  component: businessPage(pages => pages.order(), 'OrderPage'),
})

const orderEditor = createRoute({
  getParentRoute: () => insertionOrder,
  path: '/edit',
  staticData: { crumb: 'edit_quotation' },
  component: businessPage(pages => pages.editOrder(), 'EditOrder'),
})

const advertising = createRoute({
  getParentRoute: () => shell,
  path: '/advertisement',
  staticData: { reach: 'staff' },
})

const materials = createRoute({
  getParentRoute: () => shell,
  path: '/material',
  staticData: { reach: 'staff' },
})

const targetAudiences = createRoute({
  getParentRoute: () => advertising,
  path: '/target-audience',
  validateSearch: searches.target_audiences,
  search: { middlewares: [stripSearchParams({ search: '', page: 1 })] },
  staticData: { crumb: 'target_audiences' },
  component: businessPage(pages => pages.targetAudiences(), 'TargetAudiences'),
})

const links = createRoute({
  getParentRoute: () => advertising,
  path: '/create-link',
  validateSearch: searches.links,
  search: { middlewares: [stripSearchParams({ search: '', page: 1 })] },
  staticData: { crumb: 'links' },
  component: businessPage(pages => pages.links(), 'Links'),
})

const sites = createRoute({
  getParentRoute: () => materials,
  path: '/site',
  validateSearch: searches.sites,
  search: { middlewares: [stripSearchParams({ search: '', page: 1 })] },
  staticData: { crumb: 'sites' },
  component: businessPage(pages => pages.sites(), 'Sites'),
})

const publishers = createRoute({
  getParentRoute: () => materials,
  path: '/media',
  validateSearch: searches.publishers,
  search: { middlewares: [stripSearchParams({ search: '', page: 1 })] },
  staticData: { crumb: 'publishers' },
  component: businessPage(pages => pages.publishers(), 'Publishers'),
})

const images = createRoute({
  getParentRoute: () => materials,
  path: '/image',
  validateSearch: searches.images,
  search: { middlewares: [stripSearchParams({ search: '', page: 1 })] },
  staticData: { crumb: 'images' },
  component: businessPage(pages => pages.images(), 'Images'),
})

const files = createRoute({
  getParentRoute: () => materials,
  path: '/file',
  validateSearch: searches.files,
  search: { middlewares: [stripSearchParams({ search: '', page: 1 })] },
  staticData: { crumb: 'files' },
  component: businessPage(pages => pages.files(), 'Files'),
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
    customers.addChildren([
      advertisers.addChildren([advertiserList, advertiser]),
      industries,
      agents,
      issuer,
    ]),
    ecSpend.addChildren([ecMonths, ecMonth]),
    businesses,
    insightSettings,
    audiences,
    insertionOrders.addChildren([
      orderList,
      newOrder,
      payments,
      insertionOrder.addChildren([orderPage, orderEditor]),
    ]),
    advertising.addChildren([targetAudiences, links]),
    materials.addChildren([sites, publishers, images, files]),
    nowhere,
    operations,
    audit,
    mailbox,
    support,
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
    // The bar at the top says that a page is loading; the skeleton only appears when loading takes longer
    // than this.
    defaultPendingMs: 400,
    defaultPendingComponent: PageLoading,
    defaultErrorComponent: Crash,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
    scrollToTopSelectors: ['#content'],
  })
}

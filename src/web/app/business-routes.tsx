import { createRoute, stripSearchParams } from '@tanstack/react-router'
import { audiencesSearch } from '#web/pages/audiences/search.ts'
import { businessPage } from './page-component.ts'
import { searches } from './searches.ts'
import { shell } from './shell-route.tsx'

// Customers, their audiences, campaigns, orders and spending.

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

export const businessRoutes = [
  customers.addChildren([advertisers.addChildren([advertiserList, advertiser]), industries, agents, issuer]),
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
] as const

import type { View } from '#sandbox/dataset/universal-analytics.ts'
import { invalid, noPermission, UaRefusal } from './errors.ts'
import { DIMENSIONS, METRICS } from './fields.ts'

const BASE = 'https://www.googleapis.com/analytics/v3/management'
const MOST = 1000

/** The account tree and the list of columns, as Management API v3 and Metadata API v3 return them. */
export function manage(url: URL, views: readonly View[], username: string): Record<string, unknown> {
  const path = url.pathname.replace(/^\/analytics\/v3\//, '')
  if (path === 'management/accountSummaries') return accountSummaries(url, views, username)
  if (path === 'metadata/ga/columns') return columns(url)
  const [, account, property, view] =
    /^management\/accounts\/([^/]+)\/webproperties\/([^/]+)\/profiles(?:\/([^/]+))?$/.exec(path) ?? []
  if (account === undefined || property === undefined)
    throw new UaRefusal(404, 'NOT_FOUND', 'Not Found', 'notFound')
  const found = views.filter(
    each =>
      (account === '~all' || each.account_id === account) &&
      (property === '~all' || each.property_id === property),
  )
  if (view === undefined) {
    return listOf(url, found.map(profile), { kind: 'analytics#profiles', username })
  }
  refuseUnknown(url, [])
  const one = found.find(each => each.view_id === view)
  if (!one) throw noPermission()
  return profile(one)
}

function accountSummaries(url: URL, views: readonly View[], username: string) {
  const accounts = [...Map.groupBy(views, view => view.account_id)].map(([id, of_account]) => ({
    id,
    kind: 'analytics#accountSummary',
    name: of_account[0]?.account_name,
    webProperties: [...Map.groupBy(of_account, view => view.property_id)].map(
      ([property_id, of_property]) => ({
        kind: 'analytics#webPropertySummary',
        id: property_id,
        name: of_property[0]?.property_name,
        internalWebPropertyId: `87${property_id.replaceAll(/\D/g, '')}`,
        level: 'STANDARD',
        websiteUrl: 'https://shop.example',
        profiles: of_property.map(view => ({
          kind: 'analytics#profileSummary',
          id: view.view_id,
          name: view.view_name,
          type: 'WEB',
        })),
      }),
    ),
  }))
  return listOf(url, accounts, { kind: 'analytics#accountSummaries', username })
}

const profile = (view: View) => ({
  id: view.view_id,
  kind: 'analytics#profile',
  accountId: view.account_id,
  webPropertyId: view.property_id,
  name: view.view_name,
  currency: view.currency,
  timezone: view.time_zone,
  websiteUrl: 'https://shop.example',
  type: 'WEB',
  eCommerceTracking: true,
  permissions: { effective: ['READ_AND_ANALYZE'] },
})

function listOf(url: URL, items: unknown[], head: { kind: string; username: string }) {
  refuseUnknown(url, ['start-index', 'max-results'])
  const start = numberOf(url, 'start-index', 1)
  const most = numberOf(url, 'max-results', MOST)
  if (most > MOST) throw invalid(`Invalid value '${most}'. Values must be within the range: [1, ${MOST}]`)
  const page = items.slice(start - 1, start - 1 + most)
  const link = (index: number) =>
    `${BASE}${url.pathname.replace(/^\/analytics\/v3\/management/, '')}?start-index=${index}&max-results=${most}`
  return {
    kind: head.kind,
    username: head.username,
    totalResults: items.length,
    startIndex: start,
    itemsPerPage: most,
    ...(start > 1 && { previousLink: link(Math.max(1, start - most)) }),
    ...(start - 1 + page.length < items.length && { nextLink: link(start + most) }),
    items: page,
  }
}

function numberOf(url: URL, name: string, usual: number): number {
  const text = url.searchParams.get(name)
  if (text === null) return usual
  if (!/^[1-9]\d{0,8}$/.test(text)) throw invalid(`Invalid value '${text}' for ${name}.`)
  return Number(text)
}

function refuseUnknown(url: URL, known: string[]): void {
  const unknown = [...url.searchParams.keys()].find(
    name => ![...known, 'alt', 'prettyPrint', 'fields'].includes(name),
  )
  if (unknown !== undefined) throw invalid(`Unknown parameter: ${unknown}`)
}

function columns(url: URL) {
  refuseUnknown(url, [])
  const column = (id: string, type: 'DIMENSION' | 'METRIC', dataType: string) => ({
    id,
    kind: 'analytics#column',
    attributes: { type, dataType, status: 'PUBLIC', uiName: id.slice(3), allowedInSegments: 'true' },
  })
  const items = [
    ...Object.keys(DIMENSIONS).map(id => column(id, 'DIMENSION', 'STRING')),
    ...Object.entries(METRICS).map(([id, { type }]) => column(id, 'METRIC', type)),
  ]
  return {
    kind: 'analytics#columns',
    etag: '"sandbox"',
    totalResults: items.length,
    attributeNames: ['type', 'dataType', 'status', 'uiName', 'allowedInSegments'],
    items,
  }
}

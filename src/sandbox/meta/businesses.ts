import { ADVERTISERS, type Account } from '#sandbox/dataset/agency.ts'
import type { Caller } from './access.ts'
import { accountNode, businessId, businessOf, listPage } from './accounts.ts'
import { invalid, notVisible } from './errors.ts'
import { parseFields, project } from './fields.ts'
import type { GraphRequest } from './graph.ts'
import type { Page } from './paging.ts'
import { isOwned, tasksOf } from './standing.ts'

/** The agency's own business: the one that its tokens have a role in. */
export const AGENCY_BUSINESS = '615200000000001'

/** GET /me/businesses */
export function myBusinesses(request: GraphRequest): Page {
  const fields = parseFields(request.parameters.text('fields'), 'id,name')
  return listPage(
    request,
    businessesOf(request.caller).map(id => project(nodeOf(id), fields, 'Business')),
  )
}

/** The agency's people have a role in its business, other people in those of their advertisers. */
function businessesOf({ grant, accounts }: Caller): string[] {
  if (grant === null || grant.person.startsWith('agency-')) return [AGENCY_BUSINESS]
  return [...new Set(accounts.map(({ advertiser }) => businessId(advertiser)))]
}

/** GET /{business} */
export function oneBusiness(request: GraphRequest, id: string): Record<string, unknown> {
  const fields = parseFields(request.parameters.text('fields'), 'id,name')
  request.parameters.refuseUnknown()
  return project(nodeOf(id), fields, 'Business')
}

export const isBusiness = (id: string, caller: Caller) =>
  businessesOf(caller).includes(id) || businessOf(id, caller) !== null

/**
 * GET /{business}/owned_ad_accounts and client_ad_accounts. The agency's has every account, whichever of them
 * the token works with; an advertiser's has those of its own that the caller sees.
 */
export function businessAccounts(request: GraphRequest, id: string, edge: string): Page {
  const { parameters } = request
  const fields = parseFields(parameters.text('fields'), 'id,account_id')
  const search = parameters.text('search_query')?.toLowerCase() ?? ''
  if (edge === 'owned_ad_accounts') parameters.boolean('include_shared_ad_accounts')
  const summary = parameters.text('summary')
  const found = accountsOf(request, id, edge).filter(
    account => account.name.toLowerCase().includes(search) || account.id.includes(search),
  )
  const nodes = found.map(account => ({
    ...accountNode(account, request),
    ...(edge === 'client_ad_accounts' && { permitted_tasks: tasksOf(request.caller, account) }),
  }))
  const page = listPage(
    request,
    nodes.map(node => project(node, fields, 'AdAccount')),
  )
  return summary === null ? page : Object.assign(page, { summary: { total_count: found.length } })
}

function accountsOf({ caller, dataset }: GraphRequest, id: string, edge: string): Account[] {
  const owned = edge === 'owned_ad_accounts'
  if (id === AGENCY_BUSINESS) return dataset.accounts('fb').filter(account => isOwned(account) === owned)
  const advertiser = businessOf(id, caller)
  return owned ? caller.accounts.filter(account => account.advertiser === advertiser) : []
}

/** GET /act_X/assigned_users?business= */
export function assignedUsers(request: GraphRequest, id: string): Page {
  const { parameters, caller, dataset } = request
  const business = parameters.text('business')
  const fields = parseFields(parameters.text('fields'), 'id,name')
  if (business === null) throw invalid('The parameter business is required')
  const account = dataset.accounts('fb').find(each => each.id === id)
  if (!account) throw notVisible(`act_${id}`)
  const holders = [AGENCY_BUSINESS, businessId(account.advertiser)]
  if (!holders.includes(business) || !isBusiness(business, caller)) throw notVisible(business)
  const users = PEOPLE.filter(({ number }) => number === 0 || account.number % number === 0)
  return listPage(
    request,
    users.map(user => project({ id: user.id, name: user.name, tasks: user.tasks }, fields, 'AssignedUser')),
  )
}

/** Who works with the agency's accounts: with all of them, or with every so many-th. */
const PEOPLE = [
  { number: 0, id: '122100000000000001', name: 'Sheetcast reporting (system user)', tasks: ['ANALYZE'] },
  {
    number: 0,
    id: '122100000000000002',
    name: 'Dana Wu',
    tasks: ['MANAGE', 'ADVERTISE', 'ANALYZE', 'DRAFT', 'AA_ANALYZE'],
  },
  { number: 2, id: '122100000000000003', name: 'Sam Huang', tasks: ['ADVERTISE', 'ANALYZE', 'DRAFT'] },
  { number: 3, id: '122100000000000004', name: '陳米卡', tasks: ['ANALYZE'] },
] as const

/** Fields of the business itself; in an account it has only its id and name. */
const nodeOf = (id: string) => ({
  id,
  name: id === AGENCY_BUSINESS ? 'Sheetcast Agency' : ADVERTISERS.find(name => businessId(name) === id),
  verification_status: id === AGENCY_BUSINESS ? 'verified' : 'not_verified',
  timezone_id: 136,
  created_time: '2019-04-01T02:00:00+0000',
})

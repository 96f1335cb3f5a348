import { accountFor } from './access.ts'
import { myAccounts, oneAccount } from './accounts.ts'
import { accountEdge, audienceNode, findAudience, isAudienceEdge } from './audiences/routes.ts'
import type { Audiences } from './audiences/store.ts'
import { assignedUsers, businessAccounts, isBusiness, myBusinesses, oneBusiness } from './businesses.ts'
import { findNode, namesOf, TYPES } from './campaigns.ts'
import { GraphError, invalid, notVisible } from './errors.ts'
import { project, parseFields } from './fields.ts'
import type { GraphRequest } from './graph.ts'
import { myPermissions } from './permissions.ts'
import { insights, reportRun } from './insights/endpoint.ts'
import type { Grants } from '#sandbox/oauth/grants.ts'
import type { Jobs } from './insights/jobs.ts'

export interface State {
  jobs: Jobs
  audiences: Audiences
  /** What people have agreed to. */
  grants: Grants
}

/** Handles a request whose caller is known, by its path. */
export function route(request: GraphRequest, state: State): unknown {
  const [node, edge, ...deeper] = request.path
  if (deeper.length > 0) throw unknownPath(`/${deeper.join('/')}`)
  if (node === undefined) return manyNodes(request)
  if (node === 'me') return me(request, state, edge)
  const accountId = /^act_(\d+)$/.exec(node)?.[1]
  if (accountId !== undefined) return adAccount(request, state, { id: accountId, edge })
  if (!/^\d+$/.test(node)) {
    throw new GraphError(400, 803, `(#803) Some of the aliases you requested do not exist: ${node}`)
  }
  return numbered(request, state, { id: node, edge })
}

function me(request: GraphRequest, { grants }: State, edge: string | undefined): unknown {
  if (edge === 'permissions') return myPermissions(request, grants)
  onlyGet(request)
  if (edge === 'adaccounts') return myAccounts(request)
  if (edge === 'businesses') return myBusinesses(request)
  if (edge !== undefined) throw unknownPath(`/${edge}`)
  const fields = parseFields(request.parameters.text('fields'), 'id,name')
  request.parameters.refuseUnknown()
  return project({ id: request.caller.user_id, name: request.caller.name }, fields, 'User')
}

interface Target {
  id: string
  edge: string | undefined
}

function adAccount(request: GraphRequest, { jobs, audiences }: State, { id, edge }: Target): unknown {
  if (edge === 'insights')
    return insights(request, jobs, { account: accountFor(request.caller, id), within: null })
  if (isAudienceEdge(edge))
    return accountEdge(request, { account: accountFor(request.caller, id), edge }, audiences)
  onlyGet(request)
  switch (edge) {
    case undefined:
      return oneAccount(request, id)
    case 'campaigns':
      return namesOf(request, accountFor(request.caller, id), 'campaign')
    case 'adsets':
      return namesOf(request, accountFor(request.caller, id), 'adset')
    case 'ads':
      return namesOf(request, accountFor(request.caller, id), 'ad')
    case 'assigned_users':
      return assignedUsers(request, id)
    default:
      throw unknownPath(`/${edge}`)
  }
}

/** A bare number: a report job, an audience, a business, a campaign, an ad set or an ad. */
function numbered(request: GraphRequest, { jobs, audiences }: State, { id, edge }: Target): unknown {
  if (jobs.find(id)) {
    if (edge !== undefined && edge !== 'insights') throw unknownPath(`/${edge}`)
    return reportRun(request, jobs, id)
  }
  const audience = findAudience(id, request, audiences)
  if (audience) return audienceNode(request, { ...audience, edge }, audiences)
  if (isBusiness(id, request.caller)) {
    onlyGet(request)
    if (edge === 'owned_ad_accounts' || edge === 'client_ad_accounts')
      return businessAccounts(request, id, edge)
    if (edge !== undefined) throw unknownPath(`/${edge}`)
    return oneBusiness(request, id)
  }
  const found = findNode(request, id)
  if (!found) throw notVisible(id)
  const account = accountFor(request.caller, found.account.id)
  if (edge === 'insights') return insights(request, jobs, { account, within: { level: found.kind, id } })
  if (edge !== undefined) throw unknownPath(`/${edge}`)
  onlyGet(request)
  const fields = parseFields(request.parameters.text('fields'), 'id')
  request.parameters.refuseUnknown()
  return project(found.node, fields, TYPES[found.kind])
}

/** GET /?ids=1,2,3 */
function manyNodes(request: GraphRequest): unknown {
  onlyGet(request)
  const ids = request.parameters.list('ids')
  const fields = parseFields(request.parameters.text('fields'), 'id')
  request.parameters.refuseUnknown()
  if (ids.length === 0)
    throw new GraphError(400, 100, 'Unsupported get request. Please read the Graph API documentation')
  if (ids.length > 50) throw invalid('Too many IDs. Maximum: 50')
  const nodes = ids.map((id): [string, unknown] => {
    const found = findNode(request, id)
    if (!found) throw notVisible(id)
    accountFor(request.caller, found.account.id)
    return [id, project(found.node, fields, TYPES[found.kind])]
  })
  return Object.fromEntries(nodes)
}

const onlyGet = (request: GraphRequest) => {
  if (request.method === 'GET') return
  throw new GraphError(
    400,
    100,
    `Unsupported ${request.method.toLowerCase()} request. Please read the Graph API documentation at https://developers.facebook.com/docs/graph-api`,
    { type: 'GraphMethodException', error_subcode: 33 },
  )
}

const unknownPath = (path: string) => new GraphError(400, 2500, `Unknown path components: ${path}`)

import { GraphError, invalid } from './errors.ts'
import type { GraphRequest } from './graph.ts'
import { listPage } from './accounts.ts'
import type { Grants } from '#sandbox/oauth/grants.ts'

export const PERMISSIONS = ['ads_read', 'ads_management', 'business_management']

/** Which permissions allow a request, any one of them; the caller's own data need none. */
function needed({ method, path: [node, edge] }: GraphRequest): string[] {
  if (node === 'me' && edge !== 'adaccounts') return edge === 'businesses' ? ['business_management'] : []
  if (edge === 'owned_ad_accounts' || edge === 'client_ad_accounts' || edge === 'assigned_users')
    return ['business_management']
  const isReport = edge === 'insights'
  return method === 'GET' || isReport ? ['ads_read', 'ads_management'] : ['ads_management']
}

/** Refuses what the person has not agreed to. */
export function refuseUngranted(request: GraphRequest): void {
  const { grant } = request.caller
  const permissions = needed(request)
  if (grant === null || permissions.length === 0) return
  if (permissions.some(permission => grant.scopes.includes(permission))) return
  const [first = ''] = permissions
  throw new GraphError(
    403,
    200,
    permissions.length > 1
      ? '(#200) Ad account owner has NOT grant ads_management or ads_read permission'
      : `(#200) Requires ${first} permission to manage the object.`,
  )
}

/** GET /me/permissions, and DELETE, which takes the whole consent back. */
export function myPermissions(request: GraphRequest, grants: Grants): unknown {
  const { caller, method } = request
  if (method === 'GET') {
    const granted = caller.grant?.scopes ?? PERMISSIONS
    return listPage(
      request,
      granted.map(permission => ({ permission, status: 'granted' })),
    )
  }
  if (method !== 'DELETE') throw invalid('Unsupported post request')
  request.parameters.refuseUnknown()
  if (caller.grant === null)
    throw new GraphError(400, 100, '(#100) The permissions of a system user are settled in its business.')
  grants.revoke(grants.together(caller.grant))
  return { success: true }
}

import type { Account } from '#sandbox/dataset/agency.ts'
import { accountFor, type Caller } from '#sandbox/meta/access.ts'
import { GraphError, notVisible } from '#sandbox/meta/errors.ts'
import type { GraphRequest } from '#sandbox/meta/graph.ts'
import type { Audience } from './audience.ts'
import { createAudience } from './create.ts'
import { noRight } from './errors.ts'
import { changeUsers, removeFromAll, replaceUsers } from './members.ts'
import { audienceList, deleteAudience, editAudience, oneAudience } from './node.ts'
import { pixelList } from './pixels.ts'
import { audienceAccounts } from './share.ts'
import type { Audiences } from './store.ts'

/** The edges of an ad account that are about audiences. */
export const isAudienceEdge = (edge: string | undefined): edge is (typeof EDGES)[number] =>
  EDGES.some(each => each === edge)

export function accountEdge(
  request: GraphRequest,
  { account, edge }: { account: Account; edge: (typeof EDGES)[number] },
  audiences: Audiences,
): unknown {
  if (edge === 'usersofanyaudience') return removeFromAll(request, account, audiences)
  if (edge === 'customaudiences' && request.method === 'POST')
    return createAudience(request, account, audiences)
  if (request.method !== 'GET') throw notVisible(`act_${account.id}`)
  return edge === 'adspixels' ? pixelList(request, account) : audienceList(request, account, audiences)
}

export interface VisibleAudience {
  audience: Audience
  /** Not when the caller reaches it by a share alone. */
  isOwn: boolean
}

/** The audience of that id, if the caller sees its account, or one that it is shared with. */
export function findAudience(
  id: string,
  { caller, dataset, now }: { caller: Caller } & Pick<GraphRequest, 'dataset' | 'now'>,
  audiences: Audiences,
): VisibleAudience | null {
  const number = Number(/^23850(\d{3})\d{9}$/.exec(id)?.[1])
  const account = dataset.accounts('fb').find(each => each.number === number)
  const audience = account && audiences.of(account, now).find(each => each.id === id)
  if (!audience) return null
  const isOwn = caller.accounts.some(each => each.id === account.id)
  const isShared = caller.accounts.some(each => audience.recipients.has(each.id))
  return isOwn || isShared ? { audience, isOwn } : null
}

/** An audience itself, and its edges. */
export function audienceNode(
  request: GraphRequest,
  { edge, ...found }: VisibleAudience & { edge: string | undefined },
  audiences: Audiences,
): unknown {
  const { audience, isOwn } = found
  if (isOwn) accountFor(request.caller, audience.account.id)
  if (edge === 'adaccounts' || edge === 'ad_accounts') return audienceAccounts(request, found, audiences)
  if (edge === undefined && request.method === 'GET') return oneAudience(request, found, audiences)
  if (edge !== undefined && edge !== 'users' && edge !== 'usersreplace')
    throw new GraphError(400, 2500, `Unknown path components: /${edge}`)
  if (!isOwn) throw noRight()
  if (edge === 'users') return changeUsers(request, audience, audiences)
  if (edge === 'usersreplace') return replaceUsers(request, audience, audiences)
  return request.method === 'POST'
    ? editAudience(request, audience)
    : deleteAudience(request, audience, audiences)
}

const EDGES = ['customaudiences', 'usersofanyaudience', 'adspixels'] as const

import type { Account } from '#sandbox/dataset/agency.ts'
import { businessId, listPage } from '#sandbox/meta/accounts.ts'
import { invalid } from '#sandbox/meta/errors.ts'
import type { GraphRequest } from '#sandbox/meta/graph.ts'
import type { Audience } from './audience.ts'
import { notClaimed, noRight } from './errors.ts'
import type { Audiences } from './store.ts'
import { refuseWithoutTerms } from './terms.ts'

/** GET, POST and DELETE /{audience}/adaccounts */
export function audienceAccounts(
  request: GraphRequest,
  { audience, isOwn }: { audience: Audience; isOwn: boolean },
  audiences: Audiences,
): unknown {
  const { parameters } = request
  const permissions = parameters.text('permissions') ?? 'targeting_and_insights'
  if (!['targeting', 'targeting_and_insights'].includes(permissions)) {
    throw invalid('permissions must be one of the following values: targeting, targeting_and_insights')
  }
  if (request.method === 'GET')
    return listPage(
      request,
      [...audience.recipients].map(account => ({ id: account })),
    )

  const replace = parameters.boolean('replace') ?? false
  const ids = readIds(request)
  parameters.refuseUnknown()
  if (!isOwn) throw noRight()
  if (request.method === 'DELETE') {
    for (const id of ids) audience.recipients.delete(id)
    return { success: true }
  }
  refuseWithoutTerms(audience.account, audiences.terms)
  const accounts = ids.map(id => recipient(id, request, audiences))
  if (replace) audience.recipients.clear()
  for (const { id } of accounts) audience.recipients.add(id)
  return {
    success: true,
    sharing_data: accounts.map(account => ({
      ad_acct_id: account.id,
      business_id: businessId(account.advertiser),
      audience_share_status: 'SHARED',
      errors: [],
    })),
  }
}

function readIds({ parameters }: GraphRequest): string[] {
  const entries = parameters.json('adaccounts')
  if (
    !Array.isArray(entries) ||
    entries.length === 0 ||
    entries.some(each => typeof each !== 'string' || !/^\d+$/.test(each))
  ) {
    throw invalid('Param adaccounts must be an array of ad account ids without act_')
  }
  return entries.map(String)
}

/** Any account of a business that has accepted the terms; the caller need not see it. */
function recipient(id: string, { dataset }: GraphRequest, { terms }: Audiences): Account {
  const account = dataset.account('fb', id)
  if (!account) throw notClaimed(id)
  refuseWithoutTerms(account, terms)
  return account
}

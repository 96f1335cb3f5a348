import type { Account } from '#sandbox/dataset/agency.ts'
import { accountFor, type Caller } from './access.ts'
import { businessId, listPage } from './accounts.ts'
import { GraphError, invalid, notVisible } from './errors.ts'
import { project, parseFields } from './fields.ts'
import type { GraphRequest } from './graph.ts'
import { readFilters, textTest } from './insights/filtering.ts'
import type { Page } from './paging.ts'

/** Which accounts each audience is shared with; the one thing at Meta that a client can change here. */
export type Shares = Map<string, Set<string>>

const AUDIENCES = [
  { name: 'Website visitors 30 days', subtype: 'WEBSITE', retention_days: 30 },
  { name: 'Buyers "VIP" 2026', subtype: 'CUSTOM', retention_days: 0 },
  { name: 'Lookalike 1% – Buyers', subtype: 'LOOKALIKE', retention_days: 0 },
  { name: '=1+1 名單 🎯', subtype: 'ENGAGEMENT', retention_days: 365 },
] as const

/** GET /act_X/customaudiences */
export function audiencesOf(request: GraphRequest, account: Account, shares: Shares): Page {
  const { parameters } = request
  const fields = parseFields(parameters.text('fields'), 'id')
  for (const name of ['business_id', 'pixel_id']) parameters.text(name)
  parameters.boolean('fetch_primary_audience')
  const filtering = parameters.json('filtering')
  const tests = (filtering === null ? [] : readFilters(filtering)).map(filter => {
    const { field } = filter
    if (field !== 'id' && field !== 'name') throw invalid(`Filtering field ${field} is not supported`)
    return { field, test: textTest(filter, field) }
  })
  const nodes = AUDIENCES.map((_, index) => audienceNode(account, index, shares))
  return listPage(
    request,
    nodes
      .filter(node => tests.every(({ field, test }) => test(String(node[field]))))
      .map(node => project(node, fields, 'CustomAudience')),
  )
}

/** The account and position of an audience id, if the caller sees it. */
export function findAudience(id: string, caller: Caller): { account: Account; index: number } | null {
  const [, number, index] = /^23850(\d{3})(\d{9})$/.exec(id) ?? []
  const account = caller.accounts.find(each => each.number === Number(number))
  return account && index !== undefined && Number(index) < AUDIENCES.length
    ? { account, index: Number(index) }
    : null
}

/** GET /{audience} */
export function oneAudience(request: GraphRequest, id: string, shares: Shares): unknown {
  const found = findAudience(id, request.caller)
  if (!found) throw notVisible(id)
  accountFor(request.caller, found.account.id)
  const fields = parseFields(request.parameters.text('fields'), 'id')
  request.parameters.refuseUnknown()
  return project(audienceNode(found.account, found.index, shares), fields, 'CustomAudience')
}

/** GET, POST and DELETE /{audience}/adaccounts */
export function audienceAccounts(request: GraphRequest, id: string, shares: Shares): unknown {
  const found = findAudience(id, request.caller)
  if (!found) throw notVisible(id)
  accountFor(request.caller, found.account.id)
  const { parameters } = request
  const permissions = parameters.text('permissions') ?? 'targeting_and_insights'
  if (!['targeting', 'targeting_and_insights'].includes(permissions)) {
    throw invalid('permissions must be one of the following values: targeting, targeting_and_insights')
  }
  const recipients = shares.get(id) ?? new Set<string>()
  if (request.method === 'GET')
    return listPage(
      request,
      [...recipients].map(account => ({ id: account })),
    )

  const replace = parameters.boolean('replace') ?? false
  const entries = parameters.json('adaccounts')
  parameters.refuseUnknown()
  if (
    !Array.isArray(entries) ||
    entries.length === 0 ||
    entries.some(each => typeof each !== 'string' || !/^\d+$/.test(each))
  ) {
    throw invalid('Param adaccounts must be an array of ad account ids without act_')
  }
  const accounts = entries.map(each => recipient(String(each), request))
  if (request.method === 'DELETE') {
    for (const account of accounts) recipients.delete(account.id)
    return { success: true }
  }
  shares.set(id, new Set([...(replace ? [] : recipients), ...accounts.map(account => account.id)]))
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

/** Any account of a business may receive an audience; the caller need not see it. */
function recipient(id: string, { dataset }: GraphRequest): Account {
  const account = dataset.account('fb', id)
  if (!account) throw new GraphError(403, 200, `(#200) The ad account ${id} is not claimed by a business`)
  return account
}

function audienceNode(account: Account, index: number, shares: Shares): Record<string, unknown> {
  const audience = AUDIENCES[index] ?? AUDIENCES[0]
  const id = `23850${String(account.number).padStart(3, '0')}${String(index).padStart(9, '0')}`
  const size = 1000 * (account.number + 3 * index)
  return {
    id,
    account_id: account.id,
    name: audience.name,
    subtype: audience.subtype,
    description: `${audience.name} of ${account.advertiser}`,
    approximate_count_lower_bound: index === 3 ? -1 : size,
    approximate_count_upper_bound: index === 3 ? -1 : Math.round(size * 1.2),
    delivery_status: { code: 200, description: 'This audience is ready for use.' },
    operation_status: { code: 200, description: 'Normal' },
    time_created: 1_700_000_000 + account.number,
    time_updated: 1_760_000_000 + account.number,
    retention_days: audience.retention_days,
    lookalike_spec:
      audience.subtype === 'LOOKALIKE' ? JSON.stringify({ ratio: 0.01, country: 'TW' }) : undefined,
    sharing_status: {
      sharing_relationship_id: 0,
      status: (shares.get(id)?.size ?? 0) > 0 ? 'SHARED' : 'NOT_SHARED',
    },
    permission_for_actions: {
      can_edit: true,
      can_see_insight: true,
      can_share: true,
      subtype_supports_lookalike: true,
    },
  }
}

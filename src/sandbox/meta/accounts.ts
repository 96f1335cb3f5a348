import type { Account, Advertiser } from '#sandbox/dataset/agency.ts'
import { ADVERTISERS } from '#sandbox/dataset/agency.ts'
import { accountFor, type Caller } from './access.ts'
import { claimAndTerms } from './audiences/terms.ts'
import { project, parseFields } from './fields.ts'
import type { GraphRequest } from './graph.ts'
import { type Page, pageOf, positionOf } from './paging.ts'
import { textOfQuery } from './insights/query.ts'
import { standingOf } from './standing.ts'

/** GET /me/adaccounts */
export function myAccounts(request: GraphRequest): Page {
  const fields = parseFields(request.parameters.text('fields'), 'id,account_id')
  return listPage(
    request,
    request.caller.accounts.map(account => project(accountNode(account, request), fields, 'AdAccount')),
  )
}

/** GET /act_X */
export function oneAccount(request: GraphRequest, id: string): Record<string, unknown> {
  const account = accountFor(request.caller, id)
  const fields = parseFields(request.parameters.text('fields'), 'id,account_id')
  request.parameters.refuseUnknown()
  return project(accountNode(account, request), fields, 'AdAccount')
}

/** One page of a list, under the usual paging parameters; the last to read parameters. */
export function listPage(request: GraphRequest, items: unknown[]): Page {
  const { parameters, link } = request
  const queryText = `${request.path.join('/')} ${textOfQuery(parameters)}`
  const position = positionOf(
    {
      after: parameters.text('after'),
      before: parameters.text('before'),
      limit: parameters.integer('limit'),
    },
    queryText,
  )
  parameters.refuseUnknown()
  return pageOf(items, position, { queryText, link })
}

export const businessId = (advertiser: Advertiser) =>
  String(2_030_000_000_000_001 + ADVERTISERS.indexOf(advertiser))

const businessNode = (name: Advertiser) => ({ id: businessId(name), name })

/** The advertiser behind a business id, if the caller sees any account of it. */
export const businessOf = (id: string, caller: Caller): Advertiser | null =>
  ADVERTISERS.find(
    name => businessId(name) === id && caller.accounts.some(account => account.advertiser === name),
  ) ?? null

/** Numbers of Meta's list of time zones. */
const TIME_ZONE_IDS = { 'Asia/Taipei': 136, 'Asia/Tokyo': 70, 'America/Los_Angeles': 1 } as const

export function accountNode(
  account: Account,
  { dataset, caller, terms }: GraphRequest,
): Record<string, unknown> {
  return {
    id: `act_${account.id}`,
    account_id: account.id,
    name: account.name,
    currency: account.currency,
    timezone_id: TIME_ZONE_IDS[account.time_zone],
    timezone_name: account.time_zone,
    timezone_offset_hours_utc: dataset.moment(account).offset_hours,
    business: businessNode(account.advertiser),
    business_name: account.advertiser,
    ...standingOf(account, caller),
    created_time: '2023-01-15T08:00:00+0000',
    ...claimAndTerms(account, terms),
  }
}

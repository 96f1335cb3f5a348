import {
  AvailableBusinesses,
  Business,
  BusinessAccountList,
  BusinessAccountQuery,
  BusinessAccountUsers,
} from '#shared/api/businesses.ts'
import { isInternal } from '#shared/access.ts'
import { IdPath } from '#shared/api/list.ts'
import type { Db } from '#server/db/connect.ts'
import { pageOf } from '#server/http/list.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { businessNames, holdsGrant } from '#server/resources/people/business-queries.ts'
import type { RecheckShares } from '#server/resources/people/rules.ts'
import { businessAccountsCsv } from './csv.ts'
import { memberRoutes } from './member-routes.ts'
import { presentAccount } from './present.ts'
import {
  findBusiness,
  findBusinessAccount,
  listBusinessAccounts,
  requestRefresh,
  type BusinessRow,
} from './queries.ts'
import { relateRoute } from './relate-route.ts'
import { canGrant, canRelate, REFRESH_EVERY_MS } from './rules.ts'

const PATH = '/api/fb-business/'

const list = route('GET', PATH, {
  summary: 'Get the names of the business managers that you have, by id.',
  level: 'external_user',
  reply: AvailableBusinesses,
  run: async ({ user, db }) => businessNames(db, user),
})

const read = route('GET', `${PATH}:id/`, {
  summary: 'Get a business manager: when its accounts were read, and what you may do there.',
  level: 'external_user',
  params: IdPath,
  reply: Business,
  async run({ params: { id }, user, db }) {
    const business = await findBusiness(db, user, id)
    if (!business) throw refuse('not_found')
    return present(business, user, await holdsGrant(db, user, id))
  },
})

const listAccounts = route('GET', `${PATH}adaccount/`, {
  summary: 'List the ad accounts that you see in business managers, the most urgent first.',
  level: 'external_user',
  query: BusinessAccountQuery,
  reply: BusinessAccountList,
  async run({ query, user, db, request }) {
    await refuseWithoutBusiness(db, user, query.business)
    const { count, rows } = await listBusinessAccounts(db, user, query)
    return pageOf(request.url, query, { count, results: rows.map(row => presentAccount(row, user)) })
  },
  async csv({ query, user, db }) {
    await refuseWithoutBusiness(db, user, query.business)
    return businessAccountsCsv(db, user, query)
  },
})

const listUsers = route('GET', `${PATH}adaccount/:id/users/`, {
  summary: 'List who of the business works with an ad account at Meta, read there now.',
  level: 'staff',
  params: IdPath,
  reply: BusinessAccountUsers,
  transaction: 'own',
  async run({ params: { id }, user, db, effects }) {
    const account = await findBusinessAccount(db, user, id)
    const business = account && (await findBusiness(db, user, account.business))
    if (!business) throw refuse('not_found')
    return await effects.businessUsers({
      login: business.login,
      business: business.external_id,
      account: account.account,
    })
  },
})

const refresh = route('POST', `${PATH}:id/refresh/`, {
  summary: 'Ask for the accounts of a business manager to be read again, once in ten minutes.',
  level: 'staff',
  params: IdPath,
  reply: Business,
  status: 202,
  async run({ params: { id }, user, db, now }) {
    const business = await findBusiness(db, user, id)
    if (!business) throw refuse('not_found')
    if (business.login === null) throw refuse('credential_missing')
    const requestedBefore = new Date(now.getTime() - REFRESH_EVERY_MS)
    if (!(await requestRefresh(db, id, { now, requestedBefore })))
      throw refuse('rate_limited', { retry_after_s: waitFor(business, now) })
    const line = { actor: user.id, action: 'business.refresh', object: 'business', object_id: id }
    await writeAudit(db, { ...line, detail: { name: business.name } }, now)
    return present({ ...business, requested_at: now }, user, await holdsGrant(db, user, id))
  },
})

const waitFor = ({ requested_at }: BusinessRow, now: Date) =>
  Math.ceil(((requested_at ?? now).getTime() + REFRESH_EVERY_MS - now.getTime()) / 1000)

/** Who has no business manager at all is refused; another one is treated like one that does not exist. */
async function refuseWithoutBusiness(
  db: Db,
  user: SignedInUser,
  business: number | undefined,
): Promise<void> {
  const names = await businessNames(db, user)
  if (Object.keys(names).length === 0) throw refuse('forbidden')
  if (business !== undefined && names[business] === undefined) throw refuse('not_found')
}

const present = (
  { id, external_id, name, verification, login, problem, ...times }: BusinessRow,
  user: SignedInUser,
  hasGrant: boolean,
): Business => ({
  id,
  external_id,
  name,
  verification,
  login: isInternal(user) ? login : null,
  refreshed_at: times.refreshed_at?.toISOString() ?? null,
  is_refreshing: times.requested_at !== null && times.requested_at > (times.tried_at ?? NEVER),
  problem,
  may_relate: canRelate(user, hasGrant),
  may_grant: canGrant(user),
})

const NEVER = new Date(0)

export const businessesRoutes = (recheckShares: RecheckShares) => [
  list,
  listAccounts,
  relateRoute(recheckShares),
  listUsers,
  read,
  refresh,
  ...memberRoutes,
]

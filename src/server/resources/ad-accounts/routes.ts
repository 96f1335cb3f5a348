import {
  AccountAdvertiserList,
  AccountAdvertiserQuery,
  AdAccount,
  AdAccountList,
  AdAccountQuery,
  AnalyticsQuery,
  CheckAccountReply,
  Ga4ViewList,
  GaViewList,
} from '#shared/api/ad-accounts.ts'
import { IdPath } from '#shared/api/list.ts'
import { pageOf } from '#server/http/list.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { advertisersOf } from '#server/resources/people/queries.ts'
import { findAccount, listAccountAdvertisers, listAccounts, usableAccounts } from './queries.ts'

const list = route('GET', '/api/ad/account/', {
  summary: 'List the ad accounts that you can use in reports.',
  level: 'external_user',
  query: AdAccountQuery,
  reply: AdAccountList,
  async run({ query, user, db, request }) {
    const { count, results } = await listAccounts(db, user, query)
    return pageOf(request.url, query, { count, results: results.map(present) })
  },
})

const listOwners = route('GET', '/api/ad/account/advertisers/', {
  summary: 'List the advertisers that have ad accounts you can use, with the number of accounts by channel.',
  level: 'external_user',
  query: AccountAdvertiserQuery,
  reply: AccountAdvertiserList,
  async run({ query, user, db, request }) {
    return pageOf(request.url, query, await listAccountAdvertisers(db, user, query))
  },
})

const read = route('GET', '/api/ad/account/:id/', {
  summary: 'Get an ad account.',
  level: 'external_user',
  params: IdPath,
  reply: AdAccount,
  async run({ params, user, db }) {
    const account = await findAccount(db, user, params.id)
    if (!account) throw refuse('not_found')
    return present(account)
  },
})

const check = route('POST', '/api/ad/account/:id/check/', {
  summary: 'Check whether the agency can read an account at its platform now: `ok`, or the error.',
  level: 'staff',
  kind: 'search',
  params: IdPath,
  reply: CheckAccountReply,
  transaction: 'own',
  async run({ params, user, db, effects }) {
    const advertisers = await advertisersOf(db, user)
    const [account] = await usableAccounts(db, { advertisers }, [params.id])
    if (!account) throw refuse('not_found')
    return await effects.checkAccount(account)
  },
})

const listViews = route('GET', '/api/ga-view/', {
  summary: 'List the Universal Analytics views that you can use in reports.',
  level: 'external_user',
  query: AnalyticsQuery,
  reply: GaViewList,
  async run({ query, user, db, request }) {
    const { count, results } = await listAccounts(db, user, { ...query, channel: 'ga' })
    return pageOf(request.url, query, { count, results: results.map(presentView) })
  },
})

const listProperties = route('GET', '/api/ga4-view/', {
  summary: 'List the GA4 properties that you can use in reports.',
  level: 'external_user',
  query: AnalyticsQuery,
  reply: Ga4ViewList,
  async run({ query, user, db, request }) {
    const { count, results } = await listAccounts(db, user, { ...query, channel: 'ga4' })
    return pageOf(request.url, query, { count, results: results.map(presentProperty) })
  },
})

type Row = NonNullable<Awaited<ReturnType<typeof findAccount>>>
const present = (account: Row) => ({
  id: account.id,
  channel: account.channel,
  provider: account.provider,
  external_id: account.external_id,
  name: account.name,
  currency: account.currency,
  timezone: account.timezone,
  status: account.status,
  ecid: account.ecid,
  advertiser: account.advertiser,
  advertiser_name: account.advertiser_name,
  public_account: account.public_account,
  last_checked_at: account.last_checked_at?.toISOString() ?? null,
  ga_account_id: account.ga_account_id,
  ga_account_name: account.ga_account_name,
  property_id: account.property_id,
  property_name: account.property_name,
})

const presentProperty = (account: Row) => ({
  id: account.id,
  account_id: account.ga_account_id,
  account_name: account.ga_account_name,
  property_id: account.property_id,
  property_name: account.property_name,
  currency: account.currency,
  timezone: account.timezone,
  status: account.status,
  ecid: account.ecid,
  advertiser: account.advertiser,
  advertiser_name: account.advertiser_name,
  last_checked_at: account.last_checked_at?.toISOString() ?? null,
})

const presentView = (account: Row) => ({
  ...presentProperty(account),
  view_id: account.external_id,
  view_name: account.name,
})

export const adAccountsRoutes = [list, listOwners, read, check, listViews, listProperties]

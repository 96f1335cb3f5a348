import { chunked } from '#shared/chunked.ts'
import { PlatformFailure, type AccountRef, type PlatformAccount } from '#server/connectors/connector.ts'
import { unreadable } from '#server/connectors/kit/failures.ts'
import { firstTime } from '#server/connectors/kit/lists.ts'
import { callApi } from './client.ts'
import { adminQuotaKey } from './quotas.ts'
import { AccountSummaries, Property, type AccountSummary, type Ga4Io } from './schema.ts'

/** Every property that the login sees, each once. Their zone and currency have to be requested one by one. */
export async function* listAccounts(io: Ga4Io): AsyncGenerator<PlatformAccount[]> {
  const isNew = firstTime()
  for await (const summary of summariesOf(io)) {
    const fresh = summary.propertySummaries.map(({ property }) => property).filter(isNew)
    for (const some of chunked(fresh, AT_ONCE)) {
      const found = await Promise.all(some.map(property => visibleProperty(property, io)))
      yield found.flatMap(property => (property === null ? [] : accountOf(property, summary)))
    }
  }
}

/** The property, when it is in the login's list: a login that lists it may read its reports. */
export async function checkAccount({ external_id }: AccountRef, io: Ga4Io): Promise<PlatformAccount> {
  const property = await propertyOf(external_id, io)
  for await (const summary of summariesOf(io)) {
    if (summary.propertySummaries.some(({ property: id }) => id === external_id))
      return accountOf(property, summary)
  }
  throw new PlatformFailure('account_access_lost', {
    platform_message: `property ${external_id} is in no account summary`,
  })
}

const AT_ONCE = 5
const MOST_PAGES = 500

async function* summariesOf(io: Ga4Io): AsyncGenerator<AccountSummary> {
  let page_token: string | undefined
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const parameters = new URLSearchParams({ pageSize: '200', ...(page_token && { pageToken: page_token }) })
    const path = `v1beta/accountSummaries?${parameters}`
    const { accountSummaries, nextPageToken }: AccountSummaries = await callApi(
      { host: 'ga4_admin', path, quota: adminQuotaKey(io) },
      AccountSummaries,
      io,
    )
    yield* accountSummaries
    // An empty token is none.
    if (!nextPageToken) return
    page_token = nextPageToken
  }
  throw unreadable('accountSummaries: pages without end')
}

/** Access may be revoked between the list and the call. */
async function visibleProperty(id: string, io: Ga4Io): Promise<Property | null> {
  try {
    return await propertyOf(id, io)
  } catch (error) {
    if (error instanceof PlatformFailure && error.code === 'account_access_lost') return null
    throw error
  }
}

async function propertyOf(id: string, io: Ga4Io): Promise<Property> {
  const path = `v1beta/properties/${encodeURIComponent(id)}`
  const property = await callApi({ host: 'ga4_admin', path, quota: adminQuotaKey(io) }, Property, io)
  if (property.name !== id) throw unreadable(`property ${id}: another property`)
  return property
}

function accountOf(
  { name, displayName, timeZone, currencyCode, deleteTime }: Property,
  { account, displayName: account_name }: AccountSummary,
): PlatformAccount {
  return {
    provider: 'ga4',
    external_id: name,
    name: displayName,
    currency: currencyCode,
    timezone: timeZone,
    via: null,
    status: deleteTime === undefined ? 'enabled' : 'disabled',
    owner_name: account_name,
    analytics: { account_id: account, account_name, property_id: name, property_name: displayName },
  }
}

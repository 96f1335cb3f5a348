import type { z } from 'zod'
import { PlatformFailure, type AccountRef, type PlatformAccount } from '#server/connectors/connector.ts'
import { countedList, findAccount, firstTime } from '#server/connectors/kit/lists.ts'
import { callApi } from './client.ts'
import { AccountSummaries, Profiles, Reports, type ItemPage, type Profile, type UaIo } from './schema.ts'

const MANAGEMENT = '/analytics/v3/management'
const MOST_ITEMS = 1000

/** Every view that the login may read, with its account and property. */
export async function* listViews(io: UaIo): AsyncGenerator<PlatformAccount[]> {
  const names = await namesOf(io)
  const isNew = firstTime()
  for await (const profiles of listed(
    `${MANAGEMENT}/accounts/~all/webproperties/~all/profiles`,
    Profiles,
    io,
  )) {
    const fresh = profiles.filter(profile => isReadable(profile) && isNew(profile.id))
    yield fresh.map(profile => viewOf(profile, names))
  }
}

/** Requests a day of the view, too: that it is listed does not say that its reports are still available. */
export async function checkView({ external_id }: AccountRef, io: UaIo): Promise<PlatformAccount> {
  const day = { startDate: '2023-06-30', endDate: '2023-06-30' }
  const request = { viewId: external_id, dateRanges: [day], metrics: [{ expression: 'ga:sessions' }] }
  const body = { reportRequests: [request] }
  await callApi({ host: 'ua', path: '/v4/reports:batchGet', body, view: external_id }, Reports, io)
  const view = await findAccount(listViews(io), external_id)
  if (view) return view
  throw new PlatformFailure('account_access_lost', { platform_message: `view ${external_id} is not listed` })
}

const isReadable = ({ permissions }: Profile) =>
  permissions === undefined || permissions.effective.includes('READ_AND_ANALYZE')

/** The names of accounts and properties, by their ids; views say the ids only. */
async function namesOf(io: UaIo): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  for await (const accounts of listed(`${MANAGEMENT}/accountSummaries`, AccountSummaries, io)) {
    for (const { id, name, webProperties } of accounts) {
      names.set(id, name)
      for (const property of webProperties) names.set(property.id, property.name)
    }
  }
  return names
}

function viewOf(profile: Profile, names: ReadonlyMap<string, string>): PlatformAccount {
  const { id, name, accountId: account_id, webPropertyId: property_id, currency, timezone } = profile
  const account_name = names.get(account_id) ?? account_id
  const property_name = names.get(property_id) ?? property_id
  return {
    provider: 'universal_analytics',
    external_id: id,
    name,
    currency,
    timezone,
    status: 'enabled',
    owner_name: account_name,
    via: null,
    analytics: { account_id, account_name, property_id, property_name },
  }
}

/** The items of a list, page by page. */
function listed<Item extends { id: string }>(
  path: string,
  schema: z.ZodType<ItemPage<Item>>,
  io: UaIo,
): AsyncGenerator<Item[]> {
  const from = async (start: number) => {
    const query = `start-index=${start}&max-results=${MOST_ITEMS}`
    const call = { host: 'ua_management', path: `${path}?${query}`, view: null } as const
    const { items, totalResults } = await callApi(call, schema, io)
    return { items, total: totalResults }
  }
  return countedList({ from, idOf: ({ id }) => id }, path)
}

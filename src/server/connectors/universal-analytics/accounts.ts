import type { z } from 'zod'
import { PlatformFailure, type AccountRef, type PlatformAccount } from '#server/connectors/connector.ts'
import { unreadable } from '#server/connectors/kit/failures.ts'
import { callApi } from './client.ts'
import { AccountSummaries, Profiles, Reports, type ItemPage, type Profile, type UaIo } from './schema.ts'

const MANAGEMENT = '/analytics/v3/management'
const MOST_ITEMS = 1000
const MOST_PAGES = 1000

/** Every view that the login may read, with its place in the tree of accounts and properties. */
export async function* listViews(io: UaIo): AsyncGenerator<PlatformAccount[]> {
  const names = await namesOf(io)
  const known = new Set<string>()
  for await (const profiles of listed(
    `${MANAGEMENT}/accounts/~all/webproperties/~all/profiles`,
    Profiles,
    io,
  )) {
    const fresh = profiles.filter(profile => isReadable(profile) && known.size < known.add(profile.id).size)
    yield fresh.map(profile => viewOf(profile, names))
  }
}

/** Asks the view for a day, too: that it is listed does not say that its reports are still to be had. */
export async function checkView({ external_id }: AccountRef, io: UaIo): Promise<PlatformAccount> {
  const day = { startDate: '2023-06-30', endDate: '2023-06-30' }
  const request = { viewId: external_id, dateRanges: [day], metrics: [{ expression: 'ga:sessions' }] }
  const body = { reportRequests: [request] }
  await callApi({ host: 'ua', path: '/v4/reports:batchGet', body, view: external_id }, Reports, io)
  for await (const views of listViews(io)) {
    const view = views.find(each => each.external_id === external_id)
    if (view) return view
  }
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
async function* listed<Item extends { id: string }>(
  path: string,
  schema: z.ZodType<ItemPage<Item>>,
  io: UaIo,
): AsyncGenerator<Item[]> {
  const ids = new Set<string>()
  let items = 0
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const call = {
      host: 'ua_management',
      path: `${path}?start-index=${items + 1}&max-results=${MOST_ITEMS}`,
      view: null,
    } as const
    const page = await callApi(call, schema, io)
    yield page.items
    items += page.items.length
    for (const { id } of page.items) ids.add(id)
    if (page.items.length > 0 && items < page.totalResults) continue
    if (ids.size === page.totalResults) return
    throw unreadable(`${path}: ${ids.size} of ${page.totalResults} items`)
  }
  throw unreadable(`${path}: pages without end`)
}

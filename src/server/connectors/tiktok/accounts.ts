import { chunked } from '#shared/chunked.ts'
import { PlatformFailure, type AccountRef, type PlatformAccount } from '#server/connectors/connector.ts'
import { unreadable } from '#server/connectors/kit/failures.ts'
import { callApi } from './client.ts'
import {
  ADVERTISER_FIELDS,
  AdvertiserInfo,
  AuthorizedAdvertisers,
  BusinessAssets,
  BusinessCenters,
  type TikTokIo,
} from './schema.ts'

/** Ids that fit in one request. */
const MOST_IDS = 100
const PAGE_ROWS = 50
const MOST_PAGES = 1000

/**
 * The advertisers that the app has access to, and those of the login's business centers; what it may not read
 * any more is left out.
 */
export async function* listAccounts(io: TikTokIo): AsyncGenerator<PlatformAccount[]> {
  const ids = [...new Set([...(await authorizedIds(io)), ...(await centerIds(io))])]
  for (const chunk of chunked(ids, MOST_IDS)) {
    const accounts = await readable(chunk, io)
    if (accounts.length > 0) yield accounts
  }
}

export async function checkAccount({ external_id }: AccountRef, io: TikTokIo): Promise<PlatformAccount> {
  const [account] = await infoOf([external_id], io)
  if (account?.external_id !== external_id) throw unreadable('advertiser/info/: another advertiser')
  return account
}

async function authorizedIds(io: TikTokIo): Promise<string[]> {
  const params = { app_id: io.login.app_id, secret: io.login.app_secret }
  const call = { path: 'oauth2/advertiser/get/', params, account: null }
  const { data } = await callApi(call, AuthorizedAdvertisers, io)
  return data.list.map(({ advertiser_id }) => advertiser_id)
}

async function centerIds(io: TikTokIo): Promise<string[]> {
  const ids: string[] = []
  const centers = await orNothing(pages(page => centersAt(page, io)))
  for (const { bc_info } of centers) {
    const assets = await orNothing(pages(page => assetsAt(bc_info.bc_id, page, io)))
    const bound = assets.filter(({ relation_status = 'BOUND' }) => relation_status === 'BOUND')
    ids.push(...bound.map(({ asset_id }) => asset_id))
  }
  return ids
}

const centersAt = async (page: number, io: TikTokIo) => {
  const params = { page, page_size: PAGE_ROWS }
  return (await callApi({ path: 'bc/get/', params, account: null }, BusinessCenters, io)).data
}

const assetsAt = async (bc_id: string, page: number, io: TikTokIo) => {
  const params = { bc_id, asset_type: 'ADVERTISER', page, page_size: PAGE_ROWS }
  return (await callApi({ path: 'bc/asset/get/', params, account: null }, BusinessAssets, io)).data
}

async function pages<Item>(
  at: (page: number) => Promise<{ list: Item[]; page_info: { total_page: number } }>,
): Promise<Item[]> {
  const items: Item[] = []
  for (let page = 1, last = 1; page <= last; page += 1) {
    const { list, page_info } = await at(page)
    items.push(...list)
    last = page_info.total_page
    if (last > MOST_PAGES) throw unreadable(`a list of ${last} pages`)
  }
  return items
}

/** Not every app has the scope for business centers, nor every person the rights in each. */
async function orNothing<Item>(items: Promise<Item[]>): Promise<Item[]> {
  try {
    return await items
  } catch (error) {
    if (!isNoAccess(error)) throw error
    return []
  }
}

/** TikTok refuses a whole list for one advertiser without access: halves show which. */
async function readable(ids: string[], io: TikTokIo): Promise<PlatformAccount[]> {
  try {
    return await infoOf(ids, io)
  } catch (error) {
    if (!isNoAccess(error)) throw error
    if (ids.length === 1) return []
    const halves = chunked(ids, Math.ceil(ids.length / 2))
    const accounts: PlatformAccount[] = []
    for (const half of halves) accounts.push(...(await readable(half, io)))
    return accounts
  }
}

async function infoOf(ids: string[], io: TikTokIo): Promise<PlatformAccount[]> {
  const params = { advertiser_ids: ids, fields: ADVERTISER_FIELDS }
  const [first = null] = ids.length === 1 ? ids : []
  const { data } = await callApi({ path: 'advertiser/info/', params, account: first }, AdvertiserInfo, io)
  const known = new Map(data.list.map(advertiser => [advertiser.external_id, advertiser]))
  if ([...known.keys()].some(id => !ids.includes(id)))
    throw unreadable('advertiser/info/: another advertiser')
  return [...known.values()]
}

const isNoAccess = (error: unknown) =>
  error instanceof PlatformFailure && error.code === 'account_access_lost'

import { BUSINESS_CENTERS, type TikTokAccount } from '#sandbox/dataset/tiktok.ts'
import { advertiserFor, type Caller } from './access.ts'
import { invalid, noPermission, TikTokError } from './errors.ts'
import { filteringOf, pageOf, positionOf, project } from './lists.ts'
import type { Parameters } from './parameters.ts'

const MOST_IDS = 100

/** GET /advertiser/info/ */
export function advertiserInfo(parameters: Parameters, caller: Caller): unknown {
  const ids = parameters.list('advertiser_ids')
  const fields = parameters.list('fields')
  parameters.refuseUnknown()
  if (!ids || ids.length === 0) throw invalid('advertiser_ids: Missing data for required field.')
  if (ids.length > MOST_IDS) throw new TikTokError(40011, `advertiser_ids: At most ${MOST_IDS} ids.`)
  return { list: ids.map(id => project(infoOf(advertiserFor(caller, id)), fields)) }
}

/** The sign of these names is inverted: Etc/GMT-8 is eight hours ahead of UTC. */
const FIXED_ZONES: Partial<Record<TikTokAccount['time_zone'], string>> = {
  'Asia/Taipei': 'Etc/GMT-8',
  'Asia/Tokyo': 'Etc/GMT-9',
}
const COUNTRIES = { TWD: 'TW', JPY: 'JP', USD: 'US' } as const

export const zoneName = (account: TikTokAccount) => FIXED_ZONES[account.time_zone] ?? account.time_zone

const infoOf = (account: TikTokAccount): Record<string, unknown> => ({
  advertiser_id: account.id,
  name: account.name,
  currency: account.currency,
  timezone: zoneName(account),
  display_timezone: account.time_zone,
  status: 'STATUS_ENABLE',
  role: 'ROLE_ADVERTISER',
  country: COUNTRIES[account.currency],
  company: account.advertiser,
  owner_bc_id:
    account.relation === 'OWNER_BC' ? account.business_center : `69000000000000${account.number + 10_000}`,
  balance: account.number * 123.45,
  create_time: 1_670_000_000 + account.number,
})

/** GET /bc/get/ */
export function businessCenters(parameters: Parameters, caller: Caller): unknown {
  const position = positionOf(parameters, 50)
  parameters.refuseUnknown()
  return pageOf(
    centersOf(caller).map(center => ({
      bc_info: {
        bc_id: center.id,
        name: center.name,
        company: center.name,
        currency: center.currency,
        registered_area: COUNTRIES[center.currency],
        status: 'ENABLE',
        timezone: center.timezone,
        type: center.type,
      },
      user_role: 'ADMIN',
    })),
    position,
  )
}

const ASSET_TYPES = ['ADVERTISER', 'PIXEL', 'CATALOG', 'TT_ACCOUNT', 'STOREFRONT', 'LEAD', 'APP'] as const

/** GET /bc/asset/get/; business centers here have nothing but ad accounts. */
export function businessAssets(parameters: Parameters, caller: Caller): unknown {
  const id = parameters.required('bc_id')
  const type = parameters.choice('asset_type', ASSET_TYPES)
  const { keyword } = filteringOf(parameters, ['keyword'])
  const position = positionOf(parameters, 50)
  parameters.refuseUnknown()
  if (type === null) throw invalid('asset_type: Missing data for required field.')
  if (!centersOf(caller).some(center => center.id === id)) {
    throw new TikTokError(40001, `No permission to operate business center ${id}.`)
  }
  const needle = typeof keyword === 'string' ? keyword.toLowerCase() : ''
  const accounts = type === 'ADVERTISER' ? caller.accounts : []
  const found = accounts.filter(
    account =>
      account.business_center === id &&
      (account.name.toLowerCase().includes(needle) || account.id.includes(needle)),
  )
  return pageOf(found.map(assetOf), position)
}

const assetOf = (account: TikTokAccount) => ({
  asset_type: 'ADVERTISER',
  asset_id: account.id,
  asset_name: account.name,
  relation_type: account.relation,
  relation_status: account.traits.includes('revoked') ? 'UNBOUND' : 'BOUND',
  advertiser_status: account.is_deleted ? 'STATUS_DELETE' : 'STATUS_ENABLE',
  advertiser_role: account.relation === 'OWNER_BC' ? 'ADMIN' : 'ANALYST',
})

const centersOf = (caller: Caller) =>
  BUSINESS_CENTERS.filter(center => caller.accounts.some(account => account.business_center === center.id))

/** Advertisers that this one may share with: those of its business center. */
export function neighbourOf(account: TikTokAccount, caller: Caller, id: string): TikTokAccount {
  const other = advertiserFor(caller, id)
  if (other.business_center !== account.business_center || other.id === account.id) throw noPermission(id)
  return other
}

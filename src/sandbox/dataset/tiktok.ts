import { type Account, ACCOUNTS, type Advertiser } from './agency.ts'
import type { Ad, AdSet, Campaign, EffectiveStatus, Objective } from './campaigns.ts'
import type { Metric } from './metrics.ts'
import type { Part } from './split.ts'

// What the agency has at TikTok beyond the accounts of agency.ts: accounts in odd states, business centers,
// and TikTok's own words for what every platform has.

export interface TikTokAccount extends Account {
  /** The login of the agency has it; the administrator has all. */
  is_agencys: boolean
  is_deleted: boolean
  /** Synchronous reports include at most this many ids, the newest; TikTok's own number is 20,000. */
  most_ids: number
  business_center: string
  relation: 'OWNER_BC' | 'OWNER_PARTNER'
}

const AGENCY_CENTER = '6900000000000000001'
const OTHER_CENTER = '6900000000000000002'

export const BUSINESS_CENTERS = [
  { id: AGENCY_CENTER, name: 'Sheetcast Agency', type: 'AGENCY', currency: 'TWD', timezone: 'Asia/Taipei' },
  {
    id: OTHER_CENTER,
    name: '"Ember & friends" 100%_[BC]',
    type: 'DIRECT',
    currency: 'USD',
    timezone: 'America/Los_Angeles',
  },
] as const

const ODD: [string, string, Advertiser, Partial<TikTokAccount>][] = [
  [
    '7012345678901230161',
    'Ember TikTok Worldwide (very large)',
    'Ember Games',
    { traits: ['large'], most_ids: 1000 },
  ],
  ['7012345678901230162', 'Delta TikTok new (empty)', 'Delta Fitness', { traits: ['empty'] }],
  ['7012345678901230163', 'Fjord TikTok (access revoked)', 'Fjord Travel', { traits: ['revoked'] }],
  ['7012345678901230164', 'Cedar TikTok (deleted)', 'Cedar Coffee', { is_deleted: true }],
  ['7012345678901230165', 'Ember TikTok (report tasks fail)', 'Ember Games', { traits: ['async_failed'] }],
]

export const TIKTOK_ACCOUNTS: readonly TikTokAccount[] = [
  ...ACCOUNTS.filter(account => account.channel === 'tt').map(account => ({
    ...account,
    is_agencys: true,
    is_deleted: false,
    most_ids: 20_000,
    business_center: AGENCY_CENTER,
    relation: account.number % 2 === 0 ? ('OWNER_BC' as const) : ('OWNER_PARTNER' as const),
  })),
  ...ODD.map(([id, name, advertiser, what], index) => ({
    number: 161 + index,
    channel: 'tt' as const,
    id,
    name,
    advertiser,
    currency: 'USD' as const,
    time_zone: 'America/Los_Angeles' as const,
    traits: [],
    is_agencys: false,
    is_deleted: false,
    most_ids: 20_000,
    business_center: OTHER_CENTER,
    relation: 'OWNER_BC' as const,
    ...what,
  })),
]

/** The id at TikTok of a campaign, an ad group or an ad: 19 digits. */
export const tiktokId = (node: Campaign | AdSet | Ad) => `178000${node.id.slice(5)}`

export const OBJECTIVE_TYPES: Record<Objective, string> = {
  sales: 'WEB_CONVERSIONS',
  leads: 'LEAD_GENERATION',
  traffic: 'TRAFFIC',
  engagement: 'REACH',
  video: 'VIDEO_VIEWS',
  app: 'APP_PROMOTION',
}

/** What an ad group of such a campaign is optimized for, and what its `conversion` counts. */
export const OPTIMIZED_FOR: Record<Objective, readonly Metric[]> = {
  sales: ['web_purchases', 'view_conversions', 'engaged_conversions'],
  leads: ['web_leads', 'onsite_leads', 'view_conversions', 'engaged_conversions'],
  traffic: [],
  engagement: [],
  video: [],
  app: ['app_installs', 'view_conversions', 'engaged_conversions'],
}

/** What Ads Manager calls the result of a campaign; campaigns for reach count people. */
export const RESULT_OF: Record<Objective, readonly Metric[] | 'people'> = {
  ...OPTIMIZED_FOR,
  traffic: ['link_clicks'],
  engagement: 'people',
  video: ['watched_6s'],
}

/** TikTok has no archive: what is archived elsewhere is switched off here. */
export const operationStatus = (status: EffectiveStatus) =>
  status === 'DELETED' ? 'DELETE' : status === 'ACTIVE' ? 'ENABLE' : 'DISABLE'

type Shares = Record<string, number>
const flat = (name: string, shares: Shares): Part[] =>
  Object.entries(shares).map(([value, share]) => ({ keys: { [name]: value }, share, group: value }))

const AGES: Shares = {
  AGE_13_17: 0.06,
  AGE_18_24: 0.33,
  AGE_25_34: 0.31,
  AGE_35_44: 0.17,
  AGE_45_54: 0.08,
  AGE_55_100: 0.05,
}
const GENDERS: Shares = { FEMALE: 0.55, MALE: 0.43, NONE: 0.02 }
const COUNTRIES: Record<Account['time_zone'], Shares> = {
  'Asia/Taipei': { TW: 0.94, HK: 0.06 },
  'Asia/Tokyo': { JP: 0.95, TW: 0.05 },
  'America/Los_Angeles': { US: 0.85, CA: 0.15 },
}

/** The parts of an audience dimension; none for those of which no account has anything. */
export function audienceParts(dimensions: readonly string[], account: Account): readonly Part[] {
  switch (dimensions.toSorted().join(',')) {
    case 'platform':
      return flat('platform', { ANDROID: 0.52, IOS: 0.45, PC: 0.02, UNKNOWN: 0.01 })
    case 'age':
      return flat('age', AGES)
    case 'gender':
      return flat('gender', GENDERS)
    case 'age,gender':
      return flat('age', AGES).flatMap(age =>
        flat('gender', GENDERS).map(gender => ({
          keys: { ...age.keys, ...gender.keys },
          share: age.share * gender.share,
          group: age.group,
        })),
      )
    case 'country_code':
      return flat('country_code', COUNTRIES[account.time_zone])
    case 'placement':
      return flat('placement', { TikTok: 0.9, Pangle: 0.08, 'Global App Bundle': 0.02 })
    case 'ac':
      return flat('ac', { WIFI: 0.6, '4G': 0.28, '5G': 0.12 })
    case 'language':
      return flat('language', { zh: 0.5, ja: 0.25, en: 0.25 })
    default:
      return []
  }
}

import { type Account, ACCOUNTS, type Advertiser } from './agency.ts'
import type { Ad, AdSet, Campaign, Objective } from './campaigns.ts'
import type { Metric } from './metrics.ts'
import type { Part } from './split.ts'

// What the agency has at LINE beyond the accounts of agency.ts: accounts in odd states, groups, and LINE's
// own words for what every platform has.

export interface LineAccount extends Account {
  country: 'TW' | 'JP' | 'TH'
  is_removed: boolean
  /** Whether its advertiser has given the agency its audiences too. */
  grants_audiences: boolean
  /** The group that owns it, and those it is linked to. */
  owner: string
  linked: readonly string[]
}

export const GROUPS = [
  { id: 'G10000000001', name: 'Sheetcast Agency', parent: null, is_agencys: true },
  { id: 'G10000000002', name: 'Sheetcast Agency 日本', parent: 'G10000000001', is_agencys: true },
  { id: 'G10000000003', name: '"Ember & friends" 100%_[group]', parent: null, is_agencys: false },
] as const

type Odd = [string, string, Advertiser, Partial<LineAccount>]
const ODD: Odd[] = [
  // The dataset has no baht: the account is billed in dollars.
  ['A71000000171', 'Fjord LINE ประเทศไทย', 'Fjord Travel', { country: 'TH', currency: 'USD' }],
  ['A72000000172', 'Delta LINE new (empty)', 'Delta Fitness', { traits: ['empty'] }],
  ['A73000000173', 'Ember LINE (reports fail)', 'Ember Games', { traits: ['async_failed'] }],
  ['A74000000174', 'Cedar LINE (removed)', 'Cedar Coffee', { is_removed: true }],
  ['A75000000175', 'Delta LINE (access revoked)', 'Delta Fitness', { traits: ['revoked'] }],
  ['A76000000176', 'Ember LINE (very large)', 'Ember Games', { traits: ['large'] }],
]

export const LINE_ACCOUNTS: readonly LineAccount[] = [
  ...ACCOUNTS.filter(account => account.channel === 'ln').map(account => ({
    ...account,
    country: account.currency === 'JPY' ? ('JP' as const) : ('TW' as const),
    is_removed: false,
    grants_audiences: account.number !== 39,
    owner: account.currency === 'JPY' ? 'G10000000002' : 'G10000000001',
    // The second and the fourth belong to their advertisers; the agency was given the link.
    ...(account.number % 2 === 0
      ? {
          owner: `G2000000000${account.number % 10}`,
          linked: [account.currency === 'JPY' ? 'G10000000002' : 'G10000000001'],
        }
      : { linked: [] }),
  })),
  ...ODD.map(([id, name, advertiser, what], index) => ({
    number: 171 + index,
    channel: 'ln' as const,
    id,
    name,
    advertiser,
    currency: 'TWD' as const,
    time_zone: 'Asia/Taipei' as const,
    traits: [],
    country: 'TW' as const,
    is_removed: false,
    grants_audiences: true,
    owner: 'G10000000003',
    linked: [],
    ...what,
  })),
]

/** The id at LINE of a campaign, an ad group or an ad: a number that JSON can carry. */
export const lineId = (node: Campaign | AdSet | Ad) => Number(node.id.slice(5))

export const LINE_OBJECTIVES: Record<Objective, string> = {
  sales: 'WEBSITE_CONVERSION',
  leads: 'WEBSITE_CONVERSION',
  traffic: 'VISIT_MY_WEBSITE',
  engagement: 'GAIN_FRIENDS',
  video: 'VIDEO_VIEW',
  app: 'APP_INSTALL',
}

/** What a campaign's CV counts; for those that gain friends, the friends. */
export const CV_OF: Record<Objective, readonly Metric[]> = {
  sales: ['web_purchases'],
  leads: ['web_leads', 'onsite_leads'],
  traffic: [],
  engagement: ['page_likes'],
  video: [],
  app: [],
}

/** Conversions that the advertiser defined; a name is only a column while something was counted. */
export const CUSTOM_CONVERSIONS: readonly { id: number; name: string; metric: Metric }[] = [
  { id: 8001, name: '予約 "完了", 100%', metric: 'custom_conversions' },
  { id: 8002, name: 'Catalogue download', metric: 'custom_downloads' },
]

type Shares = Record<string, number>
const flat = (shares: Shares): Part[] =>
  Object.entries(shares).map(([value, share]) => ({ keys: { value }, share, group: value }))

/** What a report may be cut by. */
export const LINE_PARTS = {
  os: flat({ iOS: 0.58, Android: 0.42 }),
  gender: flat({ Male: 0.44, Female: 0.53, Unknown: 0.03 }),
  age: flat({ '15-19': 0.07, '20-24': 0.15, '25-29': 0.18, '30-39': 0.28, '40-49': 0.19, '50-': 0.13 }),
  area: flat({ North: 0.5, Central: 0.27, South: 0.23 }),
  interest: flat({ Beauty: 0.4, Sports: 0.3, Travel: 0.3 }),
  behavior: flat({ 'Frequent buyers': 0.3, Others: 0.7 }),
  status: flat({ Single: 0.5, Married: 0.5 }),
  purchase_intent: flat({ High: 0.2, Low: 0.8 }),
  service_group: flat({ LINE: 0.72, 'LINE family services': 0.2, 'LINE ads network': 0.08 }),
  carousel: flat({ 1: 0.5, 2: 0.3, 3: 0.2 }),
  image_size: flat({ '1080x1080': 0.6, '600x400': 0.4 }),
} satisfies Record<string, readonly Part[]>

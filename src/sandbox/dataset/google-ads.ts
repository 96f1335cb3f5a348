import { type Account, ACCOUNTS } from './agency.ts'
import type { PersonId } from './persons.ts'
import type { AdSet, Campaign, Objective } from './campaigns.ts'
import { hashOf, mix, pick } from './hash.ts'
import type { Metric } from './metrics.ts'
import { THEMES } from './names.ts'

// What the agency has at Google Ads beyond the accounts of agency.ts: the managers above them, types of
// campaigns, keywords and conversion actions.

export interface GoogleCustomer extends Account {
  manager: boolean
  status: 'ENABLED' | 'CANCELED'
}

const managerOf = (number: number, id: string, name: string): GoogleCustomer => ({
  number,
  channel: 'aw',
  id,
  name,
  advertiser: 'Aurora Cosmetics',
  currency: 'TWD',
  time_zone: 'Asia/Taipei',
  traits: ['empty'],
  manager: true,
  status: 'ENABLED',
})

const MANAGERS = [
  managerOf(201, '1110000001', 'Sheetcast Agency MCC'),
  managerOf(202, '1110000002', 'Sheetcast Agency 日本 MCC'),
  managerOf(203, '1110000003', 'Sheetcast "Games & Travel" 100%_[sub]'),
]

/** A closed account without a name, and one whose customer has withdrawn the access from the agency. */
const ODD: readonly GoogleCustomer[] = [
  { number: 211, id: '5203141511', name: '', status: 'CANCELED' as const },
  { number: 212, id: '6203141512', name: 'Cedar Coffee (access revoked)', status: 'ENABLED' as const },
].map(odd => ({
  ...odd,
  channel: 'aw' as const,
  advertiser: 'Cedar Coffee' as const,
  currency: 'JPY' as const,
  time_zone: 'Asia/Tokyo' as const,
  traits: ['empty'] as const,
  manager: false,
}))

export const GOOGLE_CUSTOMERS: readonly GoogleCustomer[] = [
  ...MANAGERS,
  ...ACCOUNTS.filter(account => account.channel === 'aw').map(account => ({
    ...account,
    manager: false,
    status: 'ENABLED' as const,
  })),
  ...ODD,
]

/** Manager → its direct children. The second account of Aurora hangs under two managers. */
export const CHILDREN: Readonly<Record<string, readonly string[]>> = {
  '1110000001': ['4203141501', '4203141502', '5203141503', '7203141505', '1110000003', '5203141511'],
  '1110000002': ['4203141502', '6203141504'],
  '1110000003': ['8203141506', '9203141507'],
}

/** What a login can open by itself, managers included; the rest is reached through those. */
export const GRANTS: Readonly<Record<'sandbox-admin' | 'sandbox-agency' | PersonId, readonly string[]>> = {
  'sandbox-agency': ['1110000001', '1110000002', '7203141505'],
  'sandbox-admin': ['1110000001', '1110000002', '7203141505', '6203141512'],
  'agency-admin': ['1110000001', '1110000002', '7203141505', '6203141512'],
  'agency-analyst': ['4203141501', '4203141502', '5203141503'],
  'client-admin': ['6203141504', '6203141512'],
  nobody: [],
}

export type ChannelType =
  | 'SEARCH'
  | 'DISPLAY'
  | 'SHOPPING'
  | 'VIDEO'
  | 'PERFORMANCE_MAX'
  | 'DEMAND_GEN'
  | 'MULTI_CHANNEL'

const TYPES: Record<Objective, readonly [ChannelType, ...ChannelType[]]> = {
  sales: ['SEARCH', 'PERFORMANCE_MAX', 'SEARCH', 'SHOPPING'],
  leads: ['SEARCH', 'PERFORMANCE_MAX'],
  traffic: ['SEARCH', 'DISPLAY'],
  engagement: ['DEMAND_GEN', 'DISPLAY'],
  video: ['VIDEO'],
  app: ['MULTI_CHANNEL'],
}

export const channelTypeOf = (campaign: Campaign): ChannelType =>
  pick(hashOf(campaign.id) >>> 5, TYPES[campaign.objective])

export interface Keyword {
  id: string
  text: string
  match_type: 'EXACT' | 'PHRASE' | 'BROAD'
  status: 'ENABLED' | 'PAUSED' | 'REMOVED'
  quality_score: number
  /** Its usual part of the ad group's impressions. */
  share: number
}

const HURTING_KEYWORDS = [
  '=1+1',
  "women's gifts",
  '口紅 おすすめ',
  '100% cotton_new [sale]',
  'back\\slash',
  '☕ near me',
]
const MATCH_TYPES = ['EXACT', 'PHRASE', 'BROAD'] as const

/** The keywords of an ad group: the first text has two match types, the last keyword was removed. */
export function keywordsOf(account: Account, adSet: AdSet): Keyword[] {
  const themes = THEMES[account.advertiser]
  const theme = pick(adSet.seed >>> 2, themes).toLowerCase()
  const texts = [
    theme,
    theme,
    `buy ${theme}`,
    pick(adSet.seed, ['best', 'cheap', '特價'] as const) + ` ${theme}`,
  ]
  const ugly = HURTING_KEYWORDS[(adSet.seed >>> 4) % HURTING_KEYWORDS.length] ?? ''
  return [...texts, ugly].map((text, index, all) => {
    const seed = mix(adSet.seed, 4000 + index)
    return {
      id: String(300_000_000_000 + (seed >>> 0)),
      text,
      match_type: MATCH_TYPES[index % 3] ?? 'BROAD',
      status: index === all.length - 1 ? 'REMOVED' : 'ENABLED',
      quality_score: 1 + ((seed >>> 3) % 10),
      share: 1 / (index + 1),
    }
  })
}

export interface ConversionAction {
  id: string
  name: string
  category: string
  /** Counts among `conversions`; otherwise only among `all_conversions`. */
  primary: boolean
  counts: readonly Metric[]
  value: Metric | null
  /** The part of each conversion that is credited to ads, in sixteenths: so that sums are exact. */
  credit: number
}

export const CONVERSION_ACTIONS: readonly ConversionAction[] = [
  {
    id: '701',
    name: 'Purchase (web)',
    category: 'PURCHASE',
    primary: true,
    counts: ['web_purchases'],
    value: 'web_purchase_value',
    credit: 15,
  },
  {
    id: '702',
    name: 'Lead form "資料請求" 100%_[new]',
    category: 'SUBMIT_LEAD_FORM',
    primary: true,
    counts: ['web_leads', 'onsite_leads'],
    value: null,
    credit: 16,
  },
  {
    id: '703',
    name: 'App install',
    category: 'DOWNLOAD',
    primary: true,
    counts: ['app_installs'],
    value: 'app_purchase_value',
    credit: 16,
  },
  {
    id: '704',
    name: 'Sign-up',
    category: 'SIGNUP',
    primary: false,
    counts: ['complete_registration'],
    value: null,
    credit: 14,
  },
]

import { ANALYTICS, type AnalyticsSource, type Currency } from './agency.ts'
import { knownDay } from './calendar.ts'

// What the agency has in GA4: accounts, properties, and what is special about some of them.

/**
 * `revoked`: the agency was taken off it. `restricted`: the agency may not see revenue and cost. `signals`:
 * rows with few people are withheld. `empty`: nothing was ever counted.
 */
type Trait = 'revoked' | 'restricted' | 'signals' | 'empty'

export interface Property extends Omit<AnalyticsSource, 'kind' | 'account_name'> {
  account_name: string
  trait: Trait | null
  /** Ten times the quota. */
  is_360: boolean
  /** Has registered customEvent:event_category. */
  has_category: boolean
  created: number
  /** Visits of an ordinary day. */
  daily: number
}

const usual = ANALYTICS.flatMap(({ kind, ...source }, index): Property[] =>
  kind === 'ga4_property'
    ? [
        {
          ...source,
          trait: null,
          is_360: index < 2,
          has_category: index % 4 < 2,
          created: knownDay('2021-03-01') + index * 40,
          daily: 60 + ((index * 37) % 80),
        },
      ]
    : [],
)

const ODD: [Trait, string, string][] = [
  ['revoked', '384626441', 'Fjord Travel blog - GA4'],
  ['restricted', '384626442', 'Fjord Travel "rewards" 100%_[new] - GA4'],
  ['signals', '384626443', '峽灣旅遊 app + web 🛳'],
  ['empty', '384626444', 'Fjord Travel 2027'],
]

export const PROPERTIES: readonly Property[] = [
  ...usual,
  ...ODD.flatMap(([trait, property_id, property_name]): Property[] => {
    const like = usual.at(-1)
    return like
      ? [{ ...like, trait, property_id, property_name, is_360: false, has_category: true, daily: 40 }]
      : []
  }),
]

/** Accounts by their order; the last has no properties. */
export const GA4_ACCOUNTS: readonly { id: string; name: string }[] = [
  ...new Map(
    PROPERTIES.map(({ account_id, account_name }) => [account_id, { id: account_id, name: account_name }]),
  ).values(),
  { id: '314159', name: 'Delta Fitness (no property yet)' },
]

export interface Ga4Audience {
  id: string
  name: string
  /** How long people stay in it. */
  days: number
  /** In any 30 days. */
  users: number
}

/** By property; the others have none. */
export const AUDIENCES: Readonly<Record<string, readonly Ga4Audience[]>> = {
  '384626431': [
    { id: '77', name: 'Cart, no purchase', days: 30, users: 1840 },
    { id: '78', name: '購買者 "VIP" 100%_[new]', days: 180, users: 912 },
  ],
  '384626433': [
    { id: '77', name: 'Cart, no purchase', days: 30, users: 655 },
    { id: '90', name: '定期購入 ☕', days: 540, users: 41 },
  ],
}

export const IN_DOLLARS: Record<Currency, number> = { USD: 1, TWD: 32, JPY: 150 }

export interface Traffic {
  source: string
  medium: string
  campaign: string
  term: string
  content: string
  channel: string
  share: number
}

const NOT_SET = '(not set)'
const line = (
  [source, medium, channel]: [string, string, string],
  share: number,
  [campaign = NOT_SET, term = NOT_SET, content = NOT_SET]: string[] = [],
): Traffic => ({ source, medium, campaign, term, content, channel, share })

export const GA4_TRAFFIC: readonly Traffic[] = [
  line(['(direct)', '(none)', 'Direct'], 0.22, ['(direct)']),
  line(['google', 'organic', 'Organic Search'], 0.24, ['(organic)']),
  line(['google', 'cpc', 'Paid Search'], 0.1, ['Brand', 'brand name', 'Headline A']),
  line(['google', 'cpc', 'Paid Search'], 0.06, ['100%_off [sale] "x"', '=1+1', 'Headline B']),
  line(['google', 'cpc', 'Cross-network'], 0.05, ['PMax 全部商品']),
  line(['facebook', 'paid_social', 'Paid Social'], 0.09, ['春夏彩妝', NOT_SET, 'Carousel 🛒']),
  line(['Facebook', 'paid_social', 'Paid Social'], 0.03, ['春夏彩妝', NOT_SET, 'Video \\ cut']),
  line(['yahoo', 'organic', 'Organic Search'], 0.05, ['(organic)']),
  line(['yahoo', 'cpc', 'Paid Search'], 0.04, ['test 検索', '通販', 'A']),
  line(['line', 'social', 'Organic Social'], 0.04, ['newsletter']),
  line(['newsletter', 'email', 'Email'], 0.05, ['2026-03-04', NOT_SET, 'footer']),
  line(['partner.example', 'referral', 'Referral'], 0.03, ['(referral)']),
]

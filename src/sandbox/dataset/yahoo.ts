import { type Account, ACCOUNTS, type Advertiser } from './agency.ts'
import type { AdSet } from './campaigns.ts'
import { between, hashOf, mix } from './hash.ts'
import type { Metric } from './metrics.ts'
import { THEMES } from './names.ts'
import type { Part } from './split.ts'

// What the agency has at Yahoo beyond the accounts of agency.ts: accounts in odd states, managers above them,
// devices and keywords.

type Product = 'ly_search' | 'ly_display'

/**
 * SERVING, SUSPENDED and ENDED are the platform's words. `test`: hidden unless requested. `revoked`: the
 * customer has withdrawn the access. `expired`: the login behind it has expired. `failing`: its report jobs
 * fail.
 */
export interface YahooAccount extends Account {
  status: 'SERVING' | 'SUSPENDED' | 'ENDED'
  is_test: boolean
  is_failing: boolean
  /** Reached through the managers only. */
  is_indirect: boolean
  /** The login of the agency has it; the administrator has all. */
  is_agencys: boolean
}

const ODD: [Product, string, string, Advertiser, Partial<YahooAccount>][] = [
  ['ly_search', '1001980', 'Borealis 検索 (suspended)', 'Borealis Outdoor', { status: 'SUSPENDED' }],
  ['ly_search', '1001981', 'Ember 検索 (test account)', 'Ember Games', { is_test: true, is_agencys: true }],
  ['ly_search', '1001982', 'Delta 検索 (ended)', 'Delta Fitness', { status: 'ENDED' }],
  ['ly_search', '1001983', 'Fjord 検索 (access revoked)', 'Fjord Travel', { traits: ['revoked'] }],
  ['ly_search', '1001984', 'Cedar 検索 (login expired)', 'Cedar Coffee', { traits: ['expired'] }],
  ['ly_search', '1001985', 'Aurora 検索 new (empty)', 'Aurora Cosmetics', { traits: ['empty'] }],
  ['ly_search', '1001986', 'Ember 検索 (report jobs fail)', 'Ember Games', { is_failing: true }],
  ['ly_display', '1002980', 'Borealis ディスプレイ (suspended)', 'Borealis Outdoor', { status: 'SUSPENDED' }],
  [
    'ly_display',
    '1002981',
    'Ember ディスプレイ (test account)',
    'Ember Games',
    { is_test: true, is_agencys: true },
  ],
  ['ly_display', '1002986', 'Ember ディスプレイ (report jobs fail)', 'Ember Games', { is_failing: true }],
]

/** The second account of each product hangs below a second manager. */
const INDIRECT = new Set(['1001927', '1002929'])

const USUAL = { status: 'SERVING', is_test: false, is_failing: false, is_indirect: false } as const

const LY_ACCOUNTS: readonly YahooAccount[] = [
  ...ACCOUNTS.filter(account => account.provider?.startsWith('ly_')).map(account => ({
    ...account,
    ...USUAL,
    is_indirect: INDIRECT.has(account.id),
    is_agencys: true,
  })),
  ...ODD.map(([provider, id, name, advertiser, what], index) => ({
    ...USUAL,
    is_agencys: false,
    number: 141 + index,
    channel: 'yg' as const,
    provider,
    id,
    name,
    advertiser,
    currency: 'JPY' as const,
    time_zone: 'Asia/Tokyo' as const,
    traits: [],
    ...what,
  })),
]

export const lyAccounts = (product: Product) => LY_ACCOUNTS.filter(account => account.provider === product)

/**
 * The agency's managers: one above all, one below it that holds the accounts reached through managers only.
 */
export const LY_MANAGERS = {
  ly_search: {
    root: { id: '1000100', name: 'Sheetcast Agency MCC' },
    child: { id: '1000101', name: 'Sheetcast Agency MCC 東京' },
  },
  ly_display: {
    root: { id: '1000200', name: 'Sheetcast Agency MCC (Display)' },
    child: { id: '1000201', name: 'Sheetcast Agency MCC 東京 (Display)' },
  },
} as const

export const DEVICES = {
  ly_search: { pc: 0.3, smartphone: 0.62, tablet: 0.07, other: 0.01 },
  ly_display: { pc: 0.22, mobile: 0.01, smartphone: 0.6, tablet: 0.08, connected_tv: 0.07, other: 0.02 },
  yahoo_dsp: { pc: 0.34, smartphone: 0.55, tablet: 0.08, connected_tv: 0.03 },
} as const

export interface YahooConversion {
  name: string
  /** What LY calls its purpose. */
  purpose: string
  /** What is counted for it. */
  counts: readonly Metric[]
}

/** Together they have whatever the product counts as a conversion; none has a part of another. */
export const CONVERSIONS: Record<Product, readonly YahooConversion[]> = {
  ly_search: [
    {
      name: 'Purchase',
      purpose: 'Purchase / Sales',
      counts: ['web_purchases', 'web_purchase_value', 'custom_conversions'],
    },
    { name: '会員登録 "無料", 100%_\\', purpose: 'Sign-up', counts: ['complete_registration'] },
    { name: '資料請求', purpose: 'Lead', counts: ['web_leads'] },
  ],
  ly_display: [
    {
      name: 'Purchase',
      purpose: 'Purchase / Sales',
      counts: ['web_purchases', 'web_purchase_value', 'view_throughs', 'add_to_cart'],
    },
    { name: "Lead's form, 資料請求", purpose: 'Lead', counts: ['web_leads'] },
    { name: 'Page "会社概要" viewed', purpose: 'Other', counts: ['custom_conversions'] },
  ],
}

/**
 * How the searches behind an ad set lie over its keywords; the last part is what no keyword of it matched.
 */
const KEYWORD_SHARES = [0.4, 0.25, 0.16, 0.1, 0.09]
export const NO_KEYWORD = String(KEYWORD_SHARES.length - 1)

/**
 * Keyword by device, the finest parts there are: every report is a sum of these, so that all reports agree.
 */
export const SEARCH_PARTS: readonly Part[] = KEYWORD_SHARES.flatMap((keywordShare, keyword) =>
  Object.entries(DEVICES.ly_search).map(([device, share]) => ({
    keys: { keyword: String(keyword), device },
    share: keywordShare * share,
    group: `${keyword} ${device}`,
  })),
)

export const deviceParts = (provider: 'ly_display' | 'yahoo_dsp'): Part[] =>
  Object.entries(DEVICES[provider]).map(([device, share]) => ({ keys: { device }, share, group: device }))

const MATCHES = ['exact', 'phrase', 'broad'] as const
export interface Keyword {
  id: string
  text: string
  match: (typeof MATCHES)[number]
  quality: number
  bid: number
}

const ENDINGS = ['', ' 口コミ', ' 通販', ' 100%_"お得"']

/** The keyword of that number in an ad set; two ad sets of a campaign may have the same text. */
export function keywordOf(account: Account, adSet: AdSet, index: number): Keyword {
  const hash = mix(adSet.seed, 600 + index)
  const themes = THEMES[account.advertiser]
  const theme = themes[(hash >>> 4) % themes.length] ?? ''
  return {
    id: `7${adSet.id.slice(5, 8)}${adSet.id.slice(9, 15)}${String(index + 1).padStart(2, '0')}`,
    text: `${theme}${ENDINGS[index] ?? ''}`,
    match: MATCHES[(hash >>> 9) % MATCHES.length] ?? 'broad',
    quality: 1 + ((hash >>> 12) % 10),
    bid: Math.round(between(mix(hash, 3), 20, 180)),
  }
}

/** 0 … 1, for what is reported as a share of what was possible. */
export const shareOf = (subject: string, what: string) => between(mix(hashOf(subject), hashOf(what)), 0, 1)

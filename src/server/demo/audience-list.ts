import type { SitePlatform } from '#shared/materials/sites.ts'
import type { z } from 'zod'
import type { CreateAudience } from '#shared/api/audiences.ts'

type Facts = Omit<z.output<typeof CreateAudience>, 'advertiser' | 'site' | 'seed' | 'description'>

export interface DemoAudience extends Facts {
  advertiser: string
  created_by: string
  /** The names of those that it is made of. */
  site?: string
  seed?: string
  /** From which number of people on, and how many; all of them have an e-mail and a phone. */
  people?: { from: number; count: number; days_ago: number }
  /** Where it is shared, by channel and name. */
  accounts: readonly string[]
}

export interface DemoSite {
  advertiser: string
  name: string
  url: string
  platform: SitePlatform
  /** The ad account whose pixels it has. */
  pixels_of?: string
}

export const demoSites: readonly DemoSite[] = [
  {
    advertiser: 'Aurora Cosmetics',
    name: 'Aurora shop',
    url: 'https://shop.aurora.demo/',
    platform: 'shopline',
    pixels_of: 'fb Aurora Cosmetics Taiwan',
  },
  {
    advertiser: 'Borealis Outdoor',
    name: 'Borealis shop',
    url: 'https://shop.borealis.demo/',
    platform: '91app',
  },
  {
    advertiser: 'Cedar Coffee',
    name: 'Cedar shop',
    url: 'https://shop.cedar.demo/',
    platform: 'ec_force',
    pixels_of: 'fb Cedar Coffee Tokyo',
  },
  {
    advertiser: 'Delta Fitness',
    name: 'Delta shop',
    url: 'https://shop.delta.demo/',
    platform: 'wordpress',
  },
  { advertiser: 'Ember Games', name: 'Ember shop', url: 'https://shop.ember.demo/', platform: 'shopify' },
  { advertiser: 'Fjord Travel', name: 'Fjord shop', url: 'https://shop.fjord.demo/', platform: 'custom' },
]

const list = { kind: 'customer_file' } as const
const granted = { ad_user_data: 'granted', ad_personalization: 'granted' } as const

/** One in each state that audiences come to. */
export const demoAudiences: readonly DemoAudience[] = [
  {
    ...list,
    name: 'Aurora VIP 2026',
    advertiser: 'Aurora Cosmetics',
    created_by: 'staff',
    basis: '加入會員時勾選同意將聯絡資料用於廣告（會員條款第 7 條）',
    consent: granted,
    people: { from: 0, count: 5000, days_ago: 0 },
    accounts: [
      'fb Aurora Cosmetics Taiwan',
      'fb Aurora Cosmetics Outlet',
      'aw Aurora Cosmetics TW',
      'tt Aurora TikTok',
      'ln Aurora LINE',
    ],
  },
  {
    kind: 'lookalike',
    name: 'Aurora VIP 2026, 1% TW',
    advertiser: 'Aurora Cosmetics',
    created_by: 'staff',
    seed: 'Aurora VIP 2026',
    country: 'TW',
    ratio: 1,
    accounts: ['fb Aurora Cosmetics Taiwan'],
  },
  {
    ...list,
    name: 'Aurora sample 120',
    advertiser: 'Aurora Cosmetics',
    created_by: 'client-a',
    basis: 'Signed up at the counter for samples and news',
    consent: granted,
    people: { from: 0, count: 120, days_ago: 0 },
    accounts: ['fb Aurora Cosmetics Taiwan', 'tt Aurora TikTok', 'ln Aurora LINE'],
  },
  {
    kind: 'website',
    name: 'Cedar cart 30 days',
    advertiser: 'Cedar Coffee',
    created_by: 'manager',
    site: 'Cedar shop',
    rule: { match: 'url_contains', values: ['/cart'] },
    window_days: 30,
    accounts: ['fb Cedar Coffee Tokyo'],
  },
  {
    ...list,
    name: 'Delta members',
    advertiser: 'Delta Fitness',
    created_by: 'staff',
    basis: '會員合約附件二：同意健身房以聯絡資料投放廣告',
    consent: granted,
    people: { from: 6000, count: 2400, days_ago: 0 },
    accounts: ['fb Delta Fitness 台灣'],
  },
  {
    ...list,
    name: 'Borealis 2025',
    advertiser: 'Borealis Outdoor',
    created_by: 'director',
    basis: 'Newsletter subscribers of 2025, with double opt-in',
    people: { from: 20_000, count: 800, days_ago: 45 },
    accounts: [],
  },
]

// The agency: six advertisers and their accounts at every channel. The numbers of these accounts are in
// facts.ts.

export type Channel = 'fb' | 'aw' | 'yg' | 'tt' | 'ln'
export type Currency = 'TWD' | 'JPY' | 'USD'
type TimeZone = 'Asia/Taipei' | 'Asia/Tokyo' | 'America/Los_Angeles'

export const ADVERTISERS = [
  'Aurora Cosmetics',
  'Borealis Outdoor',
  'Cedar Coffee',
  'Delta Fitness',
  'Ember Games',
  'Fjord Travel',
] as const
export type Advertiser = (typeof ADVERTISERS)[number]

/**
 * What is special about an account. `large`: about a million ad-days in 37 months. `empty`: no campaigns.
 * `revoked`: the customer has withdrawn the access. `expired`: reached only by a login that has expired.
 * `long_name`: one ad whose name has 60,000 characters. `async_failed`, `async_too_much`, `async_skipped`:
 * the outcome of its report jobs. `opt_in`: needs an option for some breakdowns, without which the response
 * is empty. `no_omni`: reports no purchases and installs over all surfaces together.
 */
type Trait =
  | 'large'
  | 'empty'
  | 'revoked'
  | 'expired'
  | 'long_name'
  | 'async_failed'
  | 'async_too_much'
  | 'async_skipped'
  | 'opt_in'
  | 'no_omni'

export interface Account {
  /** 1 … 40, part of the ids of everything in the account. */
  number: number
  channel: Channel
  provider?: 'ly_search' | 'ly_display' | 'yahoo_dsp'
  id: string
  name: string
  advertiser: Advertiser
  currency: Currency
  time_zone: TimeZone
  traits: readonly Trait[]
}

type Place = [Currency, TimeZone]
const TW: Place = ['TWD', 'Asia/Taipei']
const JP: Place = ['JPY', 'Asia/Tokyo']
const US: Place = ['USD', 'America/Los_Angeles']

const TABLE: [
  Channel | `yg.${'ly_search' | 'ly_display' | 'yahoo_dsp'}`,
  string,
  string,
  Advertiser,
  Place,
  ...Trait[],
][] = [
  ['fb', '10150357160960121', 'Aurora Cosmetics Taiwan', 'Aurora Cosmetics', TW],
  ['fb', '10150357160960122', 'Aurora Cosmetics Outlet', 'Aurora Cosmetics', TW],
  ['fb', '10150357160960123', 'オーロラ化粧品 Japan', 'Aurora Cosmetics', JP],
  ['fb', '10150400220131004', 'Borealis Outdoor Taiwan', 'Borealis Outdoor', TW],
  ['fb', '10150400220131005', 'Borealis Outdoor US', 'Borealis Outdoor', US],
  ['fb', '10150511300771006', 'Cedar Coffee Tokyo', 'Cedar Coffee', JP],
  ['fb', '10150622911041007', 'Delta Fitness 台灣', 'Delta Fitness', TW],
  ['fb', '10150733820019008', 'Ember Games', 'Ember Games', US],
  ['fb', '10150844730556009', 'Fjord Travel', 'Fjord Travel', US, 'opt_in'],
  ['fb', '10150511300771010', 'Cedar Coffee (a very long ad name)', 'Cedar Coffee', JP, 'long_name'],
  ['fb', '10150733820019011', 'Ember Games Worldwide (very large)', 'Ember Games', US, 'large'],
  ['fb', '10150622911041012', 'Delta Fitness new (empty)', 'Delta Fitness', TW, 'empty'],
  ['fb', '10150844730556013', 'Fjord Travel Japan (access revoked)', 'Fjord Travel', JP, 'revoked'],
  ['fb', '10150511300771014', 'Cedar Coffee US (login expired)', 'Cedar Coffee', US, 'expired'],
  ['fb', '10150733820019015', 'Ember Games (report jobs fail)', 'Ember Games', US, 'async_failed'],
  ['fb', '10150733820019016', 'Ember Games (report jobs too large)', 'Ember Games', US, 'async_too_much'],
  ['fb', '10150844730556017', 'Fjord Travel (report jobs skipped)', 'Fjord Travel', TW, 'async_skipped'],
  ['fb', '101506229110410181', 'Delta Fitness 日本', 'Delta Fitness', JP, 'no_omni'],
  ['aw', '4203141501', 'Aurora Cosmetics TW', 'Aurora Cosmetics', TW],
  ['aw', '4203141502', 'Aurora Cosmetics JP', 'Aurora Cosmetics', JP],
  ['aw', '5203141503', 'Borealis Outdoor', 'Borealis Outdoor', US],
  ['aw', '6203141504', 'Cedar Coffee', 'Cedar Coffee', JP],
  ['aw', '7203141505', 'Delta Fitness', 'Delta Fitness', TW],
  ['aw', '8203141506', 'Ember Games', 'Ember Games', US],
  ['aw', '9203141507', 'Fjord Travel', 'Fjord Travel', US],
  ['yg.ly_search', '1001926', 'Aurora 検索広告', 'Aurora Cosmetics', JP],
  ['yg.ly_search', '1001927', 'Cedar Coffee 検索', 'Cedar Coffee', JP],
  ['yg.ly_display', '1002928', 'Aurora ディスプレイ', 'Aurora Cosmetics', JP],
  ['yg.ly_display', '1002929', 'Fjord Travel ディスプレイ', 'Fjord Travel', JP],
  ['yg.yahoo_dsp', '330030', 'Aurora 原生廣告', 'Aurora Cosmetics', TW],
  ['yg.yahoo_dsp', '330031', 'Delta Fitness 原生廣告', 'Delta Fitness', TW],
  ['tt', '7012345678901230032', 'Aurora TikTok', 'Aurora Cosmetics', TW],
  ['tt', '7012345678901230033', 'Borealis TikTok', 'Borealis Outdoor', US],
  ['tt', '7012345678901230034', 'Delta Fitness TikTok', 'Delta Fitness', TW],
  ['tt', '7012345678901230035', 'Ember Games TikTok', 'Ember Games', US],
  ['tt', '7012345678901230036', 'Fjord Travel TikTok', 'Fjord Travel', JP],
  ['ln', 'A37000000037', 'Aurora LINE', 'Aurora Cosmetics', TW],
  ['ln', 'A38000000038', 'Borealis LINE', 'Borealis Outdoor', TW],
  ['ln', 'A39000000039', 'Cedar Coffee LINE', 'Cedar Coffee', JP],
  ['ln', 'A40000000040', 'Delta Fitness LINE', 'Delta Fitness', JP],
]

export const ACCOUNTS: readonly Account[] = TABLE.map(
  ([channel_and_provider, id, name, advertiser, [currency, time_zone], ...traits], index) => {
    const [channel, provider] = channel_and_provider.split('.')
    return {
      number: index + 1,
      channel: channel as Channel,
      ...(provider && { provider: provider as NonNullable<Account['provider']> }),
      id,
      name,
      advertiser,
      currency,
      time_zone,
      traits,
    }
  },
)

/** Web analytics of the same advertisers: Universal Analytics views and GA4 properties. */
export interface AnalyticsSource {
  kind: 'ua_view' | 'ga4_property'
  account_id: string
  account_name: Advertiser
  property_id: string
  property_name: string
  view_id?: string
  view_name?: string
  currency: Currency
  time_zone: TimeZone
}

const HOMES: readonly Place[] = [TW, US, JP, TW, US, JP]

export const ANALYTICS: readonly AnalyticsSource[] = ADVERTISERS.flatMap((advertiser, index) => {
  const [currency, time_zone] = HOMES[index] ?? TW
  const shared = { account_id: `31415${index + 1}`, account_name: advertiser, currency, time_zone }
  return [
    {
      ...shared,
      kind: 'ua_view' as const,
      property_id: `UA-31415${index + 1}-1`,
      property_name: `${advertiser} shop`,
      view_id: `9265358${index + 1}`,
      view_name: 'All data',
    },
    {
      ...shared,
      kind: 'ga4_property' as const,
      property_id: `38462643${index + 1}`,
      property_name: `${advertiser} shop - GA4`,
    },
  ]
})

/** How many of the smallest unit that our facts count make one main unit. */
export const MINOR_UNITS: Record<Currency, number> = { TWD: 100, JPY: 1, USD: 100 }

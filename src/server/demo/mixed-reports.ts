import type { DemoBlock, DemoReport } from './reports.ts'

// Reports over several channels, and over those that are not Meta's. Accounts of analytics are named by the
// ids of their property or view.

const ads = ['impressions', 'clicks', 'cost', 'conversions']
const usual = ['impressions', 'clicks', 'cost', 'ctr', 'conversions', 'roas']
const days = (dynamic_range: number) => ({ start: null, end: null, dynamic_range })
const daily = { update_frequency: 2 }
const weekly = (update_day_of_week: number) => ({ update_frequency: 3, update_day_of_week })
const monthly = (update_day_of_month: number) => ({ update_frequency: 4, update_day_of_month })

const block = (channel: DemoBlock['channel'], accounts: string[], metrics: string[]): DemoBlock => ({
  channel,
  accounts,
  metrics,
})

export const mixedReports: DemoReport[] = [
  {
    owner: 'manager',
    folder: [],
    spreadsheet: 'aurora',
    sheet_name: 'All channels',
    shared_with: { username: 'client-a', access: 'viewer' },
    blocks: [
      block('fb', ['Aurora Cosmetics Taiwan'], ads),
      block('aw', ['Aurora Cosmetics TW'], ads),
      block('tt', ['Aurora TikTok'], ads),
      block('ln', ['Aurora LINE'], ads),
      block('yg', ['Aurora 原生廣告'], ads),
      block('ga4', ['384626431'], ['sessions', 'transactions', 'revenue']),
    ],
    fields: { name: 'Aurora, all channels by day', dimensions: ['date'], fill_zero: true, ...daily },
  },
  {
    owner: 'manager',
    folder: ['Aurora Cosmetics'],
    spreadsheet: 'aurora',
    sheet_name: 'Channels stacked',
    blocks: [
      block('fb', ['Aurora Cosmetics Taiwan', 'Aurora Cosmetics Outlet'], usual),
      block('aw', ['Aurora Cosmetics TW'], usual),
      block('tt', ['Aurora TikTok'], usual),
      block('ln', ['Aurora LINE'], usual),
    ],
    fields: {
      name: 'Aurora campaigns of all channels',
      arrangement: 'stacked',
      dimensions: ['week', 'campaign'],
      date_range: days(2),
      ...weekly(1),
    },
  },
  {
    owner: 'manager',
    folder: ['Aurora Cosmetics'],
    spreadsheet: 'aurora',
    sheet_name: 'Keywords',
    blocks: [block('aw_keyword', ['Aurora Cosmetics TW'], ['impressions', 'clicks', 'cost', 'ctr', 'cpc'])],
    fields: {
      name: 'Aurora keywords',
      dimensions: ['campaign', 'keyword'],
      date_range: days(2),
      ...weekly(2),
    },
  },
  {
    owner: 'manager',
    folder: ['Cedar Coffee'],
    spreadsheet: 'cedar',
    sheet_name: 'Japan',
    blocks: [
      block('fb', ['Cedar Coffee Tokyo'], ads),
      block('aw', ['Cedar Coffee'], ads),
      block('yg', ['Cedar Coffee 検索'], ads),
      block('ln', ['Cedar Coffee LINE'], ads),
    ],
    fields: {
      name: 'Cedar Coffee, all channels by month',
      dimensions: ['month'],
      date_range: days(4),
      timezone: 'Asia/Tokyo',
      ...monthly(1),
    },
  },
  {
    owner: 'staff',
    folder: [],
    spreadsheet: 'delta',
    sheet_name: '廣告與網站',
    blocks: [
      block('fb', ['Delta Fitness 台灣'], ['cost', 'clicks']),
      block('aw', ['Delta Fitness'], ['cost', 'clicks']),
      block('tt', ['Delta Fitness TikTok'], ['cost', 'clicks']),
      block('ga4', ['384626434'], ['sessions', 'users', 'transactions', 'revenue']),
    ],
    fields: {
      name: 'Delta Fitness 廣告與網站',
      dimensions: ['date'],
      header_language: 'zh-TW',
      ...daily,
    },
  },
  {
    owner: 'client-a',
    folder: [],
    spreadsheet: 'aurora',
    sheet_name: 'Shop traffic',
    blocks: [block('ga4', ['384626431'], ['sessions', 'new_users', 'transactions', 'revenue'])],
    fields: { name: 'Where our shop’s visitors come from', dimensions: ['source_medium'], ...daily },
  },
  {
    owner: 'client-b',
    folder: ['美國'],
    spreadsheet: 'borealis',
    sheet_name: 'US channels',
    blocks: [
      block('fb', ['Borealis Outdoor US'], ads),
      block('aw', ['Borealis Outdoor'], ads),
      block('tt', ['Borealis TikTok'], ads),
    ],
    fields: {
      name: 'Borealis US, all channels',
      dimensions: ['date'],
      timezone: 'America/Los_Angeles',
      ...daily,
    },
  },
  {
    owner: 'director',
    folder: [],
    spreadsheet: 'board',
    sheet_name: 'Shop 2022',
    blocks: [
      block('ga', ['92653581'], ['sessions', 'transactions', 'revenue']),
      block('ga_event', ['92653581'], ['total_events']),
    ],
    fields: {
      name: 'Aurora shop in 2022 (Universal Analytics)',
      dimensions: ['month'],
      date_range: { start: '2022-01-01', end: '2022-12-31', dynamic_range: 0 },
    },
  },
  {
    owner: 'manager',
    folder: ['Aurora Cosmetics'],
    spreadsheet: 'aurora',
    sheet_name: 'Months compared',
    shared_with: { username: 'client-a', access: 'viewer' },
    blocks: [
      {
        ...block(
          'fb',
          ['Aurora Cosmetics Taiwan', 'オーロラ化粧品 Japan'],
          ['cost', 'client_cost', 'conversions', 'cpa', 'Average order value', 'Return with fee'],
        ),
        conversion: 'Orders',
      },
      { ...block('aw', ['Aurora Cosmetics TW'], ['cost', 'conversions', 'cpa']), conversion: 'Orders' },
      block('ga4', ['384626431'], ['sessions', 'transactions', 'revenue']),
    ],
    fields: {
      name: 'Aurora, months compared in TWD',
      dimensions: ['month'],
      date_range: days(3),
      currency: 'TWD',
      comparison: { to: 'last_year', align: 'date', show: ['value', 'percent'] },
      note: true,
      blends: [
        { name: 'Cost of all channels', formula: '1.cost + 2.cost', unit: 'money', decimals: 0 },
        {
          name: 'Ad cost per transaction',
          formula: '(1.cost + 2.cost) / 3.transactions',
          unit: 'money',
          decimals: 2,
        },
      ],
      ...monthly(1),
    },
  },
]

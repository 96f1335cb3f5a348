import type { Block } from '#shared/api/reports.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import type { Draft } from '#server/resources/reports/draft.ts'
import { mixedReports } from './mixed-reports.ts'

/** A report of the demo: its owner, its folder and target, and what differs from the default. */
export interface DemoReport {
  owner: string
  /** Path of folder names, outermost first. */
  folder: string[]
  spreadsheet: DemoSpreadsheet['key'] | null
  sheet_name: string
  blocks: DemoBlock[]
  shared_with?: { username: string; access: 'viewer' | 'editor' }
  fields: Partial<Draft> & { name: string }
}

export interface DemoBlock {
  channel: Channel
  /** Their names; views and properties by their ids. */
  accounts: string[]
  /** Calculated ones by their names. */
  metrics: string[]
  filters?: Block['filters']
  /** The name of a conversion definition. */
  conversion?: string
}

/** A report of one block of Meta accounts. */
function ofMeta({ accounts, fields, ...report }: MetaReport): DemoReport {
  const { metrics, filters = [], ...rest } = fields
  return { ...report, blocks: [{ channel: 'fb', accounts, metrics, filters }], fields: rest }
}

type MetaReport = Omit<DemoReport, 'blocks'> & {
  accounts: string[]
  fields: { metrics: string[]; filters?: Block['filters'] }
}

export interface DemoSpreadsheet {
  key: 'aurora' | 'borealis' | 'cedar' | 'delta' | 'fjord' | 'finance' | 'board' | 'unshared' | 'taiwan'
  title: string
  /** Tabs beside those that reports write to. */
  tabs: string[]
  /** The owner of the file. */
  owner: string
  readers: string[]
  /**
   * Whom it is proven for: an advertiser, or its owner and their department; unproven files are not shared
   * with the system user yet, so that the check can be tried.
   */
  belongs_to: string | 'owner' | null
}

export const demoSpreadsheets: DemoSpreadsheet[] = [
  {
    key: 'aurora',
    title: 'Aurora Cosmetics · performance',
    tabs: [],
    owner: 'manager',
    readers: ['client-a', 'staff'],
    belongs_to: 'Aurora Cosmetics',
  },
  {
    key: 'borealis',
    title: 'Borealis Outdoor 戶外用品 · 成效',
    tabs: [],
    owner: 'client-b',
    readers: [],
    belongs_to: 'Borealis Outdoor',
  },
  {
    key: 'cedar',
    title: 'Cedar Coffee Tokyo',
    tabs: [],
    owner: 'manager',
    readers: ['director'],
    belongs_to: 'Cedar Coffee',
  },
  {
    key: 'delta',
    title: 'Delta Fitness 台灣',
    tabs: [],
    owner: 'staff',
    readers: ['manager'],
    belongs_to: 'Delta Fitness',
  },
  {
    key: 'fjord',
    title: 'Fjord Travel · campaigns',
    tabs: [],
    owner: 'manager',
    readers: [],
    belongs_to: 'Fjord Travel',
  },
  {
    key: 'finance',
    title: 'Media spend by month',
    tabs: [],
    owner: 'finance',
    readers: ['director'],
    belongs_to: 'owner',
  },
  {
    key: 'board',
    title: 'Agency board',
    tabs: ['Notes'],
    owner: 'director',
    readers: ['superuser'],
    belongs_to: 'owner',
  },
  {
    key: 'unshared',
    title: 'New client · not shared yet',
    tabs: ['Sheet1', 'Notes'],
    owner: 'manager',
    readers: [],
    belongs_to: null,
  },
  {
    key: 'taiwan',
    title: 'Taiwan accounts',
    tabs: [],
    owner: 'superuser',
    readers: ['director'],
    belongs_to: 'owner',
  },
]

const usual = ['impressions', 'clicks', 'cost', 'ctr', 'conversions', 'roas']
const days = (dynamic_range: number) => ({ start: null, end: null, dynamic_range })
const daily = { update_frequency: 2 }
const weekly = (update_day_of_week: number) => ({ update_frequency: 3, update_day_of_week })
const monthly = (update_day_of_month: number) => ({ update_frequency: 4, update_day_of_month })
const auroraTaiwan = ['Aurora Cosmetics Taiwan', 'Aurora Cosmetics Outlet']

const ofManager: MetaReport[] = [
  {
    owner: 'manager',
    folder: [],
    spreadsheet: 'aurora',
    sheet_name: 'Daily',
    accounts: auroraTaiwan,
    shared_with: { username: 'client-a', access: 'viewer' },
    fields: { name: 'Aurora daily performance', metrics: usual, dimensions: ['date'], ...daily },
  },
  {
    owner: 'manager',
    folder: [],
    spreadsheet: 'aurora',
    sheet_name: 'Campaigns',
    accounts: auroraTaiwan,
    shared_with: { username: 'staff', access: 'editor' },
    fields: {
      name: 'Aurora campaigns by week',
      metrics: [...usual, 'cpc', 'cpm'],
      dimensions: ['week', 'account_name', 'campaign'],
      date_range: days(2),
      ...weekly(1),
    },
  },
  {
    owner: 'manager',
    folder: ['Aurora Cosmetics'],
    spreadsheet: 'aurora',
    sheet_name: 'Japan',
    accounts: ['オーロラ化粧品 Japan'],
    fields: {
      name: 'オーロラ化粧品 Japan, by campaign',
      metrics: usual,
      dimensions: ['date', 'campaign'],
      timezone: 'Asia/Tokyo',
      ...daily,
    },
  },
  {
    owner: 'manager',
    folder: ['Aurora Cosmetics', 'Creative'],
    spreadsheet: 'aurora',
    sheet_name: 'Ads',
    accounts: ['Aurora Cosmetics Taiwan'],
    fields: {
      name: 'Aurora ads of this month',
      metrics: ['impressions', 'clicks', 'ctr', 'video_views', 'cost'],
      dimensions: ['campaign', 'ad_group', 'ad'],
    },
  },
  {
    owner: 'manager',
    folder: [],
    spreadsheet: 'cedar',
    sheet_name: 'Reach',
    accounts: ['Cedar Coffee Tokyo'],
    fields: {
      name: 'Cedar Coffee reach by month',
      metrics: ['impressions', 'reach', 'frequency', 'cost', 'cpm'],
      dimensions: ['month'],
      date_range: days(5),
      timezone: 'Asia/Tokyo',
      ...monthly(1),
    },
  },
  {
    owner: 'manager',
    folder: ['Cedar Coffee'],
    spreadsheet: 'cedar',
    sheet_name: 'Devices',
    accounts: ['Cedar Coffee Tokyo'],
    fields: {
      name: 'Cedar Coffee devices',
      metrics: ['impressions', 'clicks', 'cost', 'ctr'],
      dimensions: ['week', 'device_type'],
      date_range: days(3),
      timezone: 'Asia/Tokyo',
      ...weekly(2),
    },
  },
  {
    owner: 'manager',
    folder: [],
    spreadsheet: 'fjord',
    sheet_name: 'Campaigns',
    accounts: ['Fjord Travel'],
    fields: {
      name: 'Fjord campaigns',
      metrics: ['impressions', 'clicks', 'cost', 'cpc'],
      dimensions: ['date', 'campaign'],
      timezone: 'America/Los_Angeles',
      update_time: '08:00:00',
      ...daily,
    },
  },
  {
    owner: 'manager',
    folder: ['Fjord Travel'],
    spreadsheet: 'fjord',
    sheet_name: 'Japan',
    accounts: ['Fjord Travel Japan (access revoked)'],
    fields: {
      name: 'Fjord Japan (access was revoked)',
      metrics: usual,
      dimensions: ['date'],
      timezone: 'Asia/Tokyo',
      ...daily,
    },
  },
  {
    owner: 'manager',
    folder: [],
    spreadsheet: null,
    sheet_name: '',
    accounts: auroraTaiwan,
    fields: {
      name: 'Aurora brand campaigns (not set up yet)',
      metrics: usual,
      dimensions: ['date', 'campaign'],
    },
  },
]

const metaReports: MetaReport[] = [
  ...ofManager,
  {
    owner: 'staff',
    folder: [],
    spreadsheet: 'delta',
    sheet_name: '每日',
    accounts: ['Delta Fitness 台灣'],
    fields: {
      name: 'Delta Fitness 每日成效',
      metrics: usual,
      dimensions: ['date'],
      header_language: 'zh-TW',
      ...daily,
    },
  },
  {
    owner: 'staff',
    folder: [],
    spreadsheet: 'aurora',
    sheet_name: 'Devices',
    accounts: ['Aurora Cosmetics Taiwan'],
    fields: {
      name: 'Aurora devices by month',
      metrics: ['impressions', 'clicks', 'cost', 'ctr'],
      dimensions: ['month', 'device_type'],
      date_range: days(4),
    },
  },
  {
    owner: 'finance',
    folder: [],
    spreadsheet: 'finance',
    sheet_name: 'Ember Games',
    accounts: ['Ember Games'],
    fields: {
      name: 'Ember Games spend by month',
      metrics: ['cost', 'impressions', 'cpm'],
      dimensions: ['month', 'account_name', 'currency'],
      date_range: days(5),
      ...monthly(1),
    },
  },
  {
    owner: 'director',
    folder: [],
    spreadsheet: 'board',
    sheet_name: 'Spend',
    accounts: [
      'Aurora Cosmetics Taiwan',
      'Cedar Coffee Tokyo',
      'Delta Fitness 台灣',
      'Ember Games',
      'Fjord Travel',
    ],
    fields: {
      name: 'Spend of all clients',
      metrics: ['cost', 'conversions', 'conversion_value', 'roas'],
      dimensions: ['month', 'account_name', 'currency'],
      date_range: days(4),
      ...weekly(1),
    },
  },
  {
    owner: 'superuser',
    folder: [],
    spreadsheet: 'taiwan',
    sheet_name: 'Accounts',
    accounts: ['Aurora Cosmetics Taiwan', 'Borealis Outdoor Taiwan', 'Delta Fitness 台灣'],
    fields: {
      name: 'Taiwan accounts by day',
      metrics: usual,
      dimensions: ['date', 'account_name'],
      fill_zero: true,
      ...daily,
    },
  },
  {
    owner: 'client-a',
    folder: [],
    spreadsheet: null,
    sheet_name: '',
    accounts: ['Aurora Cosmetics Taiwan'],
    fields: { name: 'My first report', metrics: ['impressions', 'clicks', 'cost'], dimensions: ['date'] },
  },
  {
    owner: 'client-b',
    folder: [],
    spreadsheet: 'borealis',
    sheet_name: '每週',
    accounts: ['Borealis Outdoor Taiwan'],
    fields: {
      name: 'Borealis 每週成效',
      metrics: usual,
      dimensions: ['week', 'campaign'],
      date_range: days(3),
      header_language: 'zh-TW',
      fill_zero: true,
      update_time: '18:30:00',
      ...weekly(5),
    },
  },
  {
    owner: 'client-b',
    folder: ['美國'],
    spreadsheet: 'borealis',
    sheet_name: 'US',
    accounts: ['Borealis Outdoor US'],
    fields: {
      name: 'Borealis US by day',
      metrics: ['impressions', 'clicks', 'cost', 'ctr', 'cpc'],
      dimensions: ['date'],
      timezone: 'America/Los_Angeles',
      ...daily,
    },
  },
]

export const demoReports: DemoReport[] = [...metaReports.map(ofMeta), ...mixedReports]

/** The tabs that a file begins with, in order. */
export function tabsOf({ key, tabs }: DemoSpreadsheet): string[] {
  const written = demoReports.filter(report => report.spreadsheet === key).map(report => report.sheet_name)
  return [...new Set([...written, ...tabs])]
}

import type { Block } from '#shared/api/reports.ts'
import type { Draft } from '#server/resources/reports/save.ts'

/** A report of the demo: whose it is, where it is filed and writes to, and what differs from the usual. */
export interface DemoReport {
  owner: string
  /** Path of folder names, outermost first. */
  folder: string[]
  spreadsheet: DemoSpreadsheet['key'] | null
  sheet_name: string
  /** Advertisers of whose Meta accounts the report tells, in one block. */
  advertiser: string
  /** Names of accounts; all of the advertiser when left out. */
  accounts?: string[]
  shared_with?: { username: string; access: 'viewer' | 'editor' }
  fields: Partial<Draft> & { name: string; metrics: string[]; filters?: Block['filters'] }
}

export interface DemoSpreadsheet {
  key: 'aurora' | 'borealis' | 'cedar' | 'fjord' | 'unshared'
  title: string
  tabs: string[]
  /** Whose file it is. */
  owner: string
  readers: string[]
  /** null: not shared with the system user yet, so that the permission check can be tried. */
  advertiser: string | null
}

export const demoSpreadsheets: DemoSpreadsheet[] = [
  {
    key: 'aurora',
    title: 'Aurora Cosmetics · performance',
    tabs: ['Daily', 'Campaigns', 'Devices'],
    owner: 'manager',
    readers: ['client-a', 'staff'],
    advertiser: 'Aurora Cosmetics',
  },
  {
    key: 'borealis',
    title: 'Borealis Outdoor 戶外用品 · 週報',
    tabs: ['Weekly', '每日'],
    owner: 'client-b',
    readers: [],
    advertiser: 'Borealis Outdoor',
  },
  {
    key: 'cedar',
    title: 'Cedar Coffee Tokyo',
    tabs: ['Month', 'Ads'],
    owner: 'manager',
    readers: ['director'],
    advertiser: 'Cedar Coffee',
  },
  {
    key: 'fjord',
    title: 'Fjord Travel · campaigns',
    tabs: ['Data'],
    owner: 'manager',
    readers: [],
    advertiser: 'Fjord Travel',
  },
  {
    key: 'unshared',
    title: 'New client · not shared yet',
    tabs: ['Sheet1', 'Notes'],
    owner: 'manager',
    readers: [],
    advertiser: null,
  },
]

const usual = ['impressions', 'clicks', 'cost', 'ctr', 'conversions', 'roas']

export const demoReports: DemoReport[] = [
  {
    owner: 'manager',
    folder: ['Aurora Cosmetics'],
    spreadsheet: 'aurora',
    sheet_name: 'Daily',
    advertiser: 'Aurora Cosmetics',
    accounts: ['Aurora Cosmetics Taiwan', 'Aurora Cosmetics Outlet'],
    shared_with: { username: 'client-a', access: 'viewer' },
    fields: { name: 'Aurora daily performance', metrics: usual, dimensions: ['date'], update_frequency: 2 },
  },
  {
    owner: 'manager',
    folder: ['Aurora Cosmetics', 'Campaigns'],
    spreadsheet: 'aurora',
    sheet_name: 'Campaigns',
    advertiser: 'Aurora Cosmetics',
    accounts: ['Aurora Cosmetics Taiwan', 'Aurora Cosmetics Outlet'],
    shared_with: { username: 'staff', access: 'editor' },
    fields: {
      name: 'Aurora campaigns by week',
      metrics: [...usual, 'cpc', 'cpm'],
      dimensions: ['week', 'account_name', 'campaign'],
      date_range: { start: null, end: null, dynamic_range: 2 },
      update_frequency: 3,
      update_day_of_week: 1,
    },
  },
  {
    owner: 'staff',
    folder: [],
    spreadsheet: 'aurora',
    sheet_name: 'Devices',
    advertiser: 'Aurora Cosmetics',
    accounts: ['Aurora Cosmetics Taiwan'],
    fields: {
      name: 'Aurora devices',
      metrics: ['impressions', 'clicks', 'cost', 'ctr'],
      dimensions: ['month', 'device_type'],
      date_range: { start: null, end: null, dynamic_range: 4 },
    },
  },
  {
    owner: 'client-b',
    folder: ['每週報表'],
    spreadsheet: 'borealis',
    sheet_name: 'Weekly',
    advertiser: 'Borealis Outdoor',
    accounts: ['Borealis Outdoor Taiwan'],
    fields: {
      name: 'Borealis 每週成效',
      metrics: usual,
      dimensions: ['week', 'campaign'],
      date_range: { start: null, end: null, dynamic_range: 3 },
      header_language: 'zh-TW',
      fill_zero: true,
      update_frequency: 3,
      update_day_of_week: 5,
      update_time: '18:30:00',
    },
  },
  {
    owner: 'manager',
    folder: ['Cedar Coffee'],
    spreadsheet: 'cedar',
    sheet_name: 'Month',
    advertiser: 'Cedar Coffee',
    accounts: ['Cedar Coffee Tokyo'],
    fields: {
      name: 'Cedar Coffee monthly',
      metrics: ['impressions', 'reach', 'frequency', 'cost', 'cpm'],
      dimensions: ['month'],
      date_range: { start: null, end: null, dynamic_range: 5 },
      timezone: 'Asia/Tokyo',
      update_frequency: 4,
      update_day_of_month: 1,
    },
  },
  {
    owner: 'manager',
    folder: ['Fjord Travel'],
    spreadsheet: 'fjord',
    sheet_name: 'Data',
    advertiser: 'Fjord Travel',
    accounts: ['Fjord Travel'],
    fields: {
      name: 'Fjord campaigns',
      metrics: ['impressions', 'clicks', 'cost', 'cpc'],
      dimensions: ['date', 'campaign'],
      timezone: 'America/Los_Angeles',
      update_frequency: 2,
      update_time: '08:00:00',
    },
  },
  {
    owner: 'manager',
    folder: [],
    spreadsheet: null,
    sheet_name: '',
    advertiser: 'Aurora Cosmetics',
    accounts: ['オーロラ化粧品 Japan'],
    fields: { name: 'Aurora Japan (not set up yet)', metrics: usual, dimensions: ['date', 'campaign'] },
  },
  {
    owner: 'client-a',
    folder: [],
    spreadsheet: null,
    sheet_name: '',
    advertiser: 'Aurora Cosmetics',
    accounts: ['Aurora Cosmetics Taiwan'],
    fields: { name: 'My first report', metrics: ['impressions', 'clicks', 'cost'], dimensions: ['date'] },
  },
]

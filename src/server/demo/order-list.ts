import type { SpendChannel } from '#shared/billing/spend-channels.ts'

/** A line by days from today. */
export interface DemoLine {
  from: number
  to: number
  channel?: SpendChannel
  publisher?: string
  title?: string
  /** Units of the currency; of a price, its quantity says it. */
  amount?: number
  pricing?: 'cpm'
  quantity?: number
  unit_price?: number
  /** Where the advertiser's agreement gives none. */
  fee_rate?: number
  /** Of a line without accounts: what it has delivered, 1 is on pace. */
  pace?: number
}

/** Days are days ago. */
export interface DemoOrder {
  advertiser: string
  owner: string
  title: string
  head?: object
  lines: DemoLine[]
  /** Basis points, and days after acceptance. */
  schedule?: [share: number, after: number][]
  /** The last day that it is valid, from today on. */
  valid?: number
  /** Left out: a draft. */
  sent?: number
  accepted?: number
  ended?: { days: number; as: { status: 'rejected' | 'cancelled'; reason: string } }
  /** When a second revision was sent and accepted. */
  revised?: number
  /** What was noted of its payments, in their order. */
  payments?: {
    invoice?: string
    /** When, and how much of it in percent. */
    received?: { days: number; share: number; bank_fee?: number }
    /** Void. */
    reason?: string
    /** From today on, where it was put off. */
    due?: number
  }[]
}

const thirds: [number, number][] = [
  [3000, 0],
  [4000, 30],
  [3000, 60],
]

/** Drafts, offers and orders of the demo: one in each state at least. */
export const demoOrders: DemoOrder[] = [
  {
    advertiser: 'Aurora Cosmetics',
    owner: 'staff',
    title: '春季新品上市',
    head: { discount: 5_000_000_000 },
    lines: [
      { from: 35, to: 64, channel: 'fb', amount: 100_000 },
      { from: 35, to: 64, channel: 'aw', amount: 55_555 },
      {
        from: 35,
        to: 48,
        publisher: '美妝時尚網',
        pricing: 'cpm',
        quantity: 833_333,
        unit_price: 120_000_000,
      },
    ],
    schedule: thirds,
  },
  {
    advertiser: 'Delta Fitness',
    owner: 'staff',
    title: '新年會員招募',
    lines: [{ from: 20, to: 50, channel: 'fb', amount: 80_000, fee_rate: 1500 }],
  },
  {
    advertiser: 'Fjord Travel',
    owner: 'manager',
    title: '寒假出國自由行',
    lines: [
      { from: 14, to: 45, channel: 'aw', amount: 240_000, fee_rate: 1000 },
      { from: 14, to: 45, channel: 'fb', amount: 120_000 },
    ],
    sent: 3,
  },
  {
    advertiser: 'Cedar Coffee',
    owner: 'manager',
    title: 'Winter blend',
    lines: [{ from: 7, to: 36, channel: 'fb', amount: 600_000 }],
    sent: 12,
    valid: 2,
  },
  {
    advertiser: 'Aurora Cosmetics',
    owner: 'staff',
    title: '年末感謝祭',
    lines: [{ from: 10, to: 30, channel: 'fb', amount: 150_000 }],
    sent: 20,
    valid: -4,
  },
  {
    advertiser: 'Delta Fitness',
    owner: 'staff',
    title: '秋季體驗課程',
    lines: [{ from: -30, to: -10, channel: 'fb', amount: 60_000, fee_rate: 1500 }],
    sent: 44,
    ended: { days: 40, as: { status: 'rejected', reason: '預算延至明年' } },
  },
  {
    advertiser: 'Fjord Travel',
    owner: 'manager',
    title: '楓紅賞遊',
    lines: [{ from: -40, to: -20, channel: 'aw', amount: 90_000, fee_rate: 1000 }],
    sent: 55,
    ended: { days: 50, as: { status: 'cancelled', reason: '行程取消' } },
  },
  {
    advertiser: 'Aurora Cosmetics',
    owner: 'staff',
    title: '雙 11 檔期',
    head: { client_po: 'AUR-1111' },
    lines: [
      { from: -20, to: 9, channel: 'fb', amount: 1_300_000 },
      { from: -20, to: 9, channel: 'aw', amount: 180_000 },
      { from: -20, to: 9, publisher: '美妝時尚網', title: '首頁蓋版', amount: 90_000, pace: 1.02 },
    ],
    schedule: thirds,
    sent: 34,
    accepted: 31,
    payments: [{ invoice: 'QA10000001', received: { days: 20, share: 100, bank_fee: 30 } }, { due: 3 }],
  },
  {
    advertiser: 'Borealis Outdoor',
    owner: 'director',
    title: '秋冬登山季',
    head: { bill_to: 'agent' },
    lines: [
      { from: -25, to: 14, publisher: '山系生活', amount: 120_000, pace: 1.35 },
      { from: -25, to: 14, publisher: '戶外誌', amount: 160_000, pace: 0.62 },
      { from: -25, to: 14, channel: 'fb', amount: 200_000 },
    ],
    schedule: [
      [5000, 0],
      [5000, 20],
    ],
    sent: 40,
    accepted: 36,
    payments: [{ invoice: 'QA10000002' }, {}],
  },
  {
    advertiser: 'Ember Games',
    owner: 'finance',
    title: 'Season two launch',
    lines: [{ from: -60, to: -31, channel: 'tt', amount: 24_000 }],
    sent: 80,
    accepted: 75,
    payments: [{ invoice: 'EMB-2044', received: { days: 10, share: 40 }, due: -5 }],
  },
  {
    advertiser: 'Delta Fitness',
    owner: 'staff',
    title: '週年慶',
    lines: [
      { from: -15, to: 15, channel: 'fb', amount: 540_000, fee_rate: 1500 },
      { from: -15, to: 15, publisher: '運動筆記', amount: 60_000, fee_rate: 1500, pace: 0.97 },
    ],
    schedule: [
      [5000, 0],
      [5000, 30],
    ],
    sent: 30,
    accepted: 27,
    payments: [{ invoice: 'QA10000003', received: { days: 2, share: 100 } }],
    revised: 9,
  },
  {
    advertiser: 'Cedar Coffee',
    owner: 'manager',
    title: 'Autumn roast',
    lines: [{ from: -75, to: -45, channel: 'fb', amount: 2_500_000 }],
    sent: 85,
    accepted: 82,
    payments: [{ invoice: 'CED-118', received: { days: 50, share: 100 } }],
  },
  {
    advertiser: 'Fjord Travel',
    owner: 'manager',
    title: '早鳥優惠',
    lines: [{ from: -10, to: 20, channel: 'fb', amount: 400_000 }],
    schedule: [
      [5000, 0],
      [5000, 45],
    ],
    sent: 16,
    accepted: 13,
    payments: [{ reason: '請款日期有誤' }, { due: 20 }],
  },
]

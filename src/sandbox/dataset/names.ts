import type { Advertiser } from './agency.ts'

// Names that hurt: each has broken somebody's report once.

const LONG_120 = `${'Performance '.repeat(10)}`.slice(0, 119) + '!'

/** Campaign names; every account has a third of them, the first account of the agency has all. */
export const HURTING_CAMPAIGNS: readonly string[] = [
  '=HYPERLINK("http://x","y")',
  '100%_off [sale] \\ "quoted" \'single\'',
  '秋の新作🍁「限定」コスメ – 第①弾',
  '+1',
  '-1',
  '@sum',
  LONG_120,
  'comma, semicolon; tab\tand <b>markup</b> & {{braces}}',
  '2026-03-04',
  '00123',
  'TRUE',
  'İstanbul ŞEHİR ﬁne ｆｕｌｌｗｉｄｔｈ',
]

export const HURTING_AD_SETS: readonly string[] = [
  'Women 25–34',
  '=1+1',
  '台北｜Lookalike 1%',
  '"quoted"',
  'Retargeting_30d',
]

export const HURTING_ADS: readonly string[] = [
  'Carousel 🛒',
  '=IMPORTRANGE("a","b")',
  'Video 15s \\ cut "B"',
  'كتاب – right to left',
  '👩‍👩‍👧‍👦 family',
  '[50%] off_now',
  'Static',
]

/** 60,000 characters: longer than a spreadsheet cell may hold. */
export const TOO_LONG = 'A name nobody should have given an ad. '.repeat(1539).slice(0, 60_000)

export const THEMES: Record<Advertiser, readonly [string, ...string[]]> = {
  'Aurora Cosmetics': [
    'Lipstick launch',
    'Serum prospecting',
    'Members retargeting',
    '春夏彩妝',
    'Gift sets',
  ],
  'Borealis Outdoor': ['Tents', 'Rain jackets', 'Trail shoes', '登山裝備', 'Outlet retargeting'],
  'Cedar Coffee': ['ドリップバッグ', 'Subscription', 'Store visits', 'コーヒー豆', 'Gift cards'],
  'Delta Fitness': ['Trial class', '健身房會員', 'Yoga studio', 'Personal training', 'App installs'],
  'Ember Games': [
    'Dragon Reign installs',
    'Pre-registration',
    'Re-engagement',
    'Puzzle Town',
    'Whales lookalike',
  ],
  'Fjord Travel': ['Norway cruises', 'Last minute', 'City breaks', '北歐極光之旅', 'Newsletter'],
}

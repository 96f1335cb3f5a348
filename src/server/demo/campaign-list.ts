import type { CreatePublisher } from '#shared/api/materials.ts'
import type { CreateTargetAudience } from '#shared/api/target-audiences.ts'
import type { UtmField } from '#shared/links/parameters.ts'

export interface DemoTargetAudience extends Omit<CreateTargetAudience, 'advertiser' | 'audience_lists'> {
  advertiser: string
  created_by: string
  include?: string[]
  exclude?: string[]
}

export const demoTargetAudiences: readonly DemoTargetAudience[] = [
  {
    advertiser: 'Aurora Cosmetics',
    created_by: 'staff',
    name: '都會保養新手',
    age_min: 20,
    age_max: 39,
    genders: ['female'],
    locations: [
      { country: 'TW', region: 'TW-TPE' },
      { country: 'TW', region: 'TW-TXG' },
      { country: 'TW', region: 'TW-KHH' },
    ],
    languages: ['zh-TW'],
    interests: ['保養', '開架美妝', '韓國旅遊', '瑜伽'],
    devices: ['mobile'],
    exclude: ['Aurora VIP 2026'],
    note: '預算有限，第一次購買保濕組的人。素材以使用前後對比為主，避免醫療用語。',
  },
  {
    advertiser: 'Cedar Coffee',
    created_by: 'manager',
    name: 'Home baristas in Kanto',
    age_min: 25,
    age_max: 54,
    genders: [],
    locations: [
      { country: 'JP', region: 'JP-13' },
      { country: 'JP', region: 'JP-14' },
    ],
    languages: ['ja'],
    interests: ['specialty coffee', 'kitchen appliances', 'working from home'],
    devices: ['mobile', 'desktop'],
    include: ['Cedar cart 30 days'],
    note: 'Owns a grinder. Speaks to taste and origin, not to price.',
  },
  {
    advertiser: 'Fjord Travel',
    created_by: 'manager',
    name: 'Slow travellers 60+',
    age_min: 60,
    age_max: 65,
    genders: [],
    locations: [{ country: 'TW' }, { country: 'JP', city: 'Osaka' }],
    languages: ['zh-TW', 'ja'],
    interests: ['cruises', 'hot springs', 'photography', 'history'],
    devices: ['desktop', 'tablet', 'tv'],
    note: 'Books four months ahead and by phone. Show the number in every picture.',
  },
]

export const demoPublishers: readonly (CreatePublisher & { created_by: string })[] = [
  {
    name: 'Meta',
    type: 'social',
    channel: 'fb',
    website: 'https://business.facebook.com',
    created_by: 'manager',
  },
  {
    name: 'Google Ads',
    type: 'search',
    channel: 'aw',
    website: 'https://ads.google.com',
    created_by: 'manager',
  },
  { name: 'TikTok', type: 'video', channel: 'tt', website: 'https://ads.tiktok.com', created_by: 'manager' },
  {
    name: 'LINE',
    type: 'messaging',
    channel: 'ln',
    website: 'https://www.linebiz.com',
    contacts: [
      { name: 'Kana Ito', title: 'Agency partner', phone: '+81 3-0000-0120', email: 'kana.ito@line.demo' },
    ],
    created_by: 'staff',
  },
  {
    name: 'LY (Yahoo! JAPAN)',
    type: 'display',
    channel: 'yg',
    website: 'https://www.lycbiz.com',
    created_by: 'manager',
  },
  {
    name: '晨報網',
    type: 'news',
    website: 'https://morning.news.demo',
    contacts: [
      {
        name: '王小姐',
        title: '業務',
        phone: '02-0000-0215',
        email: 'ads@morning.news.demo',
        is_billing: true,
      },
    ],
    note: '首頁橫幅需於上線前五個工作天交件。',
    created_by: 'staff',
  },
  {
    name: 'Mina’s morning routine',
    type: 'influencer',
    website: 'https://mina.video.demo',
    contacts: [{ name: 'Mina Lo', title: 'Creator', email: 'hello@mina.video.demo' }],
    note: 'Writes her own copy. Discount codes are hers for 30 days.',
    created_by: 'staff',
  },
  { name: 'Affiliate One', type: 'affiliate', website: 'https://affiliate.one.demo', created_by: 'director' },
  { name: '捷運燈箱', type: 'offline', note: '以 QR Code 導流，每季換檔。', created_by: 'manager' },
]

export interface DemoLink extends Partial<Record<UtmField, string>> {
  advertiser: string
  created_by: string
  preset?: string
  site?: string
  publisher?: string
  /** By its name. */
  image?: string
  landing_url: string
  name?: string
}

const aurora = { advertiser: 'Aurora Cosmetics', created_by: 'staff', site: 'Aurora shop' }
const autumn = 'https://shop.aurora.demo/autumn'
const cedar = { advertiser: 'Cedar Coffee', created_by: 'manager', site: 'Cedar shop' }

/** Campaign links as people would have made them; those of one campaign differ where their placements do. */
export const demoLinks: readonly DemoLink[] = [
  {
    ...aurora,
    preset: 'Meta Ads',
    publisher: 'Meta',
    landing_url: autumn,
    name: 'Autumn · Meta',
    image: 'Autumn serum, square.png',
  },
  {
    ...aurora,
    preset: 'Google Ads',
    publisher: 'Google Ads',
    landing_url: autumn,
    utm_campaign: '秋季特賣',
    utm_id: 'AU-2026-11',
  },
  { ...aurora, preset: 'TikTok Ads', publisher: 'TikTok', landing_url: autumn, name: 'Autumn · TikTok' },
  {
    ...aurora,
    preset: 'LINE Ads',
    publisher: 'LINE',
    landing_url: autumn,
    utm_campaign: 'autumn_2026',
    image: 'Autumn serum, card.jpg',
  },
  {
    ...aurora,
    preset: 'Newsletter',
    landing_url: `${autumn}?ref=hp#top`,
    utm_campaign: 'autumn_2026',
    utm_content: 'hero_button',
  },
  {
    ...aurora,
    publisher: 'Mina’s morning routine',
    landing_url: 'https://shop.aurora.demo/serum',
    utm_source: 'mina',
    utm_medium: 'influencer',
    utm_campaign: 'autumn_2026',
  },
  {
    ...aurora,
    preset: 'Print QR',
    publisher: '捷運燈箱',
    landing_url: 'https://shop.aurora.demo/store',
    utm_source: 'poster',
    utm_campaign: 'mrt_q4',
    utm_content: 'zhongshan_b2',
  },
  {
    ...cedar,
    preset: 'Meta Ads',
    publisher: 'Meta',
    landing_url: 'https://shop.cedar.demo/beans',
    name: 'Beans · Meta',
  },
  {
    ...cedar,
    publisher: 'LY (Yahoo! JAPAN)',
    landing_url: 'https://shop.cedar.demo/beans',
    utm_source: 'yahoo',
    utm_medium: 'display',
    utm_campaign: 'winter_blend',
  },
  {
    ...cedar,
    preset: 'Newsletter',
    landing_url: 'https://shop.cedar.demo/winter',
    utm_campaign: 'winter_blend',
    image: 'Winter blend, square.jpg',
  },
  {
    advertiser: 'Delta Fitness',
    created_by: 'staff',
    site: 'Delta shop',
    preset: 'Google Ads',
    publisher: 'Google Ads',
    landing_url: 'https://shop.delta.demo/trial',
    utm_campaign: 'new_year_trial',
  },
  {
    advertiser: 'Fjord Travel',
    created_by: 'manager',
    site: 'Fjord shop',
    publisher: 'Affiliate One',
    landing_url: 'https://shop.fjord.demo/cruises',
    utm_source: 'affiliate_one',
    utm_medium: 'affiliate',
    utm_campaign: 'norway_2027',
  },
]

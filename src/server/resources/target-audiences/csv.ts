import { ageText, type AgePlatform, type PlatformAges } from '#shared/age-bands.ts'
import type { TargetAudience } from '#shared/api/target-audiences.ts'
import type { Language, Text } from '#shared/language.ts'
import { MOST_AGE } from '#shared/target-audiences.ts'
import type { Db } from '#server/db/connect.ts'
import { csvOf, type CsvColumn } from '#server/http/csv.ts'
import { batchesOf } from '#server/http/list.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { presentTargetAudiences } from './present.ts'
import { listTargetAudiences, type TargetAudienceFilter } from './queries.ts'

const BATCH = 200

export const targetAudiencesCsv = (db: Db, user: SignedInUser, query: TargetAudienceFilter) =>
  csvOf(
    title,
    columns,
    batchesOf(BATCH, async page => {
      const { count, rows } = await listTargetAudiences(db, user, { ...query, ...page })
      return { count, rows: await presentTargetAudiences(db, user, rows) }
    }),
  )

const title: Text = { en: 'Target audiences', 'zh-TW': '目標受眾' }

const genders: Record<TargetAudience['genders'][number], Text> = {
  female: { en: 'Female', 'zh-TW': '女性' },
  male: { en: 'Male', 'zh-TW': '男性' },
  unknown: { en: 'Unknown', 'zh-TW': '不明' },
}

const devices: Record<TargetAudience['devices'][number], Text> = {
  mobile: { en: 'Mobile', 'zh-TW': '手機' },
  desktop: { en: 'Desktop', 'zh-TW': '桌機' },
  tablet: { en: 'Tablet', 'zh-TW': '平板' },
  tv: { en: 'TV', 'zh-TW': '電視' },
}

const states: Record<PlatformAges['state'], Text | null> = {
  exact: null,
  widened: { en: 'widened', 'zh-TW': '範圍較廣' },
  partial: { en: 'not all of them', 'zh-TW': '僅涵蓋部分年齡' },
  not_possible: { en: 'not possible', 'zh-TW': '無法設定' },
  by_hand: { en: 'by hand', 'zh-TW': '手動設定' },
}

function agesAt(platform: AgePlatform): CsvColumn<TargetAudience>['cell'] {
  return ({ platforms }, language) => {
    const ages = platforms.find(each => each.platform === platform)
    if (!ages) return null
    const state = states[ages.state]?.[language]
    if (ages.bands.length === 0) return state ?? null
    return state === undefined ? ageText(ages) : `${ageText(ages)} (${state})`
  }
}

const lines = (items: readonly string[]) => items.join('\n')
const named =
  <Key extends string>(texts: Record<Key, Text>, language: Language) =>
  (key: Key) =>
    texts[key][language]
const placeText = ({ country, region, city }: TargetAudience['locations'][number]) =>
  [city, region ?? country].filter(part => part !== undefined).join(', ')
const agesText = ({ age_min: from, age_max: to }: TargetAudience) =>
  ageText({ from, to: to === MOST_AGE ? null : to, bands: [] })

const columns: readonly CsvColumn<TargetAudience>[] = [
  { header: { en: 'Advertiser', 'zh-TW': '廣告主' }, cell: row => row.advertiser_name },
  { header: { en: 'Name', 'zh-TW': '名稱' }, cell: row => row.name },
  { header: { en: 'Ages', 'zh-TW': '年齡' }, cell: agesText },
  {
    header: { en: 'Genders', 'zh-TW': '性別' },
    cell: (row, language) => lines(row.genders.map(named(genders, language))),
  },
  { header: { en: 'Locations', 'zh-TW': '地區' }, cell: row => lines(row.locations.map(placeText)) },
  { header: { en: 'Languages', 'zh-TW': '語言' }, cell: row => lines(row.languages) },
  { header: { en: 'Interests', 'zh-TW': '興趣' }, cell: row => lines(row.interests) },
  {
    header: { en: 'Devices', 'zh-TW': '裝置' },
    cell: (row, language) => lines(row.devices.map(named(devices, language))),
  },
  {
    header: { en: 'Include', 'zh-TW': '包含名單' },
    cell: row => lines(row.audience_lists.include.map(({ name }) => name)),
  },
  {
    header: { en: 'Exclude', 'zh-TW': '排除名單' },
    cell: row => lines(row.audience_lists.exclude.map(({ name }) => name)),
  },
  { header: { en: 'Meta', 'zh-TW': 'Meta' }, cell: agesAt('meta') },
  { header: { en: 'Google Ads', 'zh-TW': 'Google Ads' }, cell: agesAt('google_ads') },
  { header: { en: 'TikTok', 'zh-TW': 'TikTok' }, cell: agesAt('tiktok') },
  { header: { en: 'Note', 'zh-TW': '備註' }, cell: row => row.note },
]

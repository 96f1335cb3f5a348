import type { Link } from '#shared/api/links.ts'
import type { Text } from '#shared/language.ts'
import type { CheckOutcome } from '#shared/links/check-outcomes.ts'
import { utmFields, type UtmField } from '#shared/links/parameters.ts'
import type { LinkPlatform } from '#shared/links/platforms.ts'
import type { Db } from '#server/db/connect.ts'
import { csvOf, type CsvColumn } from '#server/http/csv.ts'
import { batchesOf } from '#server/http/list.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { presentLink } from './present.ts'
import { listPresets, type PresetFilter, type PresetRow } from './preset-queries.ts'
import { listLinks, type LinkFilter } from './queries.ts'

const BATCH = 100

export const linksCsv = (db: Db, user: SignedInUser, query: LinkFilter) =>
  csvOf(
    title,
    columns,
    batchesOf(BATCH, async page => {
      const { count, rows } = await listLinks(db, user, { ...query, ...page })
      return { count, rows: rows.map(row => presentLink(user, row)) }
    }),
  )

export const presetsCsv = (db: Db, user: SignedInUser, query: PresetFilter) =>
  csvOf(
    { en: 'Presets', 'zh-TW': '範本' },
    presetColumns,
    batchesOf(BATCH, page => listPresets(db, user, { ...query, ...page })),
  )

const title = { en: 'Links', 'zh-TW': '連結' } as const satisfies Text

const platforms: Record<LinkPlatform, Text> = {
  meta: { en: 'Meta', 'zh-TW': 'Meta' },
  google_ads: { en: 'Google Ads', 'zh-TW': 'Google Ads' },
  tiktok: { en: 'TikTok', 'zh-TW': 'TikTok' },
  ly_search: { en: 'LY search ads', 'zh-TW': 'LY 搜尋廣告' },
  ly_display: { en: 'LY display ads', 'zh-TW': 'LY 多媒體廣告' },
  line: { en: 'LINE Ads', 'zh-TW': 'LINE 廣告' },
  yahoo_dsp: { en: 'Yahoo DSP', 'zh-TW': 'Yahoo DSP' },
}

const outcomes: Record<CheckOutcome, Text> = {
  ok: { en: 'OK', 'zh-TW': '正常' },
  utm_lost: { en: 'Parameters lost', 'zh-TW': '參數遺失' },
  http_error: { en: 'Page error', 'zh-TW': '網頁錯誤' },
  not_reachable: { en: 'Not reachable', 'zh-TW': '無法連線' },
  too_many_redirects: { en: 'Too many redirects', 'zh-TW': '重新導向過多' },
  blocked_address: { en: 'Private address', 'zh-TW': '非公開位址' },
  tls_error: { en: 'Certificate error', 'zh-TW': '憑證錯誤' },
}

interface Common {
  advertiser_name: string | null
  name: string
  platform: LinkPlatform | null
  created_by_name: string | null
  created_at: Date | string
}
const advertiser: CsvColumn<Common> = {
  header: { en: 'Advertiser', 'zh-TW': '廣告主' },
  cell: row => row.advertiser_name,
}
const name: CsvColumn<Common> = { header: { en: 'Name', 'zh-TW': '名稱' }, cell: row => row.name }
const platform: CsvColumn<Common> = {
  header: { en: 'Ad platform', 'zh-TW': '廣告平台' },
  cell: (row, language) => (row.platform === null ? null : platforms[row.platform][language]),
}
const maker: readonly CsvColumn<Common>[] = [
  { header: { en: 'Created by', 'zh-TW': '建立者' }, cell: row => row.created_by_name },
  {
    header: { en: 'Created ({zone})', 'zh-TW': '建立時間（{zone}）' },
    cell: row => new Date(row.created_at),
  },
]

const columns: readonly CsvColumn<Link>[] = [
  advertiser,
  name,
  { header: { en: 'Link', 'zh-TW': '連結' }, cell: row => row.link },
  { header: { en: 'Landing page', 'zh-TW': '到達網頁' }, cell: row => row.landing_url },
  platform,
  // The names that go into the address are the same in every language.
  { header: { en: 'utm_source', 'zh-TW': 'utm_source' }, cell: row => row.utm_source },
  { header: { en: 'utm_medium', 'zh-TW': 'utm_medium' }, cell: row => row.utm_medium },
  { header: { en: 'utm_campaign', 'zh-TW': 'utm_campaign' }, cell: row => row.utm_campaign },
  { header: { en: 'utm_id', 'zh-TW': 'utm_id' }, cell: row => row.utm_id },
  { header: { en: 'utm_term', 'zh-TW': 'utm_term' }, cell: row => row.utm_term },
  { header: { en: 'utm_content', 'zh-TW': 'utm_content' }, cell: row => row.utm_content },
  {
    header: { en: 'utm_source_platform', 'zh-TW': 'utm_source_platform' },
    cell: row => row.utm_source_platform,
  },
  {
    header: { en: 'utm_creative_format', 'zh-TW': 'utm_creative_format' },
    cell: row => row.utm_creative_format,
  },
  {
    header: { en: 'utm_marketing_tactic', 'zh-TW': 'utm_marketing_tactic' },
    cell: row => row.utm_marketing_tactic,
  },
  {
    header: { en: 'Other parameters', 'zh-TW': '其他參數' },
    cell: row => row.extra.map(({ key, value }) => `${key}=${value}`).join('\n'),
  },
  { header: { en: 'GA4 channel', 'zh-TW': 'GA4 管道' }, cell: row => row.ga4_channel },
  { header: { en: 'Site', 'zh-TW': '網站' }, cell: row => row.site_name },
  { header: { en: 'Publisher', 'zh-TW': '媒體' }, cell: row => row.publisher_name },
  { header: { en: 'Image', 'zh-TW': '圖片' }, cell: row => row.image_name },
  { header: { en: 'File', 'zh-TW': '檔案' }, cell: row => row.file_name },
  { header: { en: 'Preset', 'zh-TW': '範本' }, cell: row => row.preset_name },
  {
    header: { en: 'Link check', 'zh-TW': '連結檢查' },
    cell: (row, language) => row.check && outcomes[row.check.outcome][language],
  },
  {
    header: { en: 'Checked ({zone})', 'zh-TW': '檢查時間（{zone}）' },
    cell: row => row.check && new Date(row.check.checked_at),
  },
  ...maker,
]

const presetColumns: readonly CsvColumn<PresetRow>[] = [
  advertiser,
  name,
  platform,
  {
    header: { en: 'Values', 'zh-TW': '參數值' },
    cell: ({ values }) => linesOf(field => values[field] && `${field}=${values[field]}`),
  },
  {
    header: { en: 'Fixed fields', 'zh-TW': '固定欄位' },
    cell: ({ locked }) => linesOf(field => locked.includes(field) && field),
  },
  {
    header: { en: 'Allowed values', 'zh-TW': '可用的值' },
    cell: ({ allowed }) => linesOf(field => allowed[field] && `${field}=${allowed[field].join(', ')}`),
  },
  ...maker,
]

const linesOf = (lineOf: (field: UtmField) => string | false | undefined) =>
  utmFields.flatMap(field => lineOf(field) || []).join('\n')

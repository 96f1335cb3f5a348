import type { Text } from '#shared/language.ts'
import type { Db } from '#server/db/connect.ts'
import { csvOf, type CsvColumn } from '#server/http/csv.ts'
import { batchesOf } from '#server/http/list.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { presentAudiences } from './present.ts'
import { listAudiences, type AudienceFilter } from './queries.ts'
import type { Audience } from '#shared/api/audiences.ts'

const BATCH = 200

export const audiencesCsv = (db: Db, user: SignedInUser, query: AudienceFilter) =>
  csvOf(
    title,
    columns,
    batchesOf(BATCH, async page => {
      const { count, rows } = await listAudiences(db, user, { ...query, ...page })
      return { count, rows: await presentAudiences(db, user, rows) }
    }),
  )

const title = { en: 'Audience lists', 'zh-TW': '受眾名單' } as const satisfies Text

const kinds: Record<Audience['kind'], Text> = {
  customer_file: { en: 'Customer file', 'zh-TW': '客戶名單檔' },
  website: { en: 'Website visitors', 'zh-TW': '網站訪客' },
  lookalike: { en: 'Lookalike', 'zh-TW': '類似受眾' },
  ga4: { en: 'GA4 audience', 'zh-TW': 'GA4 目標對象' },
}

const statuses: Record<Audience['status'], Text> = {
  draft: { en: 'Draft', 'zh-TW': '草稿' },
  ready: { en: 'Ready', 'zh-TW': '可使用' },
  expired: { en: 'Expired', 'zh-TW': '已過期' },
}

const instant = (text: string | null) => (text === null ? null : new Date(text))

const columns: readonly CsvColumn<Audience>[] = [
  { header: { en: 'Advertiser', 'zh-TW': '廣告主' }, cell: row => row.advertiser_name },
  { header: { en: 'Name', 'zh-TW': '名稱' }, cell: row => row.name },
  { header: { en: 'Description', 'zh-TW': '說明' }, cell: row => row.description },
  { header: { en: 'Kind', 'zh-TW': '類型' }, cell: (row, language) => kinds[row.kind][language] },
  { header: { en: 'Status', 'zh-TW': '狀態' }, cell: (row, language) => statuses[row.status][language] },
  { header: { en: 'Rows', 'zh-TW': '筆數' }, cell: row => row.rows },
  {
    header: { en: 'Shared with', 'zh-TW': '分享對象' },
    cell: row => row.shares.map(share => share.ad_account_name).join('\n'),
  },
  {
    header: { en: 'Last upload ({zone})', 'zh-TW': '上次上傳（{zone}）' },
    cell: row => instant(row.last_upload?.taken_at ?? null),
  },
  {
    header: { en: 'Our copy ends ({zone})', 'zh-TW': '名單副本到期（{zone}）' },
    cell: row => instant(row.expires_at),
  },
]

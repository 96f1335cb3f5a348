import type { PublicAccountQuery } from '#shared/api/public-accounts.ts'
import type { Text } from '#shared/language.ts'
import { platformFacts } from '#shared/platforms.ts'
import type { Db } from '#server/db/connect.ts'
import { csvOf, type CsvColumn } from '#server/http/csv.ts'
import { batchesOf } from '#server/http/list.ts'
import { listPublicAccounts, type PublicAccountRow } from './queries.ts'

/** Shared logins read at a time; an agency has a few dozen. */
const BATCH = 500

/** The shared logins as a table, without their credentials. */
export const publicAccountsCsv = (db: Db, query: PublicAccountQuery) =>
  csvOf(
    title,
    columns,
    batchesOf(BATCH, page => listPublicAccounts(db, { ...query, ...page })),
  )

const title: Text = { en: 'Public accounts', 'zh-TW': '公用帳號' }

const columns: readonly CsvColumn<PublicAccountRow>[] = [
  { header: { en: 'ID', 'zh-TW': '編號' }, cell: row => row.id },
  { header: { en: 'Name', 'zh-TW': '名稱' }, cell: row => row.name },
  {
    header: { en: 'Platform', 'zh-TW': '平台' },
    cell: (row, language) => platformFacts(row.platform).names[language],
  },
  { header: { en: 'Ad accounts', 'zh-TW': '廣告帳戶數' }, cell: row => row.accounts },
  { header: { en: 'Expires ({zone})', 'zh-TW': '到期時間（{zone}）' }, cell: row => row.expires_at },
  { header: { en: 'Tested ({zone})', 'zh-TW': '測試時間（{zone}）' }, cell: row => row.tested_at },
  { header: { en: 'Test result', 'zh-TW': '測試結果' }, cell: row => row.test_result },
  { header: { en: 'Created by', 'zh-TW': '建立者' }, cell: row => row.created_by_name },
  { header: { en: 'Created ({zone})', 'zh-TW': '建立時間（{zone}）' }, cell: row => row.created_at },
]

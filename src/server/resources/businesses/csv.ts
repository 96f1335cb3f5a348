import { reasonText, statusText } from '#shared/account-standing.ts'
import type { Person } from '#shared/access.ts'
import type { BusinessAccount, BusinessAccountQuery } from '#shared/api/businesses.ts'
import type { Text } from '#shared/language.ts'
import { MILLIONTHS } from '#shared/money.ts'
import type { Db } from '#server/db/connect.ts'
import { csvOf, type CsvColumn } from '#server/http/csv.ts'
import { batchesOf } from '#server/http/list.ts'
import { presentAccount } from './present.ts'
import { listBusinessAccounts } from './queries.ts'

/** So many accounts are read at a time. */
const BATCH = 500

/** The accounts that a person sees, filtered and ordered as in the list. */
export const businessAccountsCsv = (db: Db, person: Person, query: BusinessAccountQuery) =>
  csvOf(
    { en: 'Ad accounts of business managers', 'zh-TW': '商業管理平台廣告帳戶' },
    columns,
    batchesOf(BATCH, async page => {
      const { count, rows } = await listBusinessAccounts(db, person, { ...query, ...page })
      return { count, rows: rows.map(row => presentAccount(row, person)) }
    }),
  )

const relations: Record<BusinessAccount['relation'], Text> = {
  owned: { en: 'Owned', 'zh-TW': '自有' },
  client: { en: 'Client', 'zh-TW': '客戶' },
}

const units = (millionths: number | null) => (millionths === null ? null : millionths / MILLIONTHS)

const columns: readonly CsvColumn<BusinessAccount>[] = [
  { header: { en: 'Name', 'zh-TW': '名稱' }, cell: row => row.name },
  { header: { en: 'Account ID', 'zh-TW': '帳戶編號' }, cell: row => row.account },
  {
    header: { en: 'Relation', 'zh-TW': '關係' },
    cell: (row, language) => relations[row.relation][language],
  },
  { header: { en: 'Advertiser', 'zh-TW': '廣告主' }, cell: row => row.advertiser_name },
  {
    header: { en: 'Status', 'zh-TW': '狀態' },
    cell: (row, language) => statusText(row.status)[language],
  },
  {
    header: { en: 'Reason', 'zh-TW': '原因' },
    cell: (row, language) => reasonText(row.disable_reason)?.[language] ?? null,
  },
  { header: { en: 'Currency', 'zh-TW': '幣別' }, cell: row => row.currency },
  { header: { en: 'Time zone', 'zh-TW': '時區' }, cell: row => row.timezone },
  { header: { en: 'Spend cap', 'zh-TW': '花費上限' }, cell: row => units(row.spend_cap) },
  { header: { en: 'Spent', 'zh-TW': '已花費' }, cell: row => units(row.amount_spent) },
  {
    header: { en: 'Cap used (%)', 'zh-TW': '上限使用率（%）' },
    cell: row => (row.cap_used === null ? null : row.cap_used / 100),
  },
  { header: { en: 'Balance', 'zh-TW': '應付餘額' }, cell: row => units(row.balance) },
  { header: { en: 'Funding', 'zh-TW': '付款方式' }, cell: row => row.funding?.label ?? null },
  {
    header: { en: 'Gone since ({zone})', 'zh-TW': '消失時間（{zone}）' },
    cell: row => (row.gone_at === null ? null : new Date(row.gone_at)),
  },
]

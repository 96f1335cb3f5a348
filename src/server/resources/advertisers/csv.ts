import type { Person } from '#shared/access.ts'
import type { Text } from '#shared/language.ts'
import type { Db } from '#server/db/connect.ts'
import {
  asWritten,
  contactsCell,
  readChoice,
  readContacts,
  readTaxId,
  readTerms,
  readTruth,
  termsCell,
  truthCell,
} from '#server/customer-cells.ts'
import { csvOf, type CsvColumn } from '#server/http/csv.ts'
import { batchesOf } from '#server/http/list.ts'
import type { ImportColumn } from '#server/import-file.ts'
import { memberNames } from './member-queries.ts'
import {
  agentNames,
  industryNames,
  listAdvertisers,
  type AdvertiserFilter,
  type AdvertiserRow,
} from './queries.ts'

/** So many advertisers are read at a time. */
const BATCH = 500

/** The customers whom a person may see, as a table that the import takes back. */
export const advertisersCsv = (db: Db, viewer: Person, query: AdvertiserFilter & { month: string }) =>
  csvOf(title, advertiserColumns, batches(db, viewer, query))

const batches = (db: Db, viewer: Person, query: AdvertiserFilter & { month: string }) =>
  batchesOf(BATCH, async page => {
    const { count, rows } = await listAdvertisers(db, viewer, { ...query, ...page })
    const [industries, agents] = [await industryNames(db), await agentNames(db)]
    const members = await memberNames(
      db,
      viewer,
      rows.map(({ id }) => id),
    )
    return {
      count,
      rows: rows.map(row => ({
        ...row,
        industry_name: row.industry === null ? null : (industries.get(row.industry) ?? null),
        agent_name: row.agent === null ? null : (agents.get(row.agent) ?? null),
        member_names: members.get(row.id) ?? [],
      })),
    }
  })

type Row = AdvertiserRow & {
  industry_name: Text | null
  agent_name: string | null
  member_names: readonly string[]
}

const title: Text = { en: 'Advertisers', 'zh-TW': '廣告主' }

export const advertiserColumns: readonly (CsvColumn<Row> & ImportColumn)[] = [
  { field: 'name', header: { en: 'Name', 'zh-TW': '名稱' }, cell: row => row.name, read: readChoice },
  {
    field: 'legal_name',
    header: { en: 'Legal name', 'zh-TW': '公司全名' },
    cell: row => row.legal_name,
    read: asWritten,
  },
  {
    field: 'tax_country',
    header: { en: 'Tax country', 'zh-TW': '稅籍國家' },
    cell: row => row.tax_country,
    read: readChoice,
  },
  {
    field: 'tax_id',
    header: { en: 'Tax ID', 'zh-TW': '統一編號' },
    cell: row => row.tax_id,
    read: readTaxId,
  },
  {
    field: 'industry',
    header: { en: 'Industry', 'zh-TW': '產業' },
    cell: ({ industry_name }, language) => industry_name?.[language] ?? null,
    read: asWritten,
  },
  {
    field: 'agent',
    header: { en: 'Agent', 'zh-TW': '代理商' },
    cell: row => row.agent_name,
    read: asWritten,
  },
  {
    field: 'members',
    header: { en: 'Members', 'zh-TW': '成員' },
    cell: ({ member_names }) => member_names.join('; '),
    read: asWritten,
  },
  { field: 'website', header: { en: 'Website', 'zh-TW': '網站' }, cell: row => row.website, read: asWritten },
  { field: 'address', header: { en: 'Address', 'zh-TW': '地址' }, cell: row => row.address, read: asWritten },
  {
    field: 'contacts',
    header: { en: 'Contacts', 'zh-TW': '聯絡人' },
    cell: row => contactsCell(row.contacts),
    read: readContacts,
  },
  {
    field: 'document_language',
    header: { en: 'Document language', 'zh-TW': '文件語言' },
    cell: row => row.document_language,
    read: readChoice,
  },
  {
    field: 'billing_currency',
    header: { en: 'Billing currency', 'zh-TW': '請款幣別' },
    cell: row => row.billing_currency,
    read: text => text || null,
  },
  { field: 'tax', header: { en: 'Tax', 'zh-TW': '稅別' }, cell: row => row.tax, read: readChoice },
  {
    field: 'media_billing',
    header: { en: 'Media billing', 'zh-TW': '媒體費請款方式' },
    cell: row => row.media_billing,
    read: readChoice,
  },
  {
    field: 'payment_terms',
    header: { en: 'Payment terms', 'zh-TW': '付款條件' },
    cell: row => termsCell(row.payment_terms),
    read: readTerms,
  },
  { field: 'note', header: { en: 'Note', 'zh-TW': '備註' }, cell: row => row.note, read: asWritten },
  {
    field: 'is_active',
    header: { en: 'Active', 'zh-TW': '啟用' },
    cell: row => truthCell(row.is_active),
    read: readTruth,
  },
]

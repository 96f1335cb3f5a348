import type { Person } from '#shared/access.ts'
import type { Text } from '#shared/language.ts'
import type { Db } from '#server/db/connect.ts'
import { csvOf, type CsvColumn } from '#server/http/csv.ts'
import { batchesOf } from '#server/http/list.ts'
import type { ImportColumn } from '#server/import-file.ts'
import {
  asWritten,
  contactsCell,
  percentCell,
  readChoice,
  readContacts,
  readPercent,
  readTaxId,
  readTerms,
  readTruth,
  termsCell,
  truthCell,
} from '#server/customer-cells.ts'
import { listAgents, type AgentFilter, type AgentRow } from './queries.ts'

const BATCH = 500

/** The agents as a table that the import takes back. */
export const agentsCsv = (db: Db, viewer: Person, query: AgentFilter) =>
  csvOf(
    title,
    agentColumns,
    batchesOf(BATCH, page => listAgents(db, viewer, { ...query, ...page })),
  )

const title: Text = { en: 'Agents', 'zh-TW': '代理商' }

export const agentColumns: readonly (CsvColumn<AgentRow> & ImportColumn)[] = [
  { field: 'name', header: { en: 'Name', 'zh-TW': '名稱' }, cell: row => row.name, read: readChoice },
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
  { field: 'address', header: { en: 'Address', 'zh-TW': '地址' }, cell: row => row.address, read: asWritten },
  {
    field: 'commission_rate',
    header: { en: 'Commission', 'zh-TW': '佣金比率' },
    cell: row => percentCell(row.commission_rate),
    read: readPercent,
  },
  {
    field: 'commission_base',
    header: { en: 'Commission on', 'zh-TW': '佣金基礎' },
    cell: row => row.commission_base,
    read: readChoice,
  },
  {
    field: 'contacts',
    header: { en: 'Contacts', 'zh-TW': '聯絡人' },
    cell: row => contactsCell(row.contacts),
    read: readContacts,
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
  {
    field: 'advertisers',
    header: { en: 'Advertisers', 'zh-TW': '廣告主數' },
    cell: row => row.advertisers,
    read: null,
  },
]

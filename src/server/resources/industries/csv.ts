import type { Person } from '#shared/access.ts'
import type { Text } from '#shared/language.ts'
import type { Db } from '#server/db/connect.ts'
import { readChoice } from '#server/customer-cells.ts'
import { csvOf, type CsvColumn } from '#server/http/csv.ts'
import { batchesOf } from '#server/http/list.ts'
import type { ImportColumn } from '#server/import-file.ts'
import { listIndustries, type IndustryFilter, type IndustryRow } from './queries.ts'

const BATCH = 500

/** The industries as a table that the import takes back. */
export const industriesCsv = (db: Db, viewer: Person, query: IndustryFilter) =>
  csvOf(
    title,
    industryColumns,
    batchesOf(BATCH, page => listIndustries(db, viewer, { ...query, ...page })),
  )

const title: Text = { en: 'Industries', 'zh-TW': '產業' }

export const industryColumns: readonly (CsvColumn<IndustryRow> & ImportColumn)[] = [
  { field: 'name', header: { en: 'Name', 'zh-TW': '名稱' }, cell: row => row.name, read: readChoice },
  {
    field: 'name_zh',
    header: { en: 'Name in Chinese', 'zh-TW': '中文名稱' },
    cell: row => row.name_zh,
    read: readChoice,
  },
  {
    field: 'advertisers',
    header: { en: 'Advertisers', 'zh-TW': '廣告主數' },
    cell: row => row.advertisers,
    read: null,
  },
]

import type { Text } from '#shared/language.ts'
import { asWritten, readChoice } from '#server/customer-cells.ts'
import type { Db } from '#server/db/connect.ts'
import { csvOf, type CsvColumn } from '#server/http/csv.ts'
import { batchesOf } from '#server/http/list.ts'
import type { ImportColumn } from '#server/import-file.ts'
import { listRates, plainRate, type ListedRate, type RateFilter } from './rate-queries.ts'

const BATCH = 500

/** The rates as a table that the import takes back. */
export const ratesCsv = (db: Db, query: RateFilter) =>
  csvOf(
    title,
    rateColumns,
    batchesOf(BATCH, page => listRates(db, { ...query, ...page })),
  )

const title: Text = { en: 'Exchange rates', 'zh-TW': '匯率' }

export const rateColumns: readonly (CsvColumn<ListedRate> & ImportColumn)[] = [
  { field: 'month', header: { en: 'Month', 'zh-TW': '月份' }, cell: row => row.month, read: asWritten },
  {
    field: 'currency',
    header: { en: 'Currency', 'zh-TW': '幣別' },
    cell: row => row.currency,
    read: text => text.toUpperCase(),
  },
  {
    field: 'rate',
    header: { en: 'Rate', 'zh-TW': '匯率' },
    cell: row => plainRate(row.rate),
    read: asWritten,
  },
  { field: 'kind', header: { en: 'Kind', 'zh-TW': '類別' }, cell: row => row.kind, read: readChoice },
  { field: 'source', header: { en: 'Source', 'zh-TW': '來源' }, cell: row => row.source, read: asWritten },
]

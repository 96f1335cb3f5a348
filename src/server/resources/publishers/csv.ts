import type { Text } from '#shared/language.ts'
import type { Db } from '#server/db/connect.ts'
import { asWritten, contactsCell, readChoice, readContacts } from '#server/customer-cells.ts'
import { csvOf, type CsvColumn } from '#server/http/csv.ts'
import { batchesOf } from '#server/http/list.ts'
import type { ImportColumn } from '#server/import-file.ts'
import { listPublishers, type PublisherFilter, type PublisherRow } from './queries.ts'

const BATCH = 500

/** The publishers as a table that the import takes back. */
export const publishersCsv = (db: Db, query: PublisherFilter) =>
  csvOf(
    title,
    publisherColumns,
    batchesOf(BATCH, page => listPublishers(db, { ...query, ...page })),
  )

const title: Text = { en: 'Publishers', 'zh-TW': '媒體' }

export const publisherColumns: readonly (CsvColumn<PublisherRow> & ImportColumn)[] = [
  { field: 'name', header: { en: 'Name', 'zh-TW': '名稱' }, cell: row => row.name, read: readChoice },
  { field: 'type', header: { en: 'Type', 'zh-TW': '類型' }, cell: row => row.type, read: readChoice },
  {
    field: 'channel',
    header: { en: 'Channel', 'zh-TW': '管道' },
    cell: row => row.channel,
    read: text => (text === '' ? null : text),
  },
  { field: 'website', header: { en: 'Website', 'zh-TW': '網站' }, cell: row => row.website, read: asWritten },
  {
    field: 'contacts',
    header: { en: 'Contacts', 'zh-TW': '聯絡人' },
    cell: row => contactsCell(row.contacts),
    read: readContacts,
  },
  { field: 'note', header: { en: 'Note', 'zh-TW': '備註' }, cell: row => row.note, read: asWritten },
]

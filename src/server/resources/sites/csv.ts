import type { Person } from '#shared/access.ts'
import type { Text } from '#shared/language.ts'
import type { Db } from '#server/db/connect.ts'
import { readChoice, readTruth, truthCell } from '#server/customer-cells.ts'
import { csvOf, type CsvColumn } from '#server/http/csv.ts'
import { batchesOf } from '#server/http/list.ts'
import type { ImportColumn } from '#server/import-file.ts'
import { listSites, type SiteFilter, type SiteRow } from './queries.ts'

const BATCH = 500

/** The sites as a table that the import takes back. */
export const sitesCsv = (db: Db, person: Person, query: SiteFilter) =>
  csvOf(
    title,
    siteColumns,
    batchesOf(BATCH, page => listSites(db, person, { ...query, ...page })),
  )

const title: Text = { en: 'Sites', 'zh-TW': '網站' }

type Pixels = SiteRow['pixels']

/** One a line: meta 3390001 */
const pixelsCell = (pixels: Pixels) => pixels.map(({ platform, id }) => `${platform} ${id}`).join('\n')

/** What cannot be read stays as it is, for the schema to refuse. */
const readPixels = (text: string): Pixels =>
  text
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => {
      const [platform = '', ...id] = line.trim().split(/\s+/)
      return { platform, id: id.join(' ') }
    })

/** The advertiser comes as its name. */
export const siteColumns: readonly (CsvColumn<SiteRow> & ImportColumn)[] = [
  {
    field: 'advertiser',
    header: { en: 'Advertiser', 'zh-TW': '廣告主' },
    cell: row => row.advertiser_name,
    read: readChoice,
  },
  { field: 'name', header: { en: 'Name', 'zh-TW': '名稱' }, cell: row => row.name, read: readChoice },
  { field: 'url', header: { en: 'Address', 'zh-TW': '網址' }, cell: row => row.url, read: readChoice },
  {
    field: 'platform',
    header: { en: 'Platform', 'zh-TW': '平台' },
    cell: row => row.platform,
    read: readChoice,
  },
  {
    field: 'pixels',
    header: { en: 'Pixels', 'zh-TW': '像素' },
    cell: row => pixelsCell(row.pixels),
    read: readPixels,
  },
  {
    field: 'is_active',
    header: { en: 'Active', 'zh-TW': '啟用' },
    cell: row => truthCell(row.is_active),
    read: readTruth,
  },
]

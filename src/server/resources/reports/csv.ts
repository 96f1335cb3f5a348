import { chunked } from '#shared/chunked.ts'
import type { Report, ReportQuery } from '#shared/api/reports.ts'
import { channelNames } from '#shared/channels/catalogue.ts'
import { gapNameOf, gapNames } from '#shared/gap-names.ts'
import { isInternal } from '#shared/access.ts'
import type { Language, Text } from '#shared/language.ts'
import type { Db } from '#server/db/connect.ts'
import { csvOf, type CsvCell, type CsvColumn } from '#server/http/csv.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { listFolders } from '#server/resources/folders/queries.ts'
import { outcomeText } from './outcome-text.ts'
import { allReportIds } from './list-queries.ts'
import { presentReport } from './present.ts'
import { readReports } from './queries.ts'

/** So many reports are read at a time: a few milliseconds in which no other request is served. */
const BATCH = 100

interface Query {
  query: ReportQuery
  user: SignedInUser
  db: Db
  now: Date
}

/** The whole list, filtered and ordered, in the reader's language. */
export const reportsCsv = (query: Query) => csvOf(title, columns, batches(query))

const title: Text = { en: 'Reports', 'zh-TW': '報表' }

async function* batches({ query, user, db, now }: Query): AsyncGenerator<Row[]> {
  const folders = await folderNames(db, user.id)
  // Only their ids are kept: what is moved or renamed meanwhile neither shifts nor doubles a row.
  const ids = await allReportIds(db, { ...query, user_id: user.id, now })
  for (const some of chunked(ids, BATCH)) {
    const rows = new Map((await readReports(db, user, some)).map(row => [row.id, row]))
    yield some.flatMap(id => {
      const row = rows.get(id)
      return row ? [{ ...presentReport(row, { user, now }), folders, internal: isInternal(user) }] : []
    })
  }
}

type Row = Report & { folders: ReadonlyMap<number, string>; internal: boolean }

const columns: readonly CsvColumn<Row>[] = [
  { header: { en: 'ID', 'zh-TW': '編號' }, cell: row => row.id },
  { header: { en: 'Report', 'zh-TW': '報表' }, cell: row => row.name },
  {
    header: { en: 'Folder', 'zh-TW': '資料夾' },
    cell: row => (row.folder === null ? '' : (row.folders.get(row.folder) ?? '')),
  },
  {
    header: { en: 'Channels', 'zh-TW': '管道' },
    cell: ({ channels }, language) =>
      [...new Set(channels.map(({ channel }) => channelNames[channel][language]))].join(', '),
  },
  {
    header: { en: 'Status', 'zh-TW': '狀態' },
    cell: ({ status }, language) => statuses[status]?.[language] ?? '',
  },
  {
    header: { en: 'Not set', 'zh-TW': '未設定' },
    cell: (row, language) => row.gaps.map(gap => gapNames[gapNameOf(gap, row)][language]).join(', '),
  },
  {
    header: { en: 'Frequency', 'zh-TW': '更新頻率' },
    cell: (row, language) => frequencies[row.update_frequency]?.[language] ?? '',
  },
  {
    header: { en: 'Time', 'zh-TW': '更新時間' },
    cell: row => (row.update_frequency === 0 ? '' : row.update_time.slice(0, 5)),
  },
  { header: { en: 'Time zone', 'zh-TW': '時區' }, cell: row => row.timezone },
  {
    header: { en: 'Last run ({zone})', 'zh-TW': '上次執行（{zone}）' },
    cell: ({ last_run }) => dateOf(last_run?.finished_at ?? null),
  },
  { header: { en: 'Outcome', 'zh-TW': '執行結果' }, cell: outcomeOf },
  { header: { en: 'Rows', 'zh-TW': '列數' }, cell: ({ last_run }) => last_run?.rows ?? null },
  {
    header: { en: 'Next run ({zone})', 'zh-TW': '下次執行（{zone}）' },
    cell: row => dateOf(row.next_run_at),
  },
  { header: { en: 'Owner', 'zh-TW': '擁有者' }, cell: row => row.owner_name },
  { header: { en: 'Shared by', 'zh-TW': '共用者' }, cell: row => row.shared_by },
  {
    header: { en: 'Modified ({zone})', 'zh-TW': '最後修改（{zone}）' },
    cell: row => dateOf(row.last_modified_at),
  },
  { header: { en: 'Spreadsheet', 'zh-TW': '試算表' }, cell: row => row.spreadsheet_url },
  { header: { en: 'Tab', 'zh-TW': '工作表' }, cell: row => row.sheet_name },
  { header: { en: 'Starting cell', 'zh-TW': '起始儲存格' }, cell: row => row.start_cell },
]

const dateOf = (at: string | null) => (at === null ? null : new Date(at))

function outcomeOf({ last_run, internal }: Row, language: Language): CsvCell {
  return last_run && outcomeText(last_run, { internal, language })
}

const statuses: readonly Text[] = [
  { en: 'Not scheduled', 'zh-TW': '未排程' },
  { en: 'Scheduled', 'zh-TW': '已排程' },
  { en: 'Running', 'zh-TW': '執行中' },
  { en: 'Ended', 'zh-TW': '已結束' },
]

const frequencies: readonly Text[] = [
  { en: 'None', 'zh-TW': '無' },
  { en: 'Once', 'zh-TW': '一次' },
  { en: 'Daily', 'zh-TW': '每日' },
  { en: 'Weekly', 'zh-TW': '每週' },
  { en: 'Monthly', 'zh-TW': '每月' },
  { en: 'Ended automatically', 'zh-TW': '已自動結束' },
]

/** "Clients / Acme" for each of a person's folders. */
async function folderNames(db: Db, owner: number): Promise<ReadonlyMap<number, string>> {
  const folders = await listFolders(db, owner)
  const names = new Map(folders.map(({ id, name }) => [id, name]))
  return new Map(
    folders.map(({ id, name, parent }) => [
      id,
      parent === null ? name : `${names.get(parent) ?? ''} / ${name}`,
    ]),
  )
}

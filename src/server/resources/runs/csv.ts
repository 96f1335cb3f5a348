import { isInternal } from '#shared/access.ts'
import type { RunTrigger } from '#shared/api/executions.ts'
import type { Language, Text } from '#shared/language.ts'
import type { Db } from '#server/db/connect.ts'
import { csvOf, type CsvColumn } from '#server/http/csv.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { allRuns, type Filter, type VisibleRun } from './history-queries.ts'
import { outcomeText } from '#server/resources/reports/outcome-text.ts'

/** The runs of a report, filtered and ordered, in the reader's language. */
export const runsCsv = (db: Db, user: SignedInUser, filter: Filter) =>
  csvOf(title, columnsFor(isInternal(user)), allRuns(db, user, filter))

const title: Text = { en: 'Run history', 'zh-TW': '執行紀錄' }

const columnsFor = (internal: boolean): CsvColumn<VisibleRun>[] => [
  { header: { en: 'Due ({zone})', 'zh-TW': '預定時間（{zone}）' }, cell: run => run.due_at },
  { header: { en: 'Queued ({zone})', 'zh-TW': '開始等待（{zone}）' }, cell: run => run.queued_at },
  { header: { en: 'Started ({zone})', 'zh-TW': '開始執行（{zone}）' }, cell: run => run.started_at },
  { header: { en: 'Finished ({zone})', 'zh-TW': '完成時間（{zone}）' }, cell: run => run.finished_at },
  {
    header: { en: 'Waited (s)', 'zh-TW': '等待（秒）' },
    cell: run => secondsBetween(run.queued_at, run.started_at),
  },
  {
    header: { en: 'Duration (s)', 'zh-TW': '耗時（秒）' },
    cell: run => secondsBetween(run.started_at, run.finished_at),
  },
  {
    header: { en: 'Trigger', 'zh-TW': '觸發方式' },
    cell: (run, language) => triggers[run.trigger][language],
  },
  { header: { en: 'Started by', 'zh-TW': '執行者' }, cell: run => run.requested_by_name },
  { header: { en: 'Outcome', 'zh-TW': '執行結果' }, cell: outcomeIn(internal) },
  { header: { en: 'First day', 'zh-TW': '起始日期' }, cell: run => run.range_start },
  { header: { en: 'Last day', 'zh-TW': '結束日期' }, cell: run => run.range_end },
  { header: { en: 'Rows', 'zh-TW': '列數' }, cell: run => run.rows },
  { header: { en: 'Cells', 'zh-TW': '儲存格' }, cell: cellsOf },
  { header: { en: 'Attempts', 'zh-TW': '嘗試次數' }, cell: run => run.attempt },
  { header: { en: 'Requests to platforms', 'zh-TW': '平台請求數' }, cell: run => run.platform_requests },
  {
    header: { en: 'Requests to the spreadsheet', 'zh-TW': '試算表請求數' },
    cell: run => run.spreadsheet_requests,
  },
]

const outcomeIn = (internal: boolean) => (run: VisibleRun, language: Language) =>
  outcomeText(run, { internal, language })

const secondsBetween = (from: Date | null, to: Date | null) =>
  from && to ? Math.round((to.getTime() - from.getTime()) / 100) / 10 : null

/** With the header. */
const cellsOf = ({ status, rows, columns }: VisibleRun) =>
  status === 'completed' && rows !== null && columns !== null ? (rows + 1) * columns : null

const triggers: Record<RunTrigger, Text> = {
  click: { en: 'Manual', 'zh-TW': '手動' },
  schedule: { en: 'Schedule', 'zh-TW': '排程' },
  retry: { en: 'Retry', 'zh-TW': '重試' },
  cli: { en: 'Command line', 'zh-TW': '指令列' },
  undo: { en: 'Restore', 'zh-TW': '還原' },
}

import type { AccountRef, ConversionAction, ReportRequest } from '#server/connectors/connector.ts'
import type { CsvReader } from '#server/connectors/kit/csv-bytes.ts'
import { actionsIn, listedDays, mostFirst } from '#server/connectors/kit/actions.ts'
import { finishJobs } from '#server/connectors/kit/report-jobs.ts'
import { todayAt } from '#server/connectors/kit/unsupported.ts'
import type { LyIo } from '#server/connectors/yahoo/schema.ts'
import { pagesOf } from '#server/connectors/yahoo/table.ts'
import { fileOf, isWaiting, removeAll, reportService } from './jobs.ts'
import { queryOf, TIME_ZONE, type Part } from './query.ts'
import { isData, rowsOf, totalCheck, widthBefore } from './report.ts'

/** The conversions of an account by name, from a report of their own. */
export async function listActions(account: AccountRef, io: LyIo): Promise<ConversionAction[]> {
  const { main: parts } = queryOf(requestOf(account, io.now()), io.now())
  let isRetained = false
  try {
    await finishJobs(parts, reportService(account, io), io)
    const actions: ConversionAction[] = []
    for (const part of parts) actions.push(...actionsOf(part, await fileOf(part, account, io), account))
    return mostFirst(actions)
  } catch (error) {
    isRetained = isWaiting(error)
    throw error
  } finally {
    if (!isRetained) await removeAll(parts, account, io)
  }
}

/** Rows of every conversion come, whichever a request counts. */
const requestOf = (account: AccountRef, now: Date): ReportRequest => ({
  channel: 'yg',
  account,
  range: listedDays(todayAt({ timezone: TIME_ZONE }, now)),
  time: 'total',
  dimensions: [],
  metrics: ['conversions', 'conversion_value'],
  filters: [],
  actions: [],
})

function* actionsOf(part: Part, file: Buffer[], { external_id }: AccountRef): Generator<ConversionAction> {
  const first = widthBefore(part)
  const rows = rowsOf(file, part, external_id)
  const layout = {
    width: part.fields.length,
    check: totalCheck(rows, part, external_id),
    startOf: (row: CsvReader) => (isData(row.text(0), external_id) ? part.startOf('') : null),
    dimensions: [{ key: first - 1 }],
    metrics: part.metrics.map((metric, index) => ({ metric, at: first + index })),
  }
  for (const page of pagesOf(rows, layout)) yield* actionsIn(page)
}

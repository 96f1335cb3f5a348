import type { Connector, Page, ReportRequest } from '#server/connectors/connector.ts'
import { checkAccount, listAccounts } from './accounts.ts'
import { fieldOf, isFetched, type FetchedMetric } from './fields.ts'
import { finishReports, removeReport, type ReportJob } from './jobs.ts'
import { readOnline } from './online.ts'
import { queryOf } from './query.ts'
import { LineLogin, type LineIo } from './schema.ts'
import { createTable } from './table.ts'
import { tablesOf } from './tables.ts'

/** LINE ads, through LINE's Ads Management API. */
export const line: Connector<LineLogin> = {
  login: LineLogin,
  hosts: ['line_ads'],
  listAccounts,
  checkAccount,
  prepare,
  fetchReport,
}

async function prepare(request: ReportRequest, io: LineIo): Promise<void> {
  const reportQuery = queryOf(request, io.now())
  if (reportQuery === null) return
  await finishReports(
    reportQuery.files.map(({ spec }) => spec),
    io,
  )
}

async function* fetchReport(request: ReportRequest, io: LineIo): AsyncGenerator<Page> {
  const reportQuery = queryOf(request, io.now())
  if (reportQuery === null) return
  const missing = new Set<FetchedMetric>()
  const read: ReportJob[] = []
  const total = createTable({
    has_labels: request.dimensions.map(dimension => 'level' in fieldOf(dimension)),
    metrics: request.metrics.filter(isFetched),
    adds_up: true,
  })
  for (const query of reportQuery.files) {
    const onMissing = (metric: FetchedMetric) => void missing.add(metric)
    const reading = { query, request, adds_up: !reportQuery.is_direct, onMissing }
    for await (const { report, table } of tablesOf(reading, io)) {
      read.push(report)
      if (reportQuery.is_direct) yield* table.pages()
      else total.absorb(table)
    }
  }
  for (const query of reportQuery.online) await readOnline(query, { request, table: total }, io)
  yield* total.pages()
  noteGaps(request, [...missing], io)
  // Not before: after an attempt that fails all of them would have to be prepared again.
  for (const report of read) await removeReport(report, io)
}

/** The hour at which LINE has refreshed its numbers by system. */
const REFRESHED_AT = 8

function noteGaps({ account, dimensions, range }: ReportRequest, missing: FetchedMetric[], io: LineIo) {
  if (missing.length > 0)
    io.note({
      code: 'metrics_missing',
      detail: { account: account.external_id, metrics: missing.join(', ') },
    })
  if (!dimensions.includes('device_type')) return
  const now = Temporal.Instant.fromEpochMilliseconds(io.now().getTime()).toZonedDateTimeISO(account.timezone)
  const last = now
    .toPlainDate()
    .subtract({ days: now.hour < REFRESHED_AT ? 2 : 1 })
    .toString()
  if (range.end > last) io.note({ code: 'devices_next_day', detail: { account: account.external_id, last } })
}

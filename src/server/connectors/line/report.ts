import type { Connector, Page, ReportRequest } from '#server/connectors/connector.ts'
import { checkAccount, listAccounts } from './accounts.ts'
import { fieldOf, isFetched, type FetchedMetric } from './fields.ts'
import { madeReady, thrownAway, type BegunReport } from './jobs.ts'
import { readOnline } from './online.ts'
import { planOf } from './plan.ts'
import { LineLogin, type LineIo } from './schema.ts'
import { createTable } from './table.ts'
import { tablesOf } from './tables.ts'

/** LINE ads, through LINE's Ads Management API. */
export const line: Connector<LineLogin> = {
  login: LineLogin,
  listAccounts,
  checkAccount,
  prepare,
  fetchReport,
}

async function prepare(request: ReportRequest, io: LineIo): Promise<void> {
  const plan = planOf(request, io.now())
  if (plan === null) return
  await madeReady(
    plan.files.map(({ wanted }) => wanted),
    io,
  )
}

async function* fetchReport(request: ReportRequest, io: LineIo): AsyncGenerator<Page> {
  const plan = planOf(request, io.now())
  if (plan === null) return
  const missing = new Set<FetchedMetric>()
  const read: BegunReport[] = []
  const total = createTable({
    has_labels: request.dimensions.map(dimension => 'level' in fieldOf(dimension)),
    metrics: request.metrics.filter(isFetched),
    adds_up: true,
  })
  for (const question of plan.files) {
    const onMissing = (metric: FetchedMetric) => void missing.add(metric)
    const reading = { question, request, adds_up: !plan.is_direct, onMissing }
    for await (const { report, table } of tablesOf(reading, io)) {
      read.push(report)
      if (plan.is_direct) yield* table.pages()
      else total.absorb(table)
    }
  }
  for (const question of plan.online) await readOnline(question, { request, table: total }, io)
  yield* total.pages()
  tellOfGaps(request, [...missing], io)
  // Not before: an attempt that breaks off would have all of them made again.
  for (const report of read) await thrownAway(report, io)
}

/** The hour at which LINE has refreshed what it tells by system. */
const REFRESHED_AT = 8

function tellOfGaps({ account, dimensions, range }: ReportRequest, missing: FetchedMetric[], io: LineIo) {
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

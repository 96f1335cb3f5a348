import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { z } from 'zod'
import { connect, type Db } from '#server/db/connect.ts'
import { findEmbedded } from '#server/db/embedded.ts'
import { spreadsheetsOf } from '#server/demo/spreadsheets.ts'
import { percentile } from '#server/testing/quantile.ts'
import { startProduct, type ProductProcess } from '../e2e/product.ts'
import { linkAccounts } from './burst-harness.ts'
import type { BenchTable } from './case.ts'
import { probeList, signedIn, unfinished } from './product-client.ts'

// A day's burst in small: reports with a spreadsheet each, run by the product at the quota that it really
// has, and what the services count.

const REPORTS = process.env.LONG ? 100 : 40
const PROBES = 300
/** Between two requests of the list. */
const PAUSE_MS = 20

export const tables: BenchTable[] = [
  {
    id: 'P4, P8',
    what: `${REPORTS} small reports by one click: the requests to the services (≤ 1.1 writes and ≤ 1.1 reads a report, ≤ 1.05 × the distinct queries), and the API meanwhile (p99 ≤ 2 × idle)`,
    measure,
  },
]

const Execution = z.looseObject({
  id: z.string(),
  pending: z.number(),
  completed: z.number(),
  error: z.number(),
})
const Log = z.looseObject({
  requests: z.array(z.looseObject({ platform: z.string(), method: z.string(), path: z.string() })),
})
type RequestLog = z.infer<typeof Log>['requests']

const EXECUTIONS = '/api/gs-template-execution/'

async function measure() {
  // What the overview's charts ask for meanwhile is not counted here.
  const product = await startProduct({ SPEND_REFRESH_MINUTES: '0' })
  const { db, close } = await connect((await findEmbedded(product.env.DATA_DIR ?? '')) ?? '', {
    command: 'bench',
  })
  // The demo's own first runs.
  while ((await unfinished(db)) > 0) await sleep(200)
  const reports = await makeReports(db, product)
  const ask = await signedIn(product.origin)
  const idle = await probeList(ask, PAUSE_MS, count => count < PROBES)
  const before = (await logOf(product)).length
  const started = performance.now()
  const { id } = Execution.parse(await ask('POST', EXECUTIONS, { reports }))
  let pending = REPORTS
  const busy = await probeList(ask, PAUSE_MS, async () => {
    pending = await unfinished(db)
    return pending > 0
  })
  const tookS = (performance.now() - started) / 1000
  const { completed, error } = Execution.parse(await ask('GET', `${EXECUTIONS}${id}/`))
  const logEntries = (await logOf(product)).slice(before)
  await close()
  await product.stop()
  return [
    { what: 'runs', figure: `${completed} completed, ${error} failed, ${tookS.toFixed(0)} s` },
    ...countsOf(logEntries),
    ...latencies(idle, busy),
  ]
}

/** Copies of one report of the demo, a spreadsheet each. */
async function makeReports(db: Db, { sandbox }: ProductProcess): Promise<number[]> {
  const service = spreadsheetsOf({ sheets: sandbox, drive: sandbox }, 'manager@sheetcast.demo')
  const ids: number[] = []
  for (let count = 0; count < REPORTS; count++) {
    const file = await service.create(`Burst ${count}`, ['Data'])
    await service.share(file, 'sheetcast@sheetcast-sandbox.iam.gserviceaccount.com', 'writer')
    await sql`
      insert into spreadsheet_binding (spreadsheet_id, advertiser, proof)
      select ${file}, id, 'permission' from advertiser where name = 'Aurora Cosmetics'`.execute(db)
    const { rows } = await sql<{ id: number }>`
      insert into report (owner, name, spreadsheet_id, spreadsheet_url, sheet_name, sheet_id, target_state, timezone, header_language,
        arrangement, fill_zero, dimensions, channels, dynamic_range, update_frequency)
      select owner, ${`Burst ${count}`}, ${file}, ${`${sandbox}/spreadsheets/d/${file}/edit`}, 'Data', 0, 'ok', timezone, header_language,
        arrangement, fill_zero, dimensions, channels, 2, 0
      from report where name = 'Aurora daily performance' returning id`.execute(db)
    ids.push(...rows.map(row => row.id))
  }
  await linkAccounts(db, ids)
  return ids
}

function latencies(idle: number[], busy: number[]) {
  return [0.5, 0.99].map(part => {
    const [before, during] = [percentile(idle, part), percentile(busy, part)]
    const ratio = during / before
    const mark = part === 0.99 && ratio > 2 ? ' (!)' : ''
    return {
      what: `P8 list of reports, p${part * 100}`,
      figure: `${during.toFixed(1)} ms, idle ${before.toFixed(1)} ms: × ${ratio.toFixed(1)}${mark}`,
    }
  })
}

async function logOf({ sandbox }: ProductProcess): Promise<RequestLog> {
  return Log.parse(await (await fetch(`${sandbox}/control/requests`)).json()).requests
}

function countsOf(logEntries: RequestLog) {
  const sheets = logEntries.filter(each => each.path.startsWith('/v4/spreadsheets'))
  const writes = sheets.filter(each => each.method !== 'GET' && !/getByDataFilter/i.test(each.path)).length
  const queries = logEntries.filter(each => each.platform === 'meta')
  const distinct = new Set(queries.map(each => each.path)).size
  const perReport = (count: number, what: string) => ({
    what: `P4 ${what} a report`,
    figure: `${(count / REPORTS).toFixed(2)}${count / REPORTS > 1.1 ? ' (!)' : ''}`,
  })
  const ratio = queries.length / distinct
  return [
    perReport(writes, 'writes'),
    perReport(sheets.length - writes, 'reads'),
    {
      what: 'P4 platform requests',
      figure: `${queries.length}, ${distinct} distinct: × ${ratio.toFixed(2)}${ratio > 1.05 ? ' (!)' : ''}`,
    },
  ]
}

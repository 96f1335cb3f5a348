import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { z } from 'zod'
import { RunEvent } from '#shared/api/executions.ts'
import { connect, type Db, type OpenDatabase } from '#server/db/connect.ts'
import { findEmbedded } from '#server/db/embedded.ts'
import { RUN_CHANNEL } from '#server/resources/runs/queries.ts'
import { testPort } from '#server/testing/port.ts'
import { pointedAt } from '../e2e/further-processes.ts'
import { startProduct } from '../e2e/product.ts'
import { makeReport, startInstant } from './backpressure.ts'
import { RECORDED, RecordedRequest } from './backpressure-harness.ts'
import type { BenchCase, BenchTable, Prepared } from './case.ts'
import { signedIn, unfinished, type Ask } from './product-client.ts'

// From the click to the table, beside the requests of one such run sent again by a bare client, which parses
// the responses and stringifies what it writes.

const METRICS = [
  'impressions',
  'clicks',
  'cost',
  'conversions',
  'conversion_value',
  'ctr',
  'cpc',
  'cpm',
  'roas',
]

export const cases: BenchCase[] = [
  {
    id: 'P14',
    what: 'a small report from the click to the table; at most 60 ms',
    sizes: [30],
    unit: 'rows',
    reach: {},
    prepare: () => prepareInstant({ days: 30, campaigns: 1 }),
  },
  {
    id: 'P14',
    what: 'a large report of twelve columns from the click to the table',
    sizes: [200_020],
    unit: 'rows',
    reach: { ratio: 1.5 },
    prepare: () => prepareInstant({ days: 730, campaigns: 274 }),
  },
  {
    id: 'P14',
    what: 'the demo’s report over six channels from the click to the table; at most 2.5 s',
    sizes: [6],
    unit: 'channels',
    reach: {},
    prepare: prepareDemo,
  },
]

export const tables: BenchTable[] = [
  {
    id: 'P15',
    what: 'what 20 small reports, clicked one after the other, cost the database a run (≤ 15 kB of WAL)',
    measure: measureDatabase,
  },
]

/** Statements are counted by tests: runs/statements.test.ts and executions.test.ts. */
async function measureDatabase() {
  const { ours, db, stop } = await prepareInstant({ days: 30, campaigns: 1 })
  const read = async () => {
    // Each session adds what it has done to these about a second later.
    await sleep(2000)
    const { rows } = await sql<{ wal: number; transactions: number }>`
      select (pg_current_wal_insert_lsn() - '0/0')::float8 as wal, xact_commit::float8 as transactions
      from pg_stat_database where datname = current_database()`.execute(db)
    return rows[0] ?? { wal: 0, transactions: 0 }
  }
  for (let warm = 0; warm < 10; warm++) await ours()
  const idle = await read()
  const before = await read()
  for (let run = 0; run < RUNS; run++) await ours()
  const after = await read()
  await stop()
  const each = (what: 'wal' | 'transactions') =>
    (after[what] - before[what] - (before[what] - idle[what])) / RUNS
  return [{ wal: `${(each('wal') / 1000).toFixed(1)} kB`, transactions: each('transactions').toFixed(1) }]
}

const RUNS = 20

async function prepareInstant(size: { days: number; campaigns: number }) {
  const metrics = [...METRICS, 'cpa'].slice(0, 10)
  const product = await startInstant(async db => ({
    report: await makeReport(db, 'click', { accounts: 1, ...size, metrics }),
  }))
  const click = clicker(product)
  const recorded = async () => (await fetch(product.platform + RECORDED)).json()
  await click(product.report)
  await recorded()
  await click(product.report)
  const requests = z.array(RecordedRequest).parse(await recorded())
  return {
    ours: () => click(product.report),
    floor: () => replay(product.platform, requests),
    db: product.db,
    stop: product.stop,
  }
}

async function prepareDemo(): Promise<Prepared> {
  const sandboxPort = await testPort()
  const sandbox = `http://127.0.0.1:${sandboxPort}`
  const proxy = await startRecorder(sandbox)
  const addresses = pointedAt({ sandbox, env: {} }).defaulted_base_urls.map(name => [
    name.toUpperCase(),
    proxy.url,
  ])
  const product = await startProduct({
    SPEND_REFRESH_MINUTES: '0',
    SANDBOX_PORT: String(sandboxPort),
    ...Object.fromEntries(addresses),
  })
  const url = (await findEmbedded(product.env.DATA_DIR ?? '')) ?? ''
  const { db, listen, close } = await connect(url, { command: 'bench' })
  // The demo's own first runs, once its reports are there.
  const reportId = () => reportNamed(db, 'Aurora, all channels by day')
  while ((await reportId()) === 0 || (await unfinished(db)) > 0) await sleep(200)
  const report = await reportId()
  const click = clicker({ listen, ask: await signedIn(product.origin) })
  await click(report)
  proxy.recorded.length = 0
  await click(report)
  const requests = [...proxy.recorded]
  return {
    ours: () => click(report),
    floor: () => replay(sandbox, requests),
    async stop() {
      await close()
      await product.stop()
      proxy.stop()
    },
  }
}

async function reportNamed(db: Db, name: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`select id from report where name = ${name}`.execute(db)
  return rows[0]?.id ?? 0
}

/** Runs a report; resolves with the milliseconds from the click until its run has ended. */
function clicker({ listen, ask }: Pick<OpenDatabase, 'listen'> & { ask: Ask }) {
  let onEnd: (status: string) => void = () => undefined
  const listening = listen(RUN_CHANNEL, payload => {
    const { status } = RunEvent.parse(JSON.parse(payload))
    if (status === 'completed' || status === 'error') onEnd(status)
  })
  return async (report: number): Promise<number> => {
    await listening
    const { promise, resolve } = Promise.withResolvers<string>()
    onEnd = resolve
    const started = performance.now()
    await ask('POST', '/api/gs-template-execution/', { reports: [report] })
    const status = await promise
    const took = performance.now() - started
    if (status !== 'completed') throw new Error(`the run ended with ${status}`)
    return took
  }
}

/** One after the other, as a script would. */
async function replay(origin: string, requests: readonly RecordedRequest[]): Promise<number> {
  const prepared = requests.map(({ method, url, headers, body }) => ({
    url: origin + url,
    method,
    headers: Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) =>
        SENT.has(name) && typeof value === 'string' ? [[name, value] as const] : [],
      ),
    ),
    // Forms are no JSON.
    body: body.startsWith('{') ? (JSON.parse(body) as object) : body,
  }))
  const started = performance.now()
  for (const { url, method, headers, body } of prepared) {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await fetch(url, { method, headers, ...(text !== '' && { body: text }) })
    const answer = await response.text()
    if (answer.startsWith('{')) JSON.parse(answer)
  }
  return performance.now() - started
}

const SENT: ReadonlySet<string> = new Set([
  'authorization',
  'content-type',
  'date',
  'developer-token',
  'access-token',
])

/** Passes everything on to the sandbox and remembers it. */
async function startRecorder(target: string) {
  const recorded: RecordedRequest[] = []
  const server = createServer({ keepAliveTimeout: 600_000 }, async (request, response) => {
    const { method = '', url = '', headers } = request
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>))
    recorded.push({ method, url, headers, body: body.toString() })
    const { host: _host, connection: _connection, 'content-length': _length, ...passed } = headers
    const answer = await fetch(target + url, {
      method,
      headers: passed as Record<string, string>,
      ...(body.length > 0 && { body }),
    })
    const {
      'content-encoding': _encoding,
      'transfer-encoding': _transfer,
      ...answered
    } = Object.fromEntries(answer.headers)
    response.writeHead(answer.status, answered)
    response.end(Buffer.from(await answer.arrayBuffer()))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  return { url: `http://127.0.0.1:${port}`, recorded, stop: () => server.close() }
}

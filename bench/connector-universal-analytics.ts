import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import type { ReportRequest } from '#server/connectors/connector.ts'
import { testWorld } from '#server/connectors/testing.ts'
import { universalAnalytics } from '#server/connectors/universal-analytics/report.ts'
import type { BenchCase } from './case.ts'

// Pages of Universal Analytics beside fetching, parsing and discarding the same bytes, with the next page under way in the same manner. Over
// loopback, from another thread.

const DAYS = 365
const FIELDS = ['ga:date', 'ga:campaign', 'ga:keyword']
const METRICS = ['ga:sessions', 'ga:users', 'ga:transactions', 'ga:transactionRevenue', 'ga:pageviews']

export const cases: BenchCase[] = [
  {
    id: 'P1',
    what: 'connector: pages of Universal Analytics → columns',
    sizes: [20_500, 200_500],
    unit: 'rows',
    reach: { ratio: 1.3 },
    binding: [200_500],
    async prepare(size) {
      const server = new Worker(new URL(import.meta.url))
      const [port]: number[] = await once(server, 'message')
      const base_url = `http://127.0.0.1:${port}/${size}`
      return {
        ours: () => complete(size, readByConnector(base_url)),
        floor: () => complete(size, readPlainly(base_url)),
        stop: () => server.terminate(),
      }
    },
  },
]

async function complete(size: number, rows: Promise<number>): Promise<void> {
  if ((await rows) !== size) throw new Error(`${await rows} rows instead of ${size}`)
}

async function readByConnector(base_url: string): Promise<number> {
  const request: ReportRequest = {
    channel: 'ga',
    account: {
      provider: 'universal_analytics',
      external_id: '1',
      currency: 'USD',
      timezone: 'UTC',
      via: null,
    },
    range: { start: dayOf(0), end: dayOf(DAYS - 1) },
    time: 'date',
    dimensions: ['campaign', 'keyword'],
    metrics: ['sessions', 'users', 'transactions', 'revenue', 'pageviews'],
    filters: [],
  }
  const login = { client_id: 'bench', client_secret: 'bench', refresh_token: 'bench' }
  const io = { ...testWorld(base_url, '2026-11-21T00:00:00Z'), login }
  let rows = 0
  for await (const page of universalAnalytics.fetchReport(request, io)) rows += page.length
  return rows
}

async function readPlainly(base_url: string): Promise<number> {
  const get = async (page: object) => {
    const body = JSON.stringify({ reportRequests: [page] })
    return (await fetch(`${base_url}/v4/reports:batchGet`, { method: 'POST', body })).text()
  }
  let rows = 0
  let coming: Promise<string> | null = get({ pageSize: 500 })
  while (coming !== null) {
    const answer: Answer = JSON.parse(await coming)
    const [report] = answer.reports
    coming = report?.nextPageToken ? get({ pageSize: 10_000, pageToken: report.nextPageToken }) : null
    rows += report?.data.rows.length ?? 0
  }
  return rows
}

interface Answer {
  reports: { data: { rows: unknown[] }; nextPageToken?: string }[]
}

const dayOf = (day: number) => Temporal.PlainDate.from('2022-01-01').add({ days: day }).toString()

/** The other thread: tokens, and pages cut out of a list that is as long as the path says. */
async function serve() {
  const days = Array.from({ length: DAYS }, (_, day) => dayOf(day).replaceAll('-', ''))
  const pages = new Map<string, string>()
  const server = createServer(async (request, response) => {
    const body = await text(request)
    response.writeHead(200, { 'content-type': 'application/json' })
    if (request.url?.endsWith('/token')) {
      response.end('{"access_token":"bench","expires_in":3600}')
      return
    }
    const [, size = ''] = request.url?.split('/') ?? []
    const [, length = '0'] = /"pageSize":(\d+)/.exec(body) ?? []
    const [, from = '0'] = /"pageToken":"(\d+)"/.exec(body) ?? []
    const key = [size, from, length].join()
    const page = pages.get(key) ?? pageOf(days, { size: +size, from: +from, length: +length })
    pages.set(key, page)
    response.end(page)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  parentPort?.postMessage(typeof address === 'object' ? address?.port : 0)
}

function pageOf(days: string[], { size, from, length }: { size: number; from: number; length: number }) {
  const to = Math.min(size, from + length)
  const rows = Array.from({ length: to - from }, (_, at) => {
    const row = from + at
    const values = [`${row % 900}`, `${row % 700}`, `${row % 30}`, `${row % 9000}.25`, `${row % 5000}`]
    const dimensions = [
      days[Math.floor((row * DAYS) / size)],
      `Autumn sale ${row % 40} 秋の新作`,
      `keyword ${row}`,
    ]
    return { dimensions, metrics: [{ values }] }
  })
  const metricHeaderEntries = METRICS.map(name => ({ name, type: 'INTEGER' }))
  const columnHeader = { dimensions: FIELDS, metricHeader: { metricHeaderEntries } }
  const next = to < size && { nextPageToken: String(to) }
  return JSON.stringify({ reports: [{ columnHeader, data: { rows, isDataGolden: true }, ...next }] })
}

if (!isMainThread) await serve()

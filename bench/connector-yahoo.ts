import { once } from 'node:events'
import { createServer } from 'node:http'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import type { ReportRequest } from '#server/connectors/connector.ts'
import { csvRows } from '#server/connectors/csv.ts'
import { testWorld } from '#server/connectors/testing.ts'
import { lyAds } from '#server/connectors/yahoo/report.ts'
import type { BenchCase } from './case.ts'

// One file of LY's search ads beside fetching the same bytes and cutting them into fields: five numbers of each row are read besides. Over
// loopback, from another thread.

const DAYS = 90
const metrics = ['impressions', 'clicks', 'cost', 'conversions', 'conversion_value']
const COLUMNS = 9

export const cases: BenchCase[] = [
  {
    id: 'P1',
    what: 'connector: a file of LY Ads → columns',
    sizes: [20_000, 200_000],
    unit: 'rows',
    reach: { ratio: 2 },
    binding: [200_000],
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
    channel: 'yg',
    account: {
      provider: 'ly_search',
      external_id: '1',
      currency: 'JPY',
      timezone: 'Asia/Tokyo',
      via: null,
    },
    range: { start: dayOf(0), end: dayOf(DAYS - 1) },
    time: 'date',
    dimensions: ['ad'],
    metrics,
    filters: [],
  }
  const login = { client_id: 'bench', client_secret: 'bench', refresh_token: 'bench' }
  const io = { ...testWorld(base_url, '2026-11-21T00:00:00Z'), login }
  let rows = 0
  for await (const page of lyAds.fetchReport(request, io)) rows += page.length
  return rows
}

async function readPlainly(base_url: string): Promise<number> {
  const bytes = await (await fetch(`${base_url}/download`)).arrayBuffer()
  let rows = -2
  for (const fields of csvRows(new TextDecoder().decode(bytes))) if (fields.length === COLUMNS) rows += 1
  return rows
}

const dayOf = (day: number) => Temporal.PlainDate.from('2026-08-01').add({ days: day }).toString()

/** The other thread: whatever is asked for, its file is there at once. */
async function serve() {
  const files = new Map<string, Buffer>()
  const job = { reportJobId: 1, reportJobStatus: 'COMPLETED' }
  const answer = JSON.stringify({
    access_token: 'bench',
    expires_in: 3600,
    errors: null,
    rval: { totalNumEntries: 1, values: [{ errors: null, reportDefinition: job }] },
  })
  const server = createServer((request, response) => {
    const size = request.url?.split('/')[1] ?? ''
    if (request.url?.endsWith('/download')) {
      const file = files.get(size) ?? Buffer.from(fileOf(Number(size)))
      files.set(size, file)
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(file)
    } else response.end(answer)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  parentPort?.postMessage(typeof address === 'object' ? address?.port : 0)
}

function fileOf(rows: number): string {
  const days = Array.from({ length: DAYS }, (_, day) => dayOf(day).replaceAll('-', '/'))
  const lines = Array.from({ length: rows }, (_, row) => {
    const ad = Math.floor(row / DAYS)
    const numbers = [1200 + (row % 977), row % 97, 5120 + (row % 7919), `${row % 9}.5`, 18_000]
    return ['1', days[row % DAYS], 5_550_000_000 + ad, `"Autumn, sale ${ad} 秋の新作"`, ...numbers].join(',')
  })
  const header = 'Account ID,Day,Ad ID,Ad name,Impressions,Clicks,Cost,Conversions,Conv. value'
  return [header, ...lines, 'Total,--,--,--,1,1,1,1,1', ''].join('\n')
}

if (!isMainThread) await serve()

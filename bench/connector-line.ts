import { once } from 'node:events'
import { createServer } from 'node:http'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import type { ReportRequest } from '#server/connectors/connector.ts'
import { csvRows } from '#server/connectors/csv.ts'
import { metricFields } from '#server/connectors/line/fields.ts'
import { line } from '#server/connectors/line/report.ts'
import { testWorld } from '#server/connectors/testing.ts'
import type { BenchCase } from './case.ts'

// One file of LINE's, a hundred columns of which five are wanted, beside fetching the same bytes and cutting them into fields. Over loopback, from
// another thread.

const DAYS = 100
const COLUMNS = 100
const metrics = ['impressions', 'clicks', 'cost', 'conversions', 'video_views']

export const cases: BenchCase[] = [
  {
    id: 'P1',
    what: 'connector: a file of LINE → columns',
    sizes: [4000, 40_000],
    unit: 'rows',
    reach: { ratio: 1.3 },
    binding: [40_000],
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
    channel: 'ln',
    account: { provider: 'line', external_id: 'A1', currency: 'TWD', timezone: 'Asia/Taipei', via: null },
    range: { start: dayOf(0), end: dayOf(DAYS - 1) },
    time: 'date',
    dimensions: ['ad'],
    metrics,
    filters: [],
  }
  const login = { access_key: 'bench', secret_key: 'bench', group_ids: ['G1'] }
  const io = { ...testWorld(base_url, '2026-11-21T00:00:00Z'), login }
  let rows = 0
  for await (const page of line.fetchReport(request, io)) rows += page.length
  return rows
}

async function readPlainly(base_url: string): Promise<number> {
  const bytes = await (await fetch(`${base_url}/download`)).arrayBuffer()
  let rows = -1
  for (const fields of csvRows(new TextDecoder().decode(bytes))) if (fields.length === COLUMNS) rows += 1
  return rows
}

const dayOf = (day: number) => Temporal.PlainDate.from('2026-01-01').add({ days: day }).toString()

/** The other thread: whatever is asked for, its file is there at once. */
async function serve() {
  const files = new Map<string, Buffer>()
  const server = createServer((request, response) => {
    const size = request.url?.split('/')[1] ?? ''
    if (request.url?.endsWith('/download')) {
      const file = files.get(size) ?? Buffer.from(fileOf(Number(size)))
      files.set(size, file)
      response.writeHead(200, { 'content-type': 'text/csv;charset=utf-8' }).end(file)
    } else response.end('{"id":1,"status":"CREATED"}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  parentPort?.postMessage(typeof address === 'object' ? address?.port : 0)
}

function fileOf(rows: number): string {
  const known = Object.values(metricFields).flatMap(field => (field.read === 'file' ? [field.labels[0]] : []))
  const keys = ['Day', 'Ad ID', 'Ad name', 'CPC']
  const others = Array.from({ length: COLUMNS - keys.length - known.length }, (_, at) => `Rate ${at}`)
  const lines = Array.from({ length: rows }, (_, row) => {
    const numbers = [...known, ...others].map((_label, at) =>
      at > 12 && at % 3 > 0 ? '0' : `${row % 97}.${at}5`,
    )
    const counts = numbers.map((text, at) => (known[at] === 'Cost' ? text : (text.split('.')[0] ?? '')))
    return [dayOf(row % DAYS), `${row}`, `"Autumn, sale ${row} 秋の新作"`, '1.25', ...counts].join(',')
  })
  return `\uFEFF${[[...keys, ...known, ...others].join(','), ...lines, ''].join('\r\n')}`
}

if (!isMainThread) await serve()

import { once } from 'node:events'
import { createServer } from 'node:http'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import type { ReportRequest } from '#server/connectors/connector.ts'
import { testWorld } from '#server/connectors/testing.ts'
import { tiktok } from '#server/connectors/tiktok/report.ts'
import type { BenchCase } from './case.ts'

// The connector of TikTok beside fetching, parsing and discarding the same bytes, with the next page under way in the same manner.
// Pages of 1000 rows, thirty of them a question, over loopback and from another thread.

const PAGE_ROWS = 1000
const metrics = [
  'impressions',
  'clicks',
  'cost',
  'conversions',
  'conversion_value',
  'video_views',
  'likes',
  'shares',
  'comments',
  'landing_page_views',
]

export const cases: BenchCase[] = [
  {
    id: 'P1',
    what: 'connector: TikTok pages → columns, ten metrics',
    sizes: [20_000, 200_000],
    unit: 'rows',
    reach: { ratio: 1.4 },
    binding: [200_000],
    async prepare(size) {
      const server = new Worker(new URL(import.meta.url))
      const [port]: number[] = await once(server, 'message')
      const base_url = `http://127.0.0.1:${port}`
      const days = size / PAGE_ROWS
      return {
        ours: () => complete(size, readByConnector(base_url, days)),
        floor: () => complete(size, readPlainly(base_url, days)),
        stop: () => server.terminate(),
      }
    },
  },
]

async function complete(size: number, rows: Promise<number>): Promise<void> {
  if ((await rows) !== size) throw new Error(`${await rows} rows instead of ${size}`)
}

async function readByConnector(base_url: string, days: number): Promise<number> {
  const request: ReportRequest = {
    channel: 'tt',
    account: { provider: 'tiktok', external_id: '1', currency: 'USD', timezone: 'UTC', via: null },
    range: { start: dayOf(0), end: dayOf(days - 1) },
    time: 'date',
    dimensions: ['campaign'],
    metrics,
    filters: [],
  }
  const login = { access_token: 'bench', app_id: '1', app_secret: 'bench' }
  let rows = 0
  for await (const page of tiktok.fetchReport(request, {
    ...testWorld(base_url, '2026-11-21T00:00:00Z'),
    login,
  }))
    rows += page.length
  return rows
}

async function readPlainly(base_url: string, days: number): Promise<number> {
  const get = async (page: number) => {
    const query = new URLSearchParams({
      start_date: dayOf(0),
      end_date: dayOf(days - 1),
      page: String(page),
    })
    return (await fetch(`${base_url}/?${query}`)).text()
  }
  let rows = 0
  let coming = get(1)
  for (let page = 1; page <= days; page += 1) {
    const { data }: { data: { list: unknown[] } } = JSON.parse(await coming)
    if (page < days) coming = get(page + 1)
    rows += data.list.length
  }
  return rows
}

const dayOf = (day: number) => Temporal.PlainDate.from('2026-01-01').add({ days: day }).toString()

/** The other thread: each page is one day of the question, cut out of a template. */
async function serve() {
  const template = templateOf()
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://bench')
    const start = Temporal.PlainDate.from(searchParams.get('start_date') ?? '')
    const days = start.until(searchParams.get('end_date') ?? '').days + 1
    const page = Number(searchParams.get('page'))
    const list = template.replaceAll('0000-00-00', start.add({ days: page - 1 }).toString())
    const page_info = { page, page_size: PAGE_ROWS, total_number: days * PAGE_ROWS, total_page: days }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(
      `{"code":0,"message":"OK","request_id":"r","data":{"list":[${list}],"page_info":${JSON.stringify(page_info)}}}`,
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  parentPort?.postMessage(typeof address === 'object' ? address?.port : 0)
}

function templateOf(): string {
  const rows = Array.from({ length: PAGE_ROWS }, (_, row) => ({
    dimensions: {
      campaign_id: `178000200110001${String(row).padStart(4, '0')}`,
      stat_time_day: '0000-00-00 00:00:00',
    },
    metrics: {
      campaign_name: `Autumn sale ${row} 秋の新作`,
      impressions: String(8801 + row),
      clicks: String(212 + row),
      spend: `${1532 + row}.53`,
      conversion: String(row),
      total_complete_payment_rate: `${row * 40}.25`,
      total_purchase_value: '-',
      total_onsite_shopping_value: '0.00',
      video_play_actions: String(row * 5),
      likes: String(row),
      shares: String(row),
      comments: String(row),
      total_landing_page_view: String(row),
    },
  }))
  return rows.map(row => JSON.stringify(row)).join(',')
}

if (!isMainThread) await serve()

import { once } from 'node:events'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { createServer } from 'node:http'
import type { ReportRequest } from '#server/connectors/connector.ts'
import { testWorld } from '#server/connectors/testing.ts'
import { meta } from '#server/connectors/meta/report.ts'
import type { BenchCase } from './case.ts'

// A connector beside fetching, parsing and discarding the same bytes, with the next page under way in the same manner.
// Pages of 500 rows over loopback, from another thread.

const PAGE_ROWS = 500

const shapes = {
  'numbers only': ['impressions', 'clicks', 'cost', 'reach', 'inline_link_clicks'],
  'ten metrics, with action lists': [
    'impressions',
    'clicks',
    'cost',
    'reach',
    'conversions',
    'conversion_value',
    'link_clicks',
    'landing_page_views',
    'add_to_cart',
    'video_views',
  ],
}
type Shape = keyof typeof shapes
const shapeNames = Object.keys(shapes) as Shape[]

export const cases: BenchCase[] = shapeNames.map(shape => ({
  id: 'P1',
  what: `connector: Meta pages → columns, ${shape}`,
  sizes: [20_000, 200_000],
  unit: 'rows',
  reach: { ratio: 1.3 },
  binding: [200_000],
  async prepare(size) {
    const server = new Worker(new URL(import.meta.url))
    const [port]: number[] = await once(server, 'message')
    const days = size / PAGE_ROWS
    const base_url = `http://127.0.0.1:${port}/${days}/${encodeURIComponent(shape)}`
    return {
      ours: () => complete(size, readByConnector(base_url, { days, metrics: shapes[shape] })),
      floor: () => complete(size, readPlainly(base_url, days)),
      stop: () => server.terminate(),
    }
  },
}))

async function complete(size: number, rows: Promise<number>): Promise<void> {
  if ((await rows) !== size) throw new Error(`${await rows} rows instead of ${size}`)
}

async function readByConnector(
  base_url: string,
  { days, metrics }: { days: number; metrics: string[] },
): Promise<number> {
  const request: ReportRequest = {
    channel: 'fb',
    account: { provider: 'meta', external_id: '1', currency: 'USD', timezone: 'UTC', via: null },
    range: { start: dayOf(0), end: dayOf(days - 1) },
    time: 'date',
    dimensions: ['campaign'],
    metrics,
    filters: [],
  }
  const io = { ...testWorld(base_url, '2026-11-21T00:00:00Z'), login: { access_token: 'bench' } }
  let rows = 0
  for await (const page of meta.fetchReport(request, io)) rows += page.length
  return rows
}

async function readPlainly(base_url: string, pages: number): Promise<number> {
  const get = async (after: number) => (await fetch(`${base_url}/v25.0/act_1/insights?after=${after}`)).text()
  let rows = 0
  let coming = get(0)
  for (let page = 1; page <= pages; page += 1) {
    const { data }: { data: unknown[] } = JSON.parse(await coming)
    if (page < pages) coming = get(page)
    rows += data.length
  }
  return rows
}

const dayOf = (page: number) => Temporal.PlainDate.from('2025-01-01').add({ days: page }).toString()

/** The other thread: each page is one day, cut out of a template. */
async function serve() {
  const templates = new Map<string, string>(shapeNames.map(shape => [shape, templateOf(shape)]))
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://bench')
    const [, pages, shape] = url.pathname.split('/')
    const page = Number(url.searchParams.get('after') ?? 0)
    const more = page + 1 < Number(pages)
    const paging = { cursors: { after: String(page + 1) }, ...(more && { next: 'http://bench/' }) }
    const data = templates.get(decodeURIComponent(shape ?? ''))?.replaceAll('0000-00-00', dayOf(page))
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(`{"data":[${data}],"paging":${JSON.stringify(paging)}}`)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  parentPort?.postMessage(typeof address === 'object' ? address?.port : 0)
}

function templateOf(shape: Shape): string {
  const rows = Array.from({ length: PAGE_ROWS }, (_, row) => ({
    campaign_id: `12021001100010${String(row).padStart(4, '0')}`,
    campaign_name: `Autumn sale ${row} 秋の新作`,
    impressions: String(8801 + row),
    clicks: String(212 + row),
    spend: `${1532 + row}.53`,
    reach: String(7020 + row),
    ...(shape === 'numbers only' ? { inline_link_clicks: String(row) } : actionsOf(row)),
    date_start: '0000-00-00',
    date_stop: '0000-00-00',
  }))
  return rows.map(row => JSON.stringify(row)).join(',')
}

const ACTIONS = [
  'link_click',
  'landing_page_view',
  'video_view',
  'post_reaction',
  'comment',
  'post_engagement',
  'page_engagement',
  'omni_view_content',
  'view_content',
  'omni_add_to_cart',
  'add_to_cart',
  'omni_purchase',
  'purchase',
  'offsite_conversion.fb_pixel_purchase',
]

const actionsOf = (row: number) => ({
  actions: ACTIONS.map((action_type, at) => ({ action_type, value: String(row * 3 + at) })),
  action_values: ACTIONS.slice(-3).map(action_type => ({ action_type, value: `${row * 40}.25` })),
})

if (!isMainThread) await serve()

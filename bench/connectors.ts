import { once } from 'node:events'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { createServer } from 'node:http'
import type { Io, ReportRequest } from '#server/connectors/connector.ts'
import { meta } from '#server/connectors/meta/report.ts'

// A connector beside the floor: fetch, parse and discard the same bytes, with the next page under way in the same manner.
// Pages of 500 rows over loopback from another thread; both take turns.

const PAGE = 500
const PAGES = 400
const TURNS = 7

const shapes = {
  'numbers only': ['impressions', 'clicks', 'cost', 'reach', 'inline_link_clicks'],
  'with action lists': [
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

export interface Measured {
  what: string
  ours: string
  floor: string
  ratio: string
}

/** Rows a second of each connector, beside the floor of the same run. */
export async function measureConnectors(): Promise<Measured[]> {
  const server = new Worker(new URL(import.meta.url))
  const [port]: number[] = await once(server, 'message')
  const measured: Measured[] = []
  for (const shape of Object.keys(shapes) as Shape[]) {
    const base_url = `http://127.0.0.1:${port}/${encodeURIComponent(shape)}`
    const ours: number[] = []
    const floor: number[] = []
    for (let turn = 0; turn < TURNS; turn += 1) {
      floor.push(await seconds(() => readPlainly(base_url)))
      ours.push(await seconds(() => readByConnector(base_url, shapes[shape])))
    }
    const rate = (times: number[]) =>
      `${Math.round((PAGES * PAGE) / median(times)).toLocaleString('en')} rows/s`
    measured.push({
      what: `Meta, ${shape}`,
      ours: rate(ours),
      floor: rate(floor),
      ratio: (median(ours) / median(floor)).toFixed(2),
    })
  }
  await server.terminate()
  return measured
}

async function readByConnector(base_url: string, metrics: string[]): Promise<number> {
  const request: ReportRequest = {
    account: { channel: 'fb', external_id: '1', currency: 'USD', timezone: 'UTC' },
    range: { start: dayOf(0), end: dayOf(PAGES - 1) },
    time: 'date',
    dimensions: ['campaign'],
    metrics,
    filters: [],
  }
  const io: Io = {
    fetch,
    base_url,
    credential: { access_token: 'bench', app_secret: null, api_version: 'v25.0' },
    now: () => new Date('2026-11-21T00:00:00Z'),
    sleep: async () => {},
    signal: new AbortController().signal,
    quota: { before: async () => {}, after: async () => {} },
    note: () => {},
  }
  let rows = 0
  for await (const page of meta.fetchReport(request, io)) rows += page.length
  return rows
}

async function readPlainly(base_url: string): Promise<number> {
  const get = async (after: number) => (await fetch(`${base_url}/v25.0/act_1/insights?after=${after}`)).text()
  let rows = 0
  let coming = get(0)
  for (let page = 1; page <= PAGES; page += 1) {
    const text = await coming
    if (page < PAGES) coming = get(page)
    const { data }: { data: unknown[] } = JSON.parse(text)
    rows += data.length
  }
  return rows
}

async function seconds(read: () => Promise<number>): Promise<number> {
  const start = performance.now()
  const rows = await read()
  if (rows !== PAGES * PAGE) throw new Error(`${rows} rows instead of ${PAGES * PAGE}`)
  return (performance.now() - start) / 1000
}

const median = (values: number[]) => values.toSorted((left, right) => left - right)[values.length >> 1] ?? 0

const dayOf = (page: number) => Temporal.PlainDate.from('2025-01-01').add({ days: page }).toString()

/** The other thread: each page is one day, cut out of a template. */
async function serve() {
  const templates = new Map((Object.keys(shapes) as Shape[]).map(shape => [shape, templateOf(shape)]))
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://bench')
    const shape = decodeURIComponent(url.pathname.split('/')[1] ?? '') as Shape
    const page = Number(url.searchParams.get('after') ?? 0)
    const more = page + 1 < PAGES
    const paging = { cursors: { after: String(page + 1) }, ...(more && { next: 'http://bench/' }) }
    const data = templates.get(shape)?.replaceAll('0000-00-00', dayOf(page))
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(`{"data":[${data}],"paging":${JSON.stringify(paging)}}`)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  parentPort?.postMessage(typeof address === 'object' ? address?.port : 0)
}

function templateOf(shape: Shape): string {
  const rows = Array.from({ length: PAGE }, (_, row) => ({
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
else if (import.meta.main) console.table(await measureConnectors())

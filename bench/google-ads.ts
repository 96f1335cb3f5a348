import { once } from 'node:events'
import { createServer } from 'node:http'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import type { ReportRequest } from '#server/connectors/connector.ts'
import { googleAds } from '#server/connectors/google-ads/report.ts'
import { testWorld } from '#server/connectors/testing.ts'
import type { BenchCase } from './case.ts'

// The connector of Google Ads beside fetching, parsing and discarding the same bytes, with the next page under way in the same
// manner. Pages of 10,000 rows, which is what Google sends, over loopback and from another thread.

const PAGE_ROWS = 10_000

const channels = {
  aw: 'campaigns by device',
  aw_keyword: 'keywords, added up over their match types',
} as const
type Channel = keyof typeof channels

export const cases: BenchCase[] = (Object.keys(channels) as Channel[]).map(channel => ({
  id: 'P1',
  what: `connector: Google Ads pages → columns, ${channels[channel]}`,
  sizes: [20_000, 200_000],
  unit: 'rows',
  // Adding keywords up takes a look at each row's texts once more.
  reach: { ratio: channel === 'aw' ? 1.5 : 2 },
  binding: [200_000],
  async prepare(size) {
    const server = new Worker(new URL(import.meta.url))
    const [port]: number[] = await once(server, 'message')
    const pages = size / PAGE_ROWS
    const base_url = `http://127.0.0.1:${port}/${pages}`
    return {
      ours: () => complete(size, readByConnector(base_url, { pages, channel })),
      floor: () => complete(size, readPlainly(base_url, pages)),
      stop: () => server.terminate(),
    }
  },
}))

async function complete(size: number, rows: Promise<number>): Promise<void> {
  if ((await rows) !== size) throw new Error(`${await rows} rows instead of ${size}`)
}

async function readByConnector(
  base_url: string,
  { pages, channel }: { pages: number; channel: Channel },
): Promise<number> {
  const request: ReportRequest = {
    channel,
    account: {
      provider: 'google_ads',
      external_id: '1234567890',
      currency: 'USD',
      timezone: 'UTC',
      via: null,
    },
    range: { start: dayOf(0), end: dayOf(pages - 1) },
    time: 'date',
    dimensions: ['campaign', channel === 'aw' ? 'device_type' : 'keyword'],
    metrics: ['impressions', 'clicks', 'cost', 'conversions', 'conversion_value', 'interactions'],
    filters: [],
  }
  const login = { client_id: 'bench', client_secret: 'bench', refresh_token: 'bench' }
  const io = { ...testWorld(base_url, '2026-11-21T00:00:00Z'), login }
  let rows = 0
  for await (const page of googleAds.fetchReport(request, io)) rows += page.length
  return rows
}

async function readPlainly(base_url: string, pages: number): Promise<number> {
  const get = async (page: number) => {
    const body = JSON.stringify({ pageToken: String(page) })
    return (await fetch(`${base_url}/search`, { method: 'POST', body })).text()
  }
  let rows = 0
  let coming = get(0)
  for (let page = 1; page <= pages; page += 1) {
    const { results }: { results: unknown[] } = JSON.parse(await coming)
    if (page < pages) coming = get(page)
    rows += results.length
  }
  return rows
}

const dayOf = (page: number) => Temporal.PlainDate.from('2026-01-01').add({ days: page }).toString()

/** The other thread: each page is one day, cut out of a template. */
async function serve() {
  const template = templateOf()
  const server = createServer(async (request, response) => {
    const [, pages, path] = (request.url ?? '').split('/')
    if (path === 'token') return response.end('{"access_token":"bench","expires_in":3599}')
    const { pageToken = '0' } = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString())
    const page = Number(pageToken)
    const next = page + 1 < Number(pages) ? `,"nextPageToken":"${page + 1}"` : ''
    response.writeHead(200, { 'content-type': 'application/json' })
    return response.end(`{"results":[${template.replaceAll('0000-00-00', dayOf(page))}]${next}}`)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  parentPort?.postMessage(typeof address === 'object' ? address?.port : 0)
}

function templateOf(): string {
  const rows = Array.from({ length: PAGE_ROWS }, (_, row) => ({
    campaign: { id: `2202100110${String(row).padStart(5, '0')}`, name: `Autumn sale ${row} 秋の新作` },
    adGroupCriterion: { keyword: { text: `buy lipstick ${row}` } },
    segments: { date: '0000-00-00', device: 'MOBILE' },
    metrics: {
      impressions: String(8801 + row),
      clicks: String(212 + row),
      costMicros: String(312_690_000 + row * 10_000),
      conversions: 4.143_961 + row,
      conversionsValue: 180.707_566 + row,
      interactions: String(219 + row),
    },
  }))
  return rows.map(row => JSON.stringify(row)).join()
}

if (!isMainThread) await serve()

import { once } from 'node:events'
import { createServer } from 'node:http'
import { z } from 'zod'

// A process of its own: a platform that has an account of any size ready, and a spreadsheet service that
// accepts everything and stores nothing.

/** The name of an account says how many campaigns it has on each of its days. */
export const accountOf = (campaigns: number, nth: number) => `${campaigns}00${nth}`
const campaignsOf = (account: string) => Number(/^act_(\d+?)00\d$/.exec(account)?.[1] ?? 1)
/** Rows of a page that no `limit` is sent for. Meta documents no bound; the sandbox has this one. */
const PAGE_ROWS = 25
const MOST_PAGE_ROWS = 5000
const Range = z.object({ since: z.iso.date(), until: z.iso.date() })

const gridProperties = { rowCount: 1000, columnCount: 26 }
const structure = JSON.stringify({
  spreadsheetId: 'S',
  sheets: [{ properties: { sheetId: 0, title: 'Data', sheetType: 'GRID', gridProperties } }],
})
const token = JSON.stringify({ access_token: 'bench', expires_in: 3599, token_type: 'Bearer' })

/** A request as it came, so that it can be sent again. */
export const RecordedRequest = z.object({
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.unknown()),
  body: z.string(),
})
export type RecordedRequest = z.infer<typeof RecordedRequest>

/** Returns what has come since it was asked last. */
export const RECORDED = '/recorded'
/** Of a table of 200,000 rows, and no more memory than that. */
const MOST_RECORDED = 600
const recorded: RecordedRequest[] = []

if (import.meta.main) await serve()

async function serve() {
  const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
    const body: Buffer[] = []
    request.on('data', (bytes: Buffer) => void body.push(bytes))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      if (url === RECORDED) return void response.end(JSON.stringify(recorded.splice(0)))
      recorded.push({ method, url, headers, body: Buffer.concat(body).toString() })
      if (recorded.length > MOST_RECORDED) recorded.shift()
      response.writeHead(200, { 'content-type': 'application/json; charset=UTF-8' })
      response.end(answerTo(request.method ?? '', new URL(request.url ?? '', 'http://bench')))
    })
  }).listen(0, '127.0.0.1')
  process.once('disconnect', () => process.exit())
  await once(server, 'listening')
  const address = server.address()
  process.send?.(typeof address === 'object' ? address?.port : null)
}

function answerTo(method: string, { pathname, searchParams }: URL): string {
  if (pathname.endsWith('/insights')) return insights(pathname.split('/').at(-2) ?? '', searchParams)
  if (pathname === '/token') return token
  if (pathname.includes('/files/'))
    return JSON.stringify({
      id: 'S',
      capabilities: { canEdit: true },
      mimeType: 'application/vnd.google-apps.spreadsheet',
    })
  return method === 'GET' ? structure : '{"spreadsheetId":"S"}'
}

/**
 * Rows in order of days, as many a page as `limit` says; the account's own total has no rows, so that
 * checking it costs nothing.
 */
function insights(account: string, params: URLSearchParams): string {
  if (params.get('level') !== 'campaign') return '{"data":[]}'
  const { since, until } = Range.parse(JSON.parse(params.get('time_range') ?? ''))
  const campaigns = campaignsOf(account)
  const first = Temporal.PlainDate.from(since)
  const rows = (first.until(until).days + 1) * campaigns
  const begin = Number(params.get('after') ?? 0)
  const end = Math.min(rows, begin + Math.min(MOST_PAGE_ROWS, Number(params.get('limit') ?? PAGE_ROWS)))
  const data: string[] = []
  let day = ''
  for (let at = begin; at < end; at++) {
    if (day === '' || at % campaigns === 0) day = first.add({ days: Math.floor(at / campaigns) }).toString()
    data.push(rowOf(at % campaigns, day))
  }
  const next = end < rows ? ',"next":"http://bench/"' : ''
  return `{"data":[${data.join(',')}],"paging":{"cursors":{"after":"${end}"}${next}}}`
}

const rowOf = (campaign: number, day: string) =>
  `{"campaign_id":"1202100110001${campaign}","campaign_name":"Autumn sale ${campaign} 秋の新作","impressions":"${8801 + campaign}","clicks":"${
    212 + campaign
  }","spend":"${1532 + campaign}.53","date_start":"${day}","date_stop":"${day}"}`

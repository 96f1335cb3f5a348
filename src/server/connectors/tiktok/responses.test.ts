import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import {
  sourceOf,
  type AccountRef,
  type ReportRequest,
  type ConnectorContext,
} from '#server/connectors/connector.ts'
import { startServer } from '#server/connectors/testing/server.ts'
import { fetchPages, rowsOf, testContext } from '#server/connectors/testing/context.ts'
import { tiktok } from './report.ts'

// Responses that the sandbox does not give, from a server of our own: odd fields, odd totals, odd files.

const NOW = '2026-11-20T04:00:00Z'
const source = sourceOf(tiktok, { access_token: 'tt-secret', app_id: '1', app_secret: 'app-secret' })
const account: AccountRef = {
  provider: 'tiktok',
  external_id: '7100000000000000001',
  currency: 'USD',
  timezone: 'Asia/Taipei',
  via: null,
}
const request: ReportRequest = {
  channel: 'tt',
  account,
  range: { start: '2026-11-01', end: '2026-11-02' },
  time: 'date',
  dimensions: ['campaign'],
  metrics: ['impressions', 'cost', 'conversion_value', 'frequency'],
  filters: [],
}
const dimensions = { campaign_id: '1', stat_time_day: '2026-11-01 00:00:00' }
const metrics = {
  campaign_name: 'A',
  impressions: '7',
  spend: '1.10',
  total_complete_payment_rate: '0.10',
  total_purchase_value: '0.20',
  total_onsite_shopping_value: '-',
  frequency: '1.25',
}
const row = { dimensions, metrics }

interface HttpResponse {
  status?: number
  headers?: Record<string, string>
  body: unknown
}

/** Serves the responses one after another, the last one for good; records the requests. */
async function serving(
  ...responses: HttpResponse[]
): Promise<{ context: ConnectorContext; sent: IncomingMessage[] }> {
  const sent: IncomingMessage[] = []
  const origin = await startServer((incoming, response) => {
    sent.push(incoming)
    const {
      status = 200,
      headers,
      body,
    } = responses[Math.min(sent.length, responses.length) - 1] ?? { body: {} }
    const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(bytes)
  })
  return { context: testContext(origin, NOW), sent }
}

const fetchFrom = async (...responses: HttpResponse[]) =>
  rowsOf(fetchPages(source, request, (await serving(...responses)).context))
const done = (data: unknown, more: object = {}) => ({
  body: { code: 0, message: 'OK', request_id: 'r', data },
  ...more,
})
const pageOf = (list: unknown[], pageInfo: object = {}) =>
  done({
    list,
    page_info: { page: 1, page_size: 1000, total_number: list.length, total_page: 1, ...pageInfo },
  })

describe('a response of TikTok', () => {
  it('is read exactly: money in millionths, a sum of what is there', async () => {
    const [read] = await fetchFrom(pageOf([row]))
    expect(read).toEqual({
      date: '2026-11-01',
      keys: ['1'],
      labels: ['A'],
      values: [7, 1_100_000, 300_000, 1.25],
    })
  })

  it.each([['-'], [''], [null], [undefined]])('that says %j says nothing, and never 0', async nothing => {
    const [read] = await fetchFrom(pageOf([{ dimensions, metrics: { ...metrics, impressions: nothing } }]))
    expect(read?.values[0]).toBeNaN()
  })

  it.each([
    [{ metrics: { ...metrics, impressions: 7 } }, 'list[1].metrics.impressions'],
    [{ metrics: { ...metrics, impressions: '<5' } }, 'list[1].metrics.impressions'],
    [{ metrics: { ...metrics, impressions: '1e3' } }, 'list[1].metrics.impressions'],
    [{ metrics: { ...metrics, spend: '1,532.50' } }, 'list[1].metrics.spend'],
    [{ metrics: { ...metrics, campaign_name: undefined } }, 'list[1].metrics.campaign_name'],
    [{ dimensions: { ...dimensions, campaign_id: 1 } }, 'list[1].dimensions.campaign_id'],
    [{ dimensions: { ...dimensions, campaign_id: '-' } }, 'list[1].dimensions.campaign_id'],
    [
      { dimensions: { ...dimensions, stat_time_day: '2026-11-03 00:00:00' } },
      'list[1].dimensions.stat_time_day',
    ],
    [{ dimensions: null }, 'list[1].dimensions'],
    [{ metrics: [] }, 'list[1].metrics'],
  ])('that has %j is unreadable', async (odd, path) => {
    await expect(fetchFrom(pageOf([row, { ...row, ...odd }]))).rejects.toThrow(
      `platform_error: unreadable answer, ${path}`,
    )
  })

  it.each([
    { body: {} },
    { body: [] },
    { body: '' },
    { body: 'null' },
    { body: { code: 0, message: 'OK', data: {} } },
    { body: { code: '0', message: 'OK', data: { list: [] } } },
    { body: Buffer.from('{"code":0,"message":"\xff"}', 'latin1') },
    { body: '<html></html>', headers: { 'content-type': 'text/html' } },
  ])('of the form %j is unreadable, and not no rows', async response => {
    await expect(fetchFrom(response)).rejects.toThrow('platform_error')
  })

  it('that is a redirection is not followed', async () => {
    const { context, sent } = await serving({ status: 302, headers: { location: '/elsewhere' }, body: '' })
    await expect(rowsOf(fetchPages(source, request, context))).rejects.toThrow('platform_error')
    expect(sent.length).toBe(1)
  })

  it('has its request id and words, and no token', async () => {
    const refusal = { code: 40105, message: 'bad tt-secret', request_id: 'r1', data: {} }
    await expect(fetchFrom({ body: refusal })).rejects.toMatchObject({
      code: 'credential_expired',
      platform_message: 'bad … [40105]',
      platform_request_id: 'r1',
    })
  })

  it('is requested with the bare token in its header alone', async () => {
    const { context, sent } = await serving(pageOf([row]))
    await rowsOf(fetchPages(source, request, context))
    expect(sent.map(({ headers }) => headers['access-token'])).toEqual(['tt-secret'])
    expect(sent.filter(({ url }) => url?.includes('secret'))).toEqual([])
  })

  it('comes from something in between when it says to be slower by status', async () => {
    const { context } = await serving({ status: 429, body: '', headers: {} })
    const pauses = new Map<string, number>()
    const report: ConnectorContext['limiter']['report'] = async ({ kind }, { pause_ms }) =>
      void pauses.set(kind, pause_ms)
    await expect(
      rowsOf(fetchPages(source, request, { ...context, limiter: { ...context.limiter, report } })),
    ).rejects.toMatchObject({ code: 'quota_exhausted', retry_after_ms: 60_000 })
    expect(Object.fromEntries(pauses)).toEqual({ app: 60_000, account: 60_000 })
  })
})

describe('the pages of TikTok', () => {
  const other = { dimensions: { ...dimensions, campaign_id: '2' }, metrics }

  it('are read again when they have fewer rows than TikTok counts', async () => {
    const { context, sent } = await serving(pageOf([row], { total_number: 2 }), pageOf([row, other]))
    expect((await rowsOf(fetchPages(source, request, context))).length).toBe(2)
    expect(sent.length).toBe(2)
  })

  it('are unreadable when the count never fits, or rows come twice again and again', async () => {
    await expect(fetchFrom(pageOf([row], { total_number: 2 }))).rejects.toThrow('the list moved')
    await expect(fetchFrom(pageOf([row, row]))).rejects.toThrow('the list moved')
  })

  it('end the reading when they have too many ids all of a sudden', async () => {
    const headers = { 'x-tt-ads-throttle': 'only return the top 20k' }
    const cut = { ...pageOf([other], { total_number: 2, total_page: 2 }), headers }
    await expect(fetchFrom(pageOf([row], { total_number: 2, total_page: 2 }), cut)).rejects.toThrow(
      'platform_error: the list moved',
    )
  })
})

describe('a file of TikTok', () => {
  const truncated = { ...pageOf([row]), headers: { 'x-tt-ads-throttle': 'only return the top 20k' } }
  const file = (...lines: string[]) => ({
    headers: { 'content-type': 'text/plain' },
    body: lines.map(line => `${line}\n`).join(''),
  })
  const header =
    'campaign_id,stat_time_day,campaign_name,impressions,spend,total_complete_payment_rate,total_purchase_value,total_onsite_shopping_value,frequency'
  const fetchFile = async (...responses: HttpResponse[]) =>
    fetchFrom(truncated, done({ task_id: 6853 }), done({ status: 'SUCCESS' }), ...responses)

  it('that may have lost the end of its last number is read again, and believed when it stays the same', async () => {
    const whole = file(header, '1,2026-11-01,A,7,1.10,0.10,0.20,-,1.25')
    const cut = { ...whole, body: whole.body.slice(0, -2) }
    const unended = { ...whole, body: whole.body.slice(0, -1) }
    expect((await fetchFile(cut, whole))[0]?.values).toEqual([7, 1_100_000, 300_000, 1.25])
    expect((await fetchFile(unended))[0]?.values).toEqual([7, 1_100_000, 300_000, 1.25])
    const cuts = [2, 3, 4].map(bytes => ({ ...whole, body: whole.body.slice(0, -bytes) }))
    await expect(fetchFile(...cuts)).rejects.toThrow('breaks off')
  })

  it('has its days with midnight or without, and its columns in any order', async () => {
    const [first, second] = await fetchFile(
      file(
        `${header},currency`,
        '1,2026-11-01,"A, ""B""",7,1.10,0.10,-,,1.25,USD',
        '1,2026-11-02 00:00:00,A,8,2.00,-,-,-,-,USD',
      ),
    )
    expect(first).toEqual({
      date: '2026-11-01',
      keys: ['1'],
      labels: ['A, "B"'],
      values: [7, 1_100_000, 100_000, 1.25],
    })
    expect(second?.values).toEqual([8, 2_000_000, Number.NaN, Number.NaN])
  })

  it.each([
    ['without a header', file(), 'without a header'],
    ['with labels for titles', file('Campaign ID,By Day'), 'without stat_time_day'],
    ['that breaks off', file(header, '1,2026-11-01,A,7'), 'cut off'],
    ['with a number that is none', file(header, '1,2026-11-01,A,x,1,1,1,1,1'), 'list[0].impressions'],
    [
      'with a row twice',
      file(header, ...Array.from({ length: 2 }, () => '1,2026-11-01,A,7,1,1,1,1,1')),
      'twice',
    ],
    ['that is JSON', done({ download_url: 'https://elsewhere.invalid/' }), 'not in the form'],
  ])('%s is unreadable', async (_, response: HttpResponse, words) => {
    await expect(fetchFile(response)).rejects.toThrow(words)
  })
})

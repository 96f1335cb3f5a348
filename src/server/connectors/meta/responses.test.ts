import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { AccountRef, QuotaKey, ReportRequest } from '#server/connectors/connector.ts'
import { startServer } from '#server/connectors/testing/server.ts'
import { rowsOf, testContext } from '#server/connectors/testing/context.ts'
import { meta } from './report.ts'
import type { MetaIo } from './schema.ts'

// Responses that the sandbox does not give, from a server of our own: odd fields, bare ids, odd pages,
// headers.

const NOW = '2026-11-21T04:00:00Z'
const TOKEN = 'EAAsecret'
const account: AccountRef = {
  provider: 'meta',
  external_id: '1010',
  currency: 'USD',
  timezone: 'Asia/Taipei',
  via: null,
}
const request: ReportRequest = {
  channel: 'fb',
  account,
  range: { start: '2026-11-01', end: '2026-11-02' },
  time: 'date',
  dimensions: ['campaign'],
  metrics: ['impressions', 'cost', 'conversions', 'results'],
  filters: [],
}
const row = { campaign_id: '1', campaign_name: 'A', date_start: '2026-11-01', date_stop: '2026-11-01' }

/** Serves the responses one after another, the last one for good; records the requests. */
async function serving(...answers: HttpResponse[]): Promise<{ io: MetaIo; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = []
  const origin = await startServer((incoming, response) => {
    requests.push(incoming)
    const answer = answers[Math.min(requests.length, answers.length) - 1]
    if (typeof answer === 'function') return answer(incoming, response)
    const { status = 200, headers = {}, body } = answer ?? { body: {} }
    response
      .writeHead(status, headers)
      .end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body))
  })
  const login = { access_token: TOKEN }
  return { io: { ...testContext(origin, NOW), login }, requests }
}
type HttpResponse =
  | { status?: number; headers?: Record<string, string>; body: unknown }
  | ((incoming: IncomingMessage, response: ServerResponse) => void)

const fetchFrom = async (...answers: HttpResponse[]) =>
  rowsOf(meta.fetchReport(request, (await serving(...answers)).io))
const pageOf = (...data: unknown[]) => ({ body: { data } })
const failing = (error: object, more: object = {}) => ({
  status: 400,
  body: { error: { message: 'no', ...error } },
  ...more,
})

describe('a response of Meta', () => {
  it.each([
    [{ impressions: 12 }, 'data[1].impressions'],
    [{ impressions: '' }, 'data[1].impressions'],
    [{ impressions: '1e3' }, 'data[1].impressions'],
    [{ spend: '1,532.50' }, 'data[1].spend'],
    [{ spend: null }, 'data[1].spend'],
    [{ actions: {} }, 'data[1].actions'],
    [{ actions: [{ value: '1' }] }, 'data[1].actions[0]'],
    [{ actions: [{ action_type: 'purchase' }] }, 'data[1].actions[0].value'],
    [{ actions: [entry('purchase'), entry('purchase')] }, 'data[1].actions[1].value'],
    [{ results: '7' }, 'data[1].results'],
    [{ results: [{ indicator: 'x', values: [{}] }] }, 'data[1].results'],
    [{ campaign_id: 12 }, 'data[1].campaign_id'],
    [{ campaign_name: undefined }, 'data[1].campaign_name'],
    [{ date_start: undefined }, 'data[1].date_start'],
    [{ date_start: '2026-11-03' }, 'data[1].date_start'],
  ])('that has %j is unreadable, and never 0', async (odd, path) => {
    await expect(fetchFrom(pageOf(row, { ...row, campaign_id: '2', ...odd }))).rejects.toThrow(
      `platform_error: unreadable answer, ${path}`,
    )
  })

  it.each([[[null]], [['row']], [[[]]]])('whose rows are %j is unreadable', async data => {
    await expect(fetchFrom(pageOf(...data))).rejects.toThrow('platform_error: unreadable answer, data[0]')
  })

  it.each([
    { body: {} },
    { body: [] },
    { body: { data: {} } },
    { body: '' },
    { body: 'null' },
    { body: Buffer.from('{"data":[],"x":"\xff"}', 'latin1') },
  ])('of the form %j is unreadable, and not no rows', async answer => {
    await expect(fetchFrom(answer)).rejects.toThrow('platform_error')
  })

  it('reads an absent key as none for counts and money', async () => {
    const [read] = await fetchFrom(pageOf(row))
    expect(read?.values).toEqual([0, 0, 0, 0])
  })

  it('that lists an account twice gives it once, and no other account than was requested', async () => {
    const node = {
      account_id: '1',
      name: 'A',
      account_status: 1,
      currency: 'TWD',
      timezone_name: 'Asia/Taipei',
    }
    const { io } = await serving(pageOf(node, node))
    expect((await Array.fromAsync(meta.listAccounts(io))).flat().length).toBe(1)
    const { io: asking } = await serving({ body: node })
    await expect(meta.checkAccount({ ...request.account, external_id: '2' }, asking)).rejects.toThrow(
      'another account',
    )
  })

  it('that has a next page without an end comes to one', async () => {
    let pages = 0
    const next = (_: IncomingMessage, response: ServerResponse) => {
      pages += 1
      response.end(
        JSON.stringify({ data: [], paging: { next: 'https://x', cursors: { after: String(pages) } } }),
      )
    }
    await expect(fetchFrom(next)).rejects.toThrow('pages without end')
  })

  it('that is a redirection is not followed', async () => {
    const { io, requests } = await serving({ status: 302, headers: { location: '/elsewhere' }, body: '' })
    await expect(rowsOf(meta.fetchReport(request, io))).rejects.toThrow('platform_error')
    expect(requests.length).toBe(1)
  })

  it('keeps ids longer than 2^53 that are bare numbers', async () => {
    const jobRequest = {
      ...request,
      dimensions: ['device_type' as const],
      range: { start: '2026-09-01', end: '2026-11-01' },
    }
    const { io, requests } = await serving(
      { body: '{"report_run_id":602392014905012345}' },
      { body: { async_status: 'Job Completed', async_percent_completion: 100 } },
      pageOf(),
    )
    await rowsOf(meta.fetchReport(jobRequest, io))
    expect(requests.at(-1)?.url).toContain('/v25.0/602392014905012345/insights')
  })
})

describe('the pages of Meta', () => {
  const linked = (after: string, data: unknown[]) => ({
    body: {
      data,
      paging: { cursors: { after }, next: `http://elsewhere.invalid/?access_token=${TOKEN}&after=${after}` },
    },
  })

  it('are requested where the first one was, whatever the link says, with the token in the header alone', async () => {
    const { io, requests } = await serving(
      linked('one', [row]),
      linked('two', []),
      pageOf({ ...row, campaign_id: '2' }),
    )
    expect((await rowsOf(meta.fetchReport(request, io))).length).toBe(2)
    expect(requests.map(({ url }) => new URL(url ?? '', 'http://meta').searchParams.get('after'))).toEqual([
      null,
      'one',
      'two',
    ])
    expect(requests.filter(({ url }) => url?.includes(TOKEN))).toEqual([])
    expect(new Set(requests.map(({ headers }) => headers.authorization))).toEqual(
      new Set([`Bearer ${TOKEN}`]),
    )
  })

  it('are unreadable when one follows itself', async () => {
    await expect(fetchFrom(linked('one', [row]))).rejects.toThrow('a page that follows itself')
  })

  it('are read again from the start when a row comes twice: another may have slipped by', async () => {
    const slipped = { ...row, campaign_id: '2' }
    const { io, requests } = await serving(linked('one', [row]), pageOf(row), pageOf(row, slipped))
    expect((await rowsOf(meta.fetchReport(request, io))).map(({ keys: [key] }) => key)).toEqual(['1', '2'])
    expect(requests.length).toBe(3)
  })

  /** A list of so many rows, of which a page may have `most`; more are refused. */
  async function sized(
    rows: number,
    { most, refusal, more = {} }: { most: number; refusal: object; more?: object },
  ) {
    const limits: number[] = []
    const { io } = await serving((incoming, response) => {
      const params = new URL(incoming.url ?? '', 'http://meta').searchParams
      const [limit, from] = [Number(params.get('limit')), Number(params.get('after') ?? 0)]
      limits.push(limit)
      const to = Math.min(rows, from + limit)
      const data = Array.from({ length: to - from }, (_, at) => ({
        ...row,
        ...more,
        campaign_id: String(from + at),
      }))
      const { body } = to < rows ? linked(String(to), data) : pageOf(...data)
      if (limit > most) response.writeHead(400).end(JSON.stringify(failing(refusal).body))
      else response.end(JSON.stringify(body))
    })
    return { io, limits }
  }

  it('are requested with twice the rows each time, up to 5,000', async () => {
    const { io, limits } = await sized(20_000, { most: Infinity, refusal: {} })
    expect((await rowsOf(meta.fetchReport(request, io))).length).toBe(20_000)
    expect(limits).toEqual([500, 1000, 2000, 4000, 5000, 5000, 5000])
  })

  it('stay as they are once they are large', async () => {
    const campaign_name = 'x'.repeat(2000)
    const { io, limits } = await sized(6000, { most: Infinity, refusal: {}, more: { campaign_name } })
    expect((await rowsOf(meta.fetchReport(request, io))).length).toBe(6000)
    expect(limits).toEqual([500, 1000, 1000, 1000, 1000, 1000, 1000])
  })

  it.each([
    { code: 1, message: "Please reduce the amount of data you're asking for, then retry your request" },
    { code: 100, message: 'Param limit must be between 1 and 1000' },
    { code: 100, error_subcode: 1487534, message: 'Too much data' },
  ])('go on in the size that has worked when a larger one is refused: $message', async refusal => {
    const { io, limits } = await sized(4200, { most: 1000, refusal })
    expect((await rowsOf(meta.fetchReport(request, io))).length).toBe(4200)
    expect(limits).toEqual([500, 1000, 2000, 1000, 1000, 1000])
  })

  it('are shorter when even the first one is refused', async () => {
    const { io, limits } = await sized(250, {
      most: 100,
      refusal: { code: 1, message: 'reduce the amount of data' },
    })
    expect((await rowsOf(meta.fetchReport(request, io))).length).toBe(250)
    expect(limits).toEqual([500, 100, 100, 100])
  })

  it('are unreadable when rows come twice again and again', async () => {
    await expect(fetchFrom(pageOf(row, row))).rejects.toThrow('platform_error: a row that came twice')
  })
})

/** What was reported to the limiter about each quota, and how the fetch ended. */
async function reportedBy(...answers: HttpResponse[]) {
  const { io } = await serving(...answers)
  const states: Record<string, { used_percent: number; pause_ms: number }> = {}
  const report = async (key: QuotaKey, state: { used_percent: number; pause_ms: number }) => {
    states[key.kind] = state
  }
  const end = await rowsOf(meta.fetchReport(request, { ...io, limiter: { ...io.limiter, report } })).catch(
    (error: unknown) => error,
  )
  return { states, end }
}

describe("Meta's quotas", () => {
  it('are read from every response: slower from 75 percent on, a pause from 95', async () => {
    const headers = {
      'X-App-Usage': '{"call_count":80,"total_cputime":5,"total_time":7}',
      'X-FB-Ads-Insights-Throttle': '{"app_id_util_pct":12.5,"acc_id_util_pct":40.1}',
      'X-Ad-Account-Usage': '{"acc_id_util_pct":96,"reset_time_duration":240}',
    }
    const { states } = await reportedBy({ ...pageOf(row), headers })
    expect(states).toEqual({
      app: { used_percent: 80, pause_ms: 1000 },
      account: { used_percent: 96, pause_ms: 240_000 },
    })
  })

  it('take no notice of headers that cannot be read', async () => {
    const { states } = await reportedBy({
      ...pageOf(row),
      headers: { 'x-app-usage': '{', 'x-ad-account-usage': '[]' },
    })
    expect(states['account']).toEqual({ used_percent: 0, pause_ms: 0 })
  })

  it('end a fetch with the wait that the refusal states', async () => {
    const use = {
      type: 'ads_insights',
      call_count: 100,
      total_cputime: 1,
      total_time: 1,
      estimated_time_to_regain_access: 7,
    }
    const headers = {
      'X-Business-Use-Case-Usage': JSON.stringify({
        1010: [use, { ...use, type: 'custom_audience', estimated_time_to_regain_access: 90 }],
      }),
    }
    const { states, end } = await reportedBy(failing({ code: 80000, error_subcode: 2446079 }, { headers }))
    expect(end).toMatchObject({ code: 'quota_exhausted', retry_after_ms: 7 * 60_000 })
    expect(states['account']).toEqual({ used_percent: 100, pause_ms: 7 * 60_000 })
  })

  it.each([
    [{ code: 4, error_subcode: 1504022 }, 'app', 5],
    [{ code: 17, error_subcode: 2446079 }, 'account', 5],
    [{ code: 613, error_subcode: 1487742 }, 'account', 5],
    [{ code: 613 }, 'account', 60],
    [
      { code: 4, message: 'Reach-related metric breakdowns are unavailable due to rate limit threshold.' },
      'account',
      60,
    ],
  ])('pause after %j the %s for %i minutes', async (error, kind, minutes) => {
    const { states, end } = await reportedBy(failing(error))
    expect(end).toMatchObject({ code: 'quota_exhausted', retry_after_ms: minutes * 60_000 })
    expect(states[kind]?.pause_ms).toBe(minutes * 60_000)
  })
})

describe('a refusal of Meta', () => {
  it('is stored in its own words and with its trace, but for the token', async () => {
    const end = await fetchFrom(
      failing({ code: 190, error_subcode: 463, message: `bad ${TOKEN}`, fbtrace_id: 'AFm' }),
    ).catch((error: unknown) => error)
    expect(end).toMatchObject({
      code: 'credential_expired',
      platform_message: 'bad … [190/463]',
      platform_request_id: 'AFm',
    })
  })

  it('counts even when its status is 200', async () => {
    await expect(fetchFrom({ body: { error: { code: 190, message: '' } } })).rejects.toThrow(
      'credential_expired',
    )
  })

  it('that calls itself transient is tried again, whatever its code', async () => {
    expect((await fetchFrom(failing({ code: 987, is_transient: true }), pageOf(row))).length).toBe(1)
  })
})

function entry(action_type: string) {
  return { action_type, value: '1' }
}

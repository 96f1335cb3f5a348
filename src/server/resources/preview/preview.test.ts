import { zstdCompressSync } from 'node:zlib'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { Preview } from '#shared/api/preview.ts'
import { sourceOf } from '#server/connectors/connector.ts'
import { meta } from '#server/connectors/meta/report.ts'
import { startTestSandbox } from '#server/connectors/testing/sandbox.ts'
import { sandboxHosts } from '#server/connectors/testing/context.ts'
import { createTokenCache } from '#server/connectors/kit/tokens.ts'
import { createRequestLimits, queueLimits } from '#server/http/request-limits.ts'
import { textOf } from '#server/http/testing/answers.ts'
import { expectRefusal, testApi, type ApiResponse } from '#server/http/testing/api.ts'
import { createPreviews, type PreviewPlatforms } from './create-previews.ts'

const PATH = '/api/gs-template-setting/preview/'
const NOW = '2026-11-20T02:00:00Z'

const sandbox = await startTestSandbox()
afterAll(() => sandbox.stop())
const open = { acquire: async () => {}, report: async () => {} }
const stopping = new AbortController().signal
const platforms = {
  sourceOf: async () => sourceOf(meta, { access_token: 'sandbox-agency' }),
  hosts: sandboxHosts(sandbox.base_url),
  tokens: createTokenCache(() => new Date(NOW)),
  limiter: open,
  fetch,
} satisfies PreviewPlatforms
const api = await testApi()
const shares = (of_one: Partial<(typeof queueLimits)['preview']> = {}) =>
  createRequestLimits({
    queues: { ...queueLimits, preview: { ...queueLimits.preview, ...of_one } },
    writes: { per_minute: 1e9, burst: 1e9 },
  })
const fresh = (more: Partial<PreviewPlatforms> = {}, limits: object = {}) => {
  api.effects.requestLimits = shares()
  api.effects.preview = createPreviews({ ...platforms, ...more }, { stopping, ...limits })
}

beforeEach(async () => {
  api.clock.now = new Date(NOW)
  await sandbox.reset(NOW)
  fresh()
})

const accountOf = (advertiser: number, external_id = '10150357160960121') =>
  api.account({ advertiser, external_id: `${external_id}`, name: 'Aurora Cosmetics Taiwan' })

/** A client of an advertiser of their own, with the named accounts of the sandbox. */
async function client(...external_ids: string[]) {
  const person = await api.client()
  const accounts: number[] = []
  for (const id of external_ids) accounts.push(await accountOf(person.advertiser, id))
  return { ...person, accounts }
}

const TAIWAN = '10150357160960121'
const OUTLET = '10150357160960122'

const days = { start: '2026-11-01', end: '2026-11-10', dynamic_range: 0 }
const block = (accounts: number[], more: object = {}) => ({
  channel: 'fb',
  accounts,
  metrics: ['impressions', 'cost', 'ctr'],
  ...more,
})
const body = (accounts: number[], more: object = {}) => ({
  dimensions: ['date', 'campaign'],
  channels: [block(accounts)],
  date_range: days,
  ...more,
})
const previewOf = (response: ApiResponse) => {
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  return Preview.parse(response.body)
}
const countRequests = async () =>
  (await sandbox.requests()).filter(({ path }) => path.includes('insights')).length

const people: Record<string, Awaited<ReturnType<typeof client>>> = {}
people.aurora = await client(TAIWAN)
people.borealis = await client(OUTLET)
const { aurora, borealis } = people

describe('a preview', () => {
  it('has the first 50 rows with their formats, in the language of the headers, and the size of the table', async () => {
    const preview = previewOf(await aurora.post(PATH, body(aurora.accounts, { header_language: 'zh-TW' })))
    expect(preview.columns).toEqual([
      { title: '日期', format: { kind: 'day' } },
      { title: '廣告活動', format: { kind: 'text' } },
      { title: '曝光次數', format: { kind: 'number', digits: 0 } },
      { title: '花費', format: { kind: 'number', digits: 2 } },
      { title: expect.any(String), format: { kind: 'percent', digits: 2 } },
    ])
    expect(preview.rows).toHaveLength(50)
    expect(preview).toMatchObject({
      has_more: true,
      code: null,
      blocks: [{ channel: 'fb', status: 'ok', code: null }],
      estimate: { kind: 'exact', from: 'all' },
      asked: { start: days.start, end: days.end },
      as_of: '2026-11-20T02:00:00.000Z',
    })
    expect(preview.cells).toBe(((preview.estimate?.rows ?? 0) + 1) * 5)
  })

  it('fetches only as many days as the first rows need, and says that the rest is estimated', async () => {
    const year = { start: '2026-01-01', end: '2026-11-10', dynamic_range: 0 }
    const preview = previewOf(await aurora.post(PATH, body(aurora.accounts, { date_range: year })))
    expect(preview.rows).toHaveLength(50)
    expect(preview.range).toEqual({ start: year.start, end: year.end })
    expect(preview.asked?.end).toMatch(/^2026-01/)
    expect(preview.estimate).toMatchObject({ kind: 'about', from: 'part' })
  })

  it('knows the rows of time alone, filled with 0, without fetching all days', async () => {
    const year = { start: '2026-01-01', end: '2026-11-10', dynamic_range: 0 }
    const requestBody = body(aurora.accounts, { date_range: year, dimensions: ['date'], fill_zero: true })
    const preview = previewOf(await aurora.post(PATH, requestBody))
    expect(preview.estimate).toEqual({ rows: 314, kind: 'exact', from: 'days' })
    expect(preview.cells).toBe(315 * 4)
  })

  it('knows how many rows filling with 0 adds', async () => {
    const requestBody = body(aurora.accounts, { dimensions: ['date', 'campaign', 'device_type'] })
    const plain = previewOf(await aurora.post(PATH, requestBody))
    const filled = previewOf(await aurora.post(PATH, { ...requestBody, fill_zero: true }))
    expect(plain.unfilled_rows).toBeNull()
    expect(filled.unfilled_rows).toBe(plain.estimate?.rows)
    expect(filled.estimate?.rows).toBeGreaterThan(filled.unfilled_rows ?? 0)
  })

  it('writes nothing anywhere', async () => {
    const tables = ['report', 'run', 'run_chunk', 'run_job', 'audit', 'report_account'] as const
    const count = async () =>
      await Promise.all(
        tables.map(async table => (await api.db.selectFrom(table).selectAll().execute()).length),
      )
    const before = await count()
    previewOf(await aurora.post(PATH, body(aurora.accounts)))
    expect(await count()).toEqual(before)
    expect((await sandbox.requests()).every(({ method }) => method === 'GET')).toBe(true)
  })

  it('reports what a channel lacks, and shows the others', async () => {
    const channels = [block([]), block(aurora.accounts), block(aurora.accounts, { metrics: [] })]
    const preview = previewOf(await aurora.post(PATH, body([], { channels })))
    expect(preview.blocks.map(({ status }) => status)).toEqual(['unset', 'ok', 'unset'])
    expect(preview.rows[0]?.slice(2, 5)).toEqual(['', '', ''])
    expect(previewOf(await aurora.post(PATH, body([], { channels: [] }))).code).toBe('channels_not_set')
    expect(previewOf(await aurora.post(PATH, body([]))).code).toBe('channels_not_set')
    const later = { start: '2027-01-01', end: '2027-01-02', dynamic_range: 0 }
    expect(previewOf(await aurora.post(PATH, body(aurora.accounts, { date_range: later })))).toMatchObject({
      code: 'channel_no_data',
      detail: { reason: 'range_in_future' },
    })
  })

  it('reports why a channel is empty, down to the filter', async () => {
    const filters = [{ field: 'campaign_name', rule: 'EQUAL', values: ['no such campaign'] }]
    const channels = [block(aurora.accounts, { filters })]
    expect(previewOf(await aurora.post(PATH, body([], { channels }))).blocks).toMatchObject([
      { status: 'no_data', code: 'channel_no_data', empty_because: { cause: 'filter' } },
    ])
  })

  it('shows the platform’s message only to the agency’s own people', async () => {
    const staff = await api.signedIn('staff')
    await api.db
      .insertInto('advertiser_member')
      .values({ advertiser: aurora.advertiser, user_id: staff.user.id })
      .execute()
    const fault = { platform: 'meta', path: 'insights', action: 'revoked' }
    await sandbox.setFaults([fault])
    const [shown] = previewOf(await staff.post(PATH, body(aurora.accounts))).blocks
    expect(shown).toMatchObject({ status: 'error', code: 'account_access_lost' })
    expect(shown?.platform_message).toEqual(expect.any(String))
    expect(previewOf(await aurora.post(PATH, body(aurora.accounts))).blocks[0]?.platform_message).toBeNull()
  })
})

describe('a preview follows the rules of saving', () => {
  it('so another client’s account is one that does not exist', async () => {
    const path = 'channels.0.accounts'
    const theirs = await aurora.post(PATH, body(borealis.accounts))
    expectRefusal(theirs, 400, 'invalid', { [path]: ['field_not_available'] })
    const none = await aurora.post(PATH, body([999_999]))
    expect(textOf(theirs, [borealis.accounts[0] ?? 0])).toBe(textOf(none, [999_999]))
    expect(await countRequests()).toBe(0)
  })

  it('so is a report that one may not see', async () => {
    const { id } = await borealis.report()
    expectRefusal(await aurora.post(PATH, { ...body(aurora.accounts), report: id }), 404, 'not_found')
    expectRefusal(await aurora.post(PATH, { ...body(aurora.accounts), report: 999_999 }), 404, 'not_found')
  })

  it('and numbers of a shared report go only to people who may use its accounts', async () => {
    const { id } = await aurora.report(body(aurora.accounts))
    const share = {
      report: id,
      user_id: borealis.user.id,
      access: 'editor' as const,
      shared_by: aurora.user.id,
    }
    await api.db.insertInto('report_share').values(share).execute()
    expectRefusal(await borealis.post(PATH, { ...body(aurora.accounts), report: id }), 400, 'invalid', {
      'channels.0.accounts': ['field_not_available'],
    })
    expect(previewOf(await aurora.post(PATH, { ...body(aurora.accounts), report: id })).rows).toHaveLength(50)
  })

  it('and an account that the owner has lost ends its channel as in a run', async () => {
    const { id } = await aurora.report(body(aurora.accounts))
    const director = await api.signedIn('director')
    await api.db
      .insertInto('report_share')
      .values({ report: id, user_id: director.user.id, access: 'editor', shared_by: aurora.user.id })
      .execute()
    const member = { advertiser: aurora.advertiser, user_id: aurora.user.id }
    const of = (where: typeof member) =>
      api.db
        .deleteFrom('advertiser_member')
        .where('advertiser', '=', where.advertiser)
        .where('user_id', '=', where.user_id)
    await of(member).execute()
    try {
      const { channels } = (await director.get(`/api/gs-template-setting/${id}/`)).body as {
        channels: object[]
      }
      const preview = previewOf(await director.post(PATH, { ...body([]), channels, report: id }))
      expect(preview.blocks).toMatchObject([{ status: 'error', code: 'account_access_lost' }])
      expect(preview.rows).toEqual([])
    } finally {
      await api.db.insertInto('advertiser_member').values(member).execute()
    }
  })

  it('and invalid dates, dimensions and metrics are refused by field', async () => {
    const wrong = { start: '2026-11-10', end: '2026-11-01', dynamic_range: 0 }
    const dates = await aurora.post(PATH, body(aurora.accounts, { date_range: wrong }))
    expect(dates).toMatchObject({ status: 400, body: { codes: { 'date_range.end': expect.any(Array) } } })
    const early = { start: '2019-01-01', end: '2019-02-01', dynamic_range: 0 }
    expectRefusal(
      await aurora.post(PATH, body(aurora.accounts, { date_range: early })),
      400,
      'history_limit',
      {
        'date_range.start': ['history_limit'],
        'channels.0': ['history_limit'],
      },
    )
    const unknownMetric = body([], { channels: [block(aurora.accounts, { metrics: ['nonsense'] })] })
    expect(await aurora.post(PATH, unknownMetric)).toMatchObject({ status: 400 })
    expectRefusal(await aurora.post(PATH, { ...body([]), spam: 1 }), 400, 'invalid', {
      spam: ['field_unknown'],
    })
    expectRefusal(await api.anonymous.post(PATH, body([])), 401, 'unauthenticated')
  })
})

describe('recent responses of platforms', () => {
  it('are reused for a minute, however the table is rearranged', async () => {
    previewOf(await aurora.post(PATH, body(aurora.accounts)))
    const before = await countRequests()
    expect(before).toBeGreaterThan(0)
    const turned = {
      dimensions: ['campaign', 'date'],
      fill_zero: true,
      arrangement: 'stacked',
      header_language: 'zh-TW',
    }
    api.clock.now = new Date(Date.parse(NOW) + 50_000)
    const preview = previewOf(await aurora.post(PATH, body(aurora.accounts, turned)))
    expect(preview.as_of).toBe('2026-11-20T02:00:00.000Z')
    const moved = [block(aurora.accounts, { metrics: ['ctr', 'cost', 'impressions'] })]
    previewOf(await aurora.post(PATH, body([], { channels: moved })))
    expect(await countRequests()).toBe(before)
    api.clock.now = new Date(Date.parse(NOW) + 70_000)
    expect(previewOf(await aurora.post(PATH, body(aurora.accounts))).as_of).toBe('2026-11-20T02:01:10.000Z')
    expect(await countRequests()).toBeGreaterThan(before)
  })

  it('are cached for each person alone', async () => {
    const colleague = await api.signedIn('external_user')
    const member = { advertiser: aurora.advertiser, user_id: colleague.user.id }
    await api.db.insertInto('advertiser_member').values(member).execute()
    previewOf(await aurora.post(PATH, body(aurora.accounts)))
    const before = await countRequests()
    previewOf(await colleague.post(PATH, body(aurora.accounts)))
    expect(await countRequests()).toBe(before * 2)
  })

  it('are not shown any more to a person who has lost the account meanwhile', async () => {
    const leaver = await client('10150357160960123')
    previewOf(await leaver.post(PATH, body(leaver.accounts)))
    await api.db.deleteFrom('advertiser_member').where('user_id', '=', leaver.user.id).execute()
    expectRefusal(await leaver.post(PATH, body(leaver.accounts)), 400, 'invalid', {
      'channels.0.accounts': ['field_not_available'],
    })
  })
})

describe('a preview keeps within its limits', () => {
  const held = () => {
    const gate = Promise.withResolvers<void>()
    const waiting = Promise.withResolvers<void>()
    let count = 0
    const slow: typeof fetch = async (...request) => {
      count += 1
      waiting.resolve()
      await gate.promise
      return await fetch(...request)
    }
    return { slow, release: () => gate.resolve(), waiting: waiting.promise, count: () => count }
  }

  it('of time: what takes too long is left to a run, the rest is shown', async () => {
    const { slow, release } = held()
    const outlet = await accountOf(aurora.advertiser, '10150511300771010')
    const mixed: typeof fetch = async (url, init) =>
      String(url).includes(TAIWAN) ? await fetch(url, init) : await slow(url, init)
    fresh({ fetch: mixed }, { patience_ms: 1500 })
    const channels = [block(aurora.accounts), block([outlet])]
    const preview = previewOf(await aurora.post(PATH, body([], { channels })))
    release()
    expect(preview.blocks.map(({ status }) => status)).toEqual(['ok', 'later'])
    expect(preview.rows).toHaveLength(50)
  })

  it('of rows', async () => {
    fresh({}, { rows: 20 })
    const preview = previewOf(await aurora.post(PATH, body(aurora.accounts)))
    expect(preview).toMatchObject({ rows: [], estimate: null, blocks: [{ status: 'later', code: null }] })
  })

  it('of number: one person has two at once, two that wait, and no more, and delays nobody else', async () => {
    const { slow, release } = held()
    const mine: typeof fetch = async (url, init) =>
      String(url).includes(TAIWAN) ? await slow(url, init) : await fetch(url, init)
    fresh({ fetch: mine })
    const atOnce = Array.from({ length: 7 }, () => aurora.post(PATH, body(aurora.accounts)))
    const refused = await Promise.race(atOnce)
    expectRefusal(refused, 429, 'rate_limited')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    previewOf(await borealis.post(PATH, body(borealis.accounts)))
    release()
    const statuses = (await Promise.all(atOnce)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 200, 200, 200, 429, 429, 429])
    previewOf(await aurora.post(PATH, body(aurora.accounts)))
  })

  it('of reports that a platform would have to prepare first: none is requested', async () => {
    fresh({
      sourceOf: async () => ({
        ...sourceOf(meta, { access_token: 'sandbox-agency' }),
        prepare: async (_, { jobs }) => void (await jobs.startOnce('a report', async () => 'begun')),
      }),
    })
    expect(previewOf(await aurora.post(PATH, body(aurora.accounts))).blocks).toMatchObject([
      { status: 'later' },
    ])
    expect(await sandbox.requests()).toEqual([])
  })

  it('except where a run of the same description has fetched already: its rows are shown', async () => {
    const { id } = await aurora.report(body(aurora.accounts))
    const saved = (await aurora.get(`/api/gs-template-setting/${id}/`)).body as { channels: object[] }
    const requestBody = { ...body([]), channels: saved.channels, report: id }
    const run = crypto.randomUUID()
    const titles = ['Date', 'Campaign', 'Impressions', 'Cost', 'CTR']
    const columns = titles.map(title => ({ title, format: { kind: 'text' } }))
    const json = JSON.stringify([titles, [46_327, 'A', 1, 2, 0.5]])
    await api.db
      .insertInto('run')
      .values({
        id: run,
        report: id,
        owner: aurora.user.id,
        trigger: 'click',
        status: 'completed',
        finished_at: new Date('2026-11-19T01:00:00Z'),
        report_version: 1,
        rows: 1,
        table_rows: 1,
        table_attempt: 1,
        table_columns: JSON.stringify(columns),
      })
      .execute()
    const bytes = zstdCompressSync(json)
    await api.db
      .insertInto('run_chunk')
      .values({ run, attempt: 1, seq: 0, first_row: 0, rows: 2, bytes })
      .execute()
    fresh({}, { rows: 20 })
    expect(previewOf(await aurora.post(PATH, requestBody))).toMatchObject({
      from_run: true,
      as_of: '2026-11-19T01:00:00.000Z',
      rows: [[46_327, 'A', 1, 2, 0.5]],
      blocks: [{ status: 'later' }],
      estimate: { rows: 1, kind: 'about', from: 'last_run' },
    })
    // They say nothing of another description.
    expect(previewOf(await aurora.post(PATH, { ...requestBody, fill_zero: true }))).toMatchObject({
      from_run: false,
      rows: [],
    })
    // Where everything can be fetched, it is.
    fresh()
    expect(previewOf(await aurora.post(PATH, requestBody))).toMatchObject({ from_run: false, has_more: true })
  })

  it('and one whose client has disconnected frees its slot', async () => {
    const { slow, release, waiting, count } = held()
    fresh({ fetch: (to, init) => (count() === 0 ? slow(to, init) : fetch(to, init)) })
    api.effects.requestLimits = shares({ of_one: 1, waiting: 0 })
    const leaving = new AbortController()
    const left = fetch(api.origin + PATH, {
      method: 'POST',
      headers: { authorization: `Bearer ${aurora.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body(aurora.accounts)),
      signal: leaving.signal,
    })
    await waiting
    expectRefusal(await aurora.post(PATH, body(aurora.accounts)), 429, 'rate_limited')
    leaving.abort()
    await expect(left).rejects.toThrow('aborted')
    // The platform has still not responded to the first one.
    await expect.poll(async () => (await aurora.post(PATH, body(aurora.accounts))).status).toBe(200)
    release()
  })
})

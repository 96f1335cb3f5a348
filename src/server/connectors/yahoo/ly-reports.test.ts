import { describe, expect, it } from 'vitest'
import { ReportPending, type ReportRequest, type ConnectorContext } from '#server/connectors/connector.ts'
import { sandboxOfFile } from '#server/connectors/testing/sandbox.ts'
import { fetchPages, rowsOf, testJobs } from '#server/connectors/testing/context.ts'
import { NOW, recordedContext, requestOf, search, searchAccount } from './testing/sandbox.ts'

const sandbox = sandboxOfFile(NOW)

const context = (changes: Partial<ConnectorContext> = {}) => recordedContext(sandbox.base_url, changes)
const fetchRows = (request: Partial<ReportRequest> = {}, to = context()) =>
  rowsOf(fetchPages(search, requestOf(request), to.context))

const fault = (action: string, more: object = {}) => ({ platform: 'ly_search', action, ...more })
const error = (code: string, status = 200) => fault('error', { code, status })

describe('the making of LY reports', () => {
  const long = { range: { start: '2025-11-01', end: '2026-10-31' }, dimensions: ['ad' as const] }

  it('cuts a year of days of ads in four, and takes all back', async () => {
    const to = context()
    const rows = await fetchRows(long, to)
    expect(new Set(rows.map(({ date }) => date)).size).toBeGreaterThan(300)
    expect(to.sent('add').length).toBe(4)
    expect(to.sent('remove').length).toBe(1)
    expect(to.sent('remove')[0]?.operand?.length).toBe(4)
  })

  it('lets the run wait for a slow report, and goes on with what it began', async () => {
    await sandbox.setFaults([fault('job_slow', { looks: 4 })])
    const jobs = testJobs()
    const to = context({ jobs })
    const first = await search.prepare(requestOf(), to.context).catch((failure: unknown) => failure)
    expect(first).toBeInstanceOf(ReportPending)
    expect(first).toMatchObject({ poll_after_ms: 5000 })
    expect(jobs.known.size).toBe(1)
    await search.prepare(requestOf(), to.context).catch(() => {})
    await search.prepare(requestOf(), to.context)
    expect((await rowsOf(search.fetchReport(requestOf(), to.context))).length).toBe(31)
    expect(to.sent('add').length).toBe(1)
    expect(jobs.known.size).toBe(0)
  })

  it('looks less often at what takes long, and gives up after half an hour', async () => {
    await sandbox.setFaults([fault('job_slow', { looks: 100 })])
    const jobs = testJobs()
    const ends: unknown[] = []
    for (const minutes of [0, 1, 10, 31]) {
      const now = new Date(Date.parse(NOW) + minutes * 60_000)
      const to = context({ jobs, now: () => now })
      ends.push(await search.prepare(requestOf(), to.context).catch((failure: unknown) => failure))
    }
    expect(ends).toMatchObject([
      { poll_after_ms: 5000 },
      { poll_after_ms: 10_000 },
      { poll_after_ms: 30_000 },
      { code: 'platform_timeout' },
    ])
  })

  it('begins a report that fails three times at most, however often it is looked at', async () => {
    const to = context()
    const request = fetchRows({ account: searchAccount('1001986') }, to)
    await expect(request).rejects.toThrow('platform_unavailable')
    expect(to.sent('add').length).toBe(3)
  })

  it('does not begin again what is too large', async () => {
    await sandbox.setFaults([fault('job_failed')])
    const fetching: typeof fetch = async (input, init) => {
      const text = await (await fetch(input, init)).text()
      return new Response(text.replaceAll('The report could not be generated.', 'Over limit of file size.'))
    }
    const to = context({ fetch: fetching })
    await expect(fetchRows({}, to)).rejects.toThrow('too_large')
    expect([to.sent('add').length, to.sent('remove').length]).toEqual([1, 0])
  })

  it('begins anew what has vanished', async () => {
    const jobs = testJobs()
    await search.prepare(requestOf(), context({ jobs }).context)
    await sandbox.reset(NOW)
    const to = context({ jobs })
    expect((await fetchRows({}, to)).length).toBe(31)
    expect(to.sent('add').length).toBe(1)
  })

  it('keeps ids that lie beyond 2^53 as their digits', async () => {
    const reportIds: string[] = []
    const far = '9223372036854'
    const fetching: typeof fetch = async (input, init) => {
      const body = String(init?.body)
      reportIds.push(...(body.match(/\d{16,}/g) ?? []))
      const near = body.includes('grant_type') ? init?.body : body.replaceAll(far, '')
      const response = await fetch(input, { ...init, ...(near !== undefined && { body: near }) })
      if (!response.headers.get('content-type')?.includes('json')) return response
      const text = await response.text()
      return new Response(text.replaceAll(/"reportJobId":(\d+)/g, `"reportJobId":${far}$1`), response)
    }
    expect((await fetchRows({}, context({ fetch: fetching }))).length).toBe(31)
    expect([...new Set(reportIds)]).toEqual([expect.stringMatching(new RegExp(`^${far}2222\\d{6}$`))])
  })

  it('shares a report between two requests of a run that come to the same, as often as it takes', async () => {
    await sandbox.setFaults([fault('job_slow', { looks: 3 })])
    const to = context({ jobs: testJobs() })
    const both = async () => {
      await search.prepare(requestOf(), to.context)
      const first = await rowsOf(search.fetchReport(requestOf(), to.context))
      return [first, await rowsOf(search.fetchReport(requestOf(), to.context))]
    }
    const ends: unknown[] = []
    for (let attempt = 0; attempt < 5; attempt += 1)
      ends.push(await both().catch((failure: unknown) => failure))
    const [one, other] = (ends.at(-1) as unknown[][]).map(rows => rows.length)
    expect([one, other]).toEqual([31, 31])
    expect(to.sent('add').length).toBe(2)
    expect(to.sent('remove').length).toBe(1)
  })

  it('is submitted by reading where it was not prepared', async () => {
    expect((await rowsOf(search.fetchReport(requestOf(), context().context))).length).toBe(31)
  })

  it('waits where sixty reports of the account are under way already', async () => {
    await sandbox.setFaults([fault('job_slow', { looks: 1000 })])
    const others = Array.from({ length: 60 }, (_, at) => ({ metrics: ['clicks'], range: dayOf(at) }))
    const to = context({ jobs: testJobs() })
    for (const other of others) await search.prepare(requestOf(other), to.context).catch(() => {})
    const end = await search.prepare(requestOf(), to.context).catch((failure: unknown) => failure)
    expect(end).toMatchObject({ name: 'ReportPending', poll_after_ms: 30_000 })
  })

  it('deletes what it has submitted when one of its reports is refused', async () => {
    await sandbox.setFaults([{ ...error('RL001'), path: 'add', skip: 1 }])
    const to = context()
    await expect(fetchRows(long, to)).rejects.toThrow('combination_not_allowed')
    expect(to.sent('remove')[0]?.operand?.length).toBe(1)
  })

  it('keeps a report for the next attempt when its file cannot be had for now', async () => {
    const jobs = testJobs()
    await sandbox.setFaults([fault('rate_limit', { path: 'download' })])
    await expect(fetchRows({}, context({ jobs }))).rejects.toThrow('quota_exhausted')
    await sandbox.setFaults([])
    const to = context({ jobs })
    expect((await fetchRows({}, to)).length).toBe(31)
    expect(to.sent('add')).toEqual([])
  })

  it('pauses all requests of the account when LY gets too many', async () => {
    await sandbox.setFaults([fault('rate_limit')])
    const pauses: [string, number][] = []
    const limiter = {
      acquire: async () => {},
      report: async ({ kind }: { kind: string }, { pause_ms }: { pause_ms: number }) =>
        void pauses.push([kind, pause_ms]),
    }
    await expect(fetchRows({}, context({ limiter }))).rejects.toMatchObject({ retry_after_ms: 10_000 })
    expect(pauses).toEqual([
      ['credential', 10_000],
      ['account', 10_000],
    ])
  })
})

const dayOf = (at: number) => {
  const day = Temporal.PlainDate.from('2026-08-01').add({ days: at }).toString()
  return { start: day, end: day }
}

import { Buffer } from 'node:buffer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Filter, PlatformDimension } from '#shared/channels/catalogue.ts'
import { filterTest } from '#shared/filter.ts'
import {
  sourceOf,
  type AccountRef,
  type ReportRequest,
  type RunNote,
  type Source,
} from '#server/connectors/connector.ts'
import { startTestSandbox, type TestSandbox } from '#server/connectors/testing/sandbox.ts'
import { rowsOf, testContext } from '#server/connectors/testing/context.ts'
import { uaSource, universalAnalytics } from '#server/connectors/universal-analytics/report.ts'
import { textColumn } from '#server/connectors/text-column.ts'
import { testDatabase } from '#server/db/testing/database.ts'
import { importArchive, UnusableFile } from './import.ts'
import { archiveReader } from './queries.ts'

const { db } = await testDatabase()
const now = new Date('2026-11-21T04:00:00Z')
const archive = archiveReader(db)

const login = {
  client_id: '100000000000-sandbox.apps.googleusercontent.com',
  client_secret: 'GOCSPX-sandbox-client-secret',
  refresh_token: 'sandbox-agency',
}
const wire = sourceOf(universalAnalytics, login)

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
  await sandbox.reset(now.toISOString())
})
afterAll(() => sandbox.stop())

let last_view = 100
/** A view that exists only in its archive. */
const newView = () => String((last_view += 1))
const accountOf = (external_id: string): AccountRef => ({
  provider: 'universal_analytics',
  external_id,
  currency: 'TWD',
  timezone: 'Asia/Taipei',
  via: null,
})
const TAIPEI = accountOf('92653581')

async function* fileOf(...parts: (string | Buffer)[]) {
  for (const part of parts) yield Buffer.from(part)
}
const importing = (view: string, ...parts: (string | Buffer)[]) =>
  importArchive(db, view, { file: fileOf(...parts), now })
const problemsOf = async (...parts: (string | Buffer)[]) => {
  const view = newView()
  const failure: unknown = await importing(view, ...parts).catch((error: unknown) => error)
  expect(await archive.has(view)).toBe(false)
  return failure instanceof UnusableFile ? failure.message.split('\n') : failure
}

const blockFields = {
  channel: 'ga',
  range: { start: '2023-05-01', end: '2023-05-03' },
  time: 'date',
  dimensions: [],
  metrics: ['sessions'],
  filters: [],
} as const satisfies Partial<ReportRequest>

async function read(view: string, request: Partial<ReportRequest> = {}, source = uaSource(null, archive)) {
  const notes: RunNote[] = []
  const context = {
    ...testContext(sandbox.base_url, now.toISOString()),
    note: (note: RunNote) => notes.push(note),
  }
  const whole: ReportRequest = {
    ...blockFields,
    dimensions: [],
    metrics: ['sessions'],
    filters: [],
    account: accountOf(view),
    ...request,
  }
  await source.prepare(whole, context)
  return { rows: await rowsOf(source.fetchReport(whole, context)), notes }
}
const refusal = async (view: string, request: Partial<ReportRequest>) => {
  const failure: unknown = await read(view, request).catch((error: unknown) => error)
  return failure instanceof Error ? failure.message : 'none'
}

describe('importing an archive', () => {
  it("accepts columns by our names or by the platform's, in any order, and days with or without dashes", async () => {
    const view = newView()
    const ours = await importing(
      view,
      'date,campaign,device_type,sessions,revenue\n2023-05-01,brand,mobile,5,12.5\n',
    )
    expect(ours).toEqual({ days: 1, replaced: 0, rows: 1, first: '2023-05-01', last: '2023-05-01' })
    const theirs = await importing(
      view,
      'ga:transactionRevenue,ga:deviceCategory,ga:sessions,ga:campaign,ga:date\r\n0.000001,tablet,7,"春夏, ""x"" \\\\",20230501\r\n',
    )
    expect(theirs.replaced).toBe(1)
    const { rows } = await read(view, {
      dimensions: ['campaign', 'device_type'],
      metrics: ['revenue', 'sessions'],
    })
    expect(rows).toMatchObject([{ date: '2023-05-01', keys: ['春夏, "x" \\\\', 'tablet'], values: [1, 7] }])
  })

  it('replaces the days of the file, and no other', async () => {
    const view = newView()
    await importing(view, 'date,source,sessions\n20230501,a,1\n20230501,b,2\n20230502,a,4\n')
    await importing(view, 'date,source,sessions\n20230502,c,8\n20230503,a,16\n')
    const { rows } = await read(view, { dimensions: ['source'] })
    expect(rows.map(({ date, keys, values }) => [date, ...keys, ...values])).toEqual([
      ['2023-05-01', 'a', 1],
      ['2023-05-01', 'b', 2],
      ['2023-05-02', 'c', 8],
      ['2023-05-03', 'a', 16],
    ])
  })

  it('reads a file in chunks of any size, with line ends within quotes and no last one', async () => {
    const view = newView()
    const bytes = Buffer.from('\ufeffdate,keyword,sessions\n20230501,"two\nlines 春",3\n\n20230501,x,4')
    const pieces = Array.from({ length: bytes.length }, (_, at) => bytes.subarray(at, at + 1))
    expect(await importing(view, ...pieces)).toMatchObject({ rows: 2 })
    const { rows } = await read(view, { dimensions: ['keyword'] })
    expect(rows.map(({ keys: [key] }) => key)).toEqual(['two\nlines 春', 'x'])
  })

  it.each([
    ['', ['line 1: there is no header']],
    ['date,sessions\n', ['line 2: there is nothing below the header']],
    ['day,sessions\n', ['line 1: the column "day" is unknown', 'line 1: there is no column date']],
    ['date,date,sessions\n', ['line 1: the column "date" is there twice']],
    ['date,sessions,ga:sessions\n', ['line 1: the column "ga:sessions" is there twice']],
    ['date,campaign\n', ['line 1: there is no column of a metric']],
    [
      'date,sessions,ga:bounceRate\n',
      ['line 1: the column "ga:bounceRate" is worked out from others: leave it out'],
    ],
    ['date,sessions,ga:landingPagePath\n', ['line 1: the column "ga:landingPagePath" is unknown']],
    [
      'date,source,source_medium,sessions\n',
      ['line 1: source_medium says source and medium already: leave those out'],
    ],
  ])('refuses the header of %j', async (text, problems) => {
    expect(await problemsOf(text)).toEqual(problems)
  })

  it('reports every invalid line by its number, and stores nothing', async () => {
    const lines = [
      'date,keyword,sessions,revenue,session_duration',
      '2023-05-01,"a\nb",1,1.5,90.5',
      '2023-05-01,c,1,1.5',
      '2023-02-30,c,1,1.5,1',
      '2023-0501,c,1,1.5,1',
      '2004-12-31,c,1,1.5,1',
      '2023-05-01,c,"1,234",1.5,1',
      '2023-05-01,c,1.5,1.5,1',
      '2023-05-01,c,1,$5,1',
      '2023-05-01,c,1,,1',
      '2023-05-01,c"d,1,1,1',
      '2023-05-01,c,1,1,00:01:30',
      '2023-05-01,\0,1,1,1',
      '2023-05-02,fine,1,1,1',
    ]
    expect(await problemsOf(lines.join('\n'))).toEqual([
      'line 4: 4 fields instead of 5',
      'line 5: "2023-02-30" is no day',
      'line 6: "2023-0501" is no day',
      'line 7: "2004-12-31" is no day',
      'line 8: "1,234" is no number for sessions',
      'line 9: "1.5" is no number for sessions',
      'line 10: "$5" is no number for revenue',
      'line 11: "" is no number for revenue',
      'line 12: quotes that cannot be read',
      'line 13: "00:01:30" is no number for session_duration',
      'line 14: a character that no text can have',
    ])
  })

  it('reports repeated lines, across batches', async () => {
    const days = Array.from({ length: 5000 }, (_, at) => `20230501,keyword ${at},1`)
    const text = ['date,keyword,sessions', ...days, '20230501,keyword 3,2', '20230501,keyword 3,3'].join('\n')
    expect(await problemsOf(text)).toEqual([
      'line 5002: the same day and dimensions as line 5',
      'line 5003: the same day and dimensions as line 5',
    ])
  })

  it('counts problems beyond the listed ones', async () => {
    const text = `date,sessions\n${'x,1\n'.repeat(50)}`
    const failure: unknown = await importing(newView(), text).catch((error: unknown) => error)
    expect(failure).toMatchObject({ count: 50 })
    expect((failure as UnusableFile).problems).toHaveLength(20)
  })

  it('refuses a source_medium without its slash, and a file that is not UTF-8', async () => {
    expect(await problemsOf('date,source_medium,sessions\n20230501,google,1\n')).toEqual([
      'line 2: source_medium is not like "google / cpc"',
    ])
    const latin = Buffer.from('date,keyword,sessions\n20230501,caf\xe9,1\n', 'latin1')
    expect(await problemsOf(latin)).toEqual(['line 2: this is not UTF-8'])
  })
})

describe('a view with an archive', () => {
  const May = { start: '2023-04-26', end: '2023-06-04' }
  const dimensions: PlatformDimension[] = [
    'source_medium',
    'campaign',
    'keyword',
    'ad_content',
    'device_type',
  ]
  const additive = ['sessions', 'revenue', 'new_users', 'session_duration', 'transactions', 'cost']
  const onWire = async (request: Partial<ReportRequest>) =>
    (await read('', { account: TAIPEI, range: May, ...request }, wire)).rows
  let view = ''

  beforeAll(async () => {
    view = newView()
    const rows = await onWire({ dimensions, metrics: [...additive, 'users'] })
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
    const money = (millionths = 0) => (millionths / 1_000_000).toFixed(6)
    const lines = rows.map(({ date, keys, values: [sessions, revenue, news, seconds, sales, cost, users] }) =>
      [date, ...keys.map(quoted), sessions, money(revenue), news, seconds, sales, money(cost), users].join(
        ',',
      ),
    )
    await importing(view, ['date', ...dimensions, ...additive, 'users'].join(','), '\n', lines.join('\n'))
    const days = await onWire({ dimensions: [], metrics: ['users'] })
    await importing(
      view,
      'ga:date,ga:users\n',
      days.map(({ date, values: [users] }) => `${date},${users}`).join('\n'),
    )
  })

  it.each(['total', 'date', 'week', 'month', 'month_week'] as const)(
    'returns by %s what the platform returned, whatever the dimensions',
    async time => {
      for (const subset of [
        [],
        ['campaign'],
        ['source_medium', 'device_type'],
        ['medium', 'source', 'source_medium'],
      ]) {
        const request = { time, dimensions: subset as PlatformDimension[], metrics: additive }
        const archived = await read(view, { ...request, range: May })
        expect(archived.rows).toEqual(await onWire(request))
        expect(archived.notes).toEqual([{ code: 'from_archive', detail: {} }])
      }
    },
  )

  it('returns people at exactly the grain that they were exported at', async () => {
    for (const subset of [dimensions, []]) {
      const request = { dimensions: subset, metrics: ['users'], range: May }
      expect((await read(view, request)).rows).toEqual(await onWire(request))
    }
    const one_day = {
      dimensions: [],
      metrics: ['users'],
      range: { start: May.start, end: May.start },
      time: 'week',
    } as const
    expect((await read(view, { ...one_day, dimensions: [], metrics: ['users'] })).rows).toEqual(
      await onWire({ ...one_day, dimensions: [], metrics: ['users'] }),
    )
  })

  it('never adds people up, and says why', async () => {
    const by_campaign = await refusal(view, { dimensions: ['campaign'], metrics: ['users'] })
    expect(by_campaign).toContain('combination_not_allowed')
    expect(by_campaign).toContain('cannot be added up')
    expect(by_campaign).toContain('the export by nothing has no campaign')
    expect(await refusal(view, { time: 'month', metrics: ['users'] })).toContain('users is archived by day')
  })

  it('reports what the archive lacks, and what does not exist at all', async () => {
    expect(await refusal(view, { metrics: ['pageviews'] })).toContain('has no pageviews')
    expect(await refusal(view, { metrics: ['reach'] })).toContain('combination_not_allowed: reach')
    const by_event = { channel: 'ga_event', dimensions: ['event_action'], metrics: ['sessions'] } as const
    expect(
      await refusal(view, { ...by_event, dimensions: ['event_action'], metrics: ['sessions'] }),
    ).toContain('combination_not_allowed: sessions')
  })

  it('leaves filters to the table, and loses no row to them', async () => {
    const filter: Filter = { field: 'keyword', rule: 'CONTAINS', values: ['BRAND'] }
    const request = { dimensions: ['keyword' as const], range: May, time: 'total' as const }
    const passes = filterTest(filter)
    const rowsWith = async (filters: Filter[]) =>
      (await read(view, { ...request, filters })).rows.filter(({ keys: [key] }) => passes(key ?? ''))
    expect(await rowsWith([filter])).toEqual(await rowsWith([]))
    expect((await rowsWith([filter])).length).toBe(2)
  })

  it('reports how much of a range it has', async () => {
    const { rows, notes } = await read(view, { range: { start: '2023-06-01', end: '2023-06-10' } })
    expect(rows.length).toBe(4)
    expect(notes).toEqual([
      { code: 'from_archive', detail: {} },
      { code: 'partly_archived', detail: { days: 4, of: 10 } },
    ])
  })

  it('never takes sessions of single events for sessions of a day', async () => {
    const events = newView()
    await importing(events, 'date,event_action,total_events,sessions\n20230501,play,9,2\n20230501,buy,3,1\n')
    const { rows } = await read(events, { channel: 'ga_event', metrics: ['total_events'] })
    expect(rows.map(({ values }) => values)).toEqual([[12]])
    expect(await refusal(events, { metrics: ['sessions'] })).toContain('belongs to single events')
  })

  it('restarts its run when a day is replaced while it is read', async () => {
    const reader = {
      ...archive,
      sumsOf: async (subset: Parameters<typeof archive.sumsOf>[0]) => {
        const rows = await archive.sumsOf(subset)
        await importing(other, 'date,sessions\n20230501,2\n')
        return rows
      },
    }
    const other = newView()
    await importing(other, 'date,sessions\n20230501,1\n')
    await expect(read(other, {}, uaSource(null, reader))).rejects.toThrow('platform_unavailable')
  })
})

describe('the source of a view', () => {
  const silent: Source = {
    login_id: 'silent',
    async *listAccounts() {
      yield [{ ...accountOf('7'), name: 'seven', status: 'enabled', owner_name: null, analytics: null }]
    },
    checkAccount: async account => ({
      ...account,
      name: 'wire',
      status: 'enabled',
      owner_name: null,
      analytics: null,
    }),
    prepare: async () => {
      throw new Error('prepared')
    },
    async *fetchReport() {
      yield { length: 1, dates: textColumn(['2023-05-01']), dimensions: [], metrics: [Float64Array.of(42)] }
    },
    listActions: async () => [],
    listAudiences: async () => [],
  }
  const context = () => testContext(sandbox.base_url, now.toISOString())

  it('is its archive where that has any of the days, and the platform for all other days', async () => {
    const view = newView()
    await importing(view, 'date,sessions\n2023-05-03,1\n')
    const both = uaSource(silent, archive)
    expect((await read(view, {}, both)).rows.map(({ values }) => values)).toEqual([[1]])
    const may_2 = { range: { start: '2023-05-01', end: '2023-05-02' } }
    await expect(read(view, may_2, both)).rejects.toThrow('prepared')
    const ready = uaSource({ ...silent, prepare: async () => {} }, archive)
    expect((await read(view, may_2, ready)).rows.map(({ values }) => values)).toEqual([[42]])
    expect(await both.checkAccount(accountOf(view), context())).toMatchObject({
      name: view,
      status: 'enabled',
    })
    expect(await both.checkAccount(accountOf('8'), context())).toMatchObject({ name: 'wire' })
    expect((await Array.fromAsync(both.listAccounts(context()))).flat()).toHaveLength(1)
  })

  it('is missing without either', async () => {
    expect(await refusal(newView(), {})).toBe('channel_retired')
    const nobody = uaSource(null, archive)
    await expect(nobody.checkAccount(accountOf(newView()), context())).rejects.toThrow('channel_retired')
    expect(await Array.fromAsync(nobody.listAccounts(context()))).toEqual([])
  })
})

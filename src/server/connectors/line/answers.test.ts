import { once } from 'node:events'
import { createServer } from 'node:http'
import { inspect } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { sourceOf, type AccountRef, type ReportRequest, type Source, type World } from '../connector.ts'
import { answerTo, rowsOf, testWorld } from '../testing.ts'
import { line } from './report.ts'

// Answers that the sandbox does not give, from a server of our own: odd files, odd lists, odd refusals.

const NOW = '2026-11-21T04:00:00Z'
const SECRET = 'kept-secret'
const account: AccountRef = {
  provider: 'line',
  external_id: 'A1',
  currency: 'TWD',
  timezone: 'Asia/Taipei',
  via: null,
}
const request: ReportRequest = {
  channel: 'ln',
  account,
  range: { start: '2026-11-01', end: '2026-11-03' },
  time: 'date',
  dimensions: ['campaign'],
  metrics: ['impressions', 'clicks', 'cost', 'app_search'],
  filters: [],
}

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

interface Asked {
  method: string
  path: string
  body: string
}
type Reply = { status?: number; headers?: Record<string, string>; body: string | Buffer }

async function serving(
  answer: (asked: Asked) => Reply,
): Promise<{ source: Source; world: World; asked: Asked[] }> {
  const asked: Asked[] = []
  const server = createServer(async (incoming, response) => {
    const body = Buffer.concat(await incoming.toArray()).toString()
    const each = { method: incoming.method ?? '', path: incoming.url ?? '', body }
    asked.push(each)
    const { status = 200, headers = {}, body: told } = answer(each)
    response.writeHead(status, headers).end(told)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  stops.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  const address = server.address()
  const world = testWorld(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, NOW)
  const source = sourceOf(line, { access_key: 'key', secret_key: SECRET, group_ids: 'G1' })
  return { source, world, asked }
}

const listOf = (datas: unknown[], totalElements = datas.length, size = 100, page = 1): Reply => ({
  body: JSON.stringify({ paging: { page, size, totalElements }, datas }),
})

/** Makes every report at once, each with the file of its days. */
function makingFiles(fileOf: (days: { since: string; until: string }) => string | Buffer) {
  const reports: { since: string; until: string }[] = []
  return ({ method, path, body }: Asked): Reply => {
    if (method === 'POST')
      return { body: JSON.stringify({ id: reports.push(JSON.parse(body)), status: 'CREATED' }) }
    if (method === 'DELETE') return { body: '' }
    const number = Number(/pfreports\/(\d+)\/download/.exec(path)?.[1] ?? 0)
    if (number === 0) return listOf(reports.map((_, index) => ({ id: index + 1, status: 'READY' })))
    const days = reports[number - 1]
    return { headers: { 'content-type': 'text/csv;charset=utf-8' }, body: days ? fileOf(days) : '' }
  }
}

async function readFrom(file: string | Buffer, asked: Partial<ReportRequest> = {}) {
  const { source, world } = await serving(makingFiles(() => file))
  return rowsOf(answerTo(source, { ...request, ...asked }, world))
}

const titles = [
  'Day',
  'Campaign name',
  'Campaign objective',
  'Campaign ID',
  'Impressions',
  'Clicks',
  'CPC',
  'Cost',
  'Search',
]
const usual: Record<string, string> = {
  Day: '2026-11-01',
  'Campaign name': 'A',
  'Campaign objective': 'VISIT_MY_WEBSITE',
  'Campaign ID': '70001',
  Impressions: '1000',
  Clicks: '10',
  CPC: '1.25',
  Cost: '12.5',
  Search: '3',
}
const fileOf = (...rows: Record<string, string>[]) => table(titles, rows)
const table = (columns: string[], rows: Record<string, string>[]) =>
  [columns, ...rows.map(row => columns.map(title => ({ ...usual, ...row })[title] ?? ''))]
    .map(fields => `${fields.map(quoted).join(',')}\r\n`)
    .join('')
const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

describe('a file of LINE', () => {
  it('is read by its labels, whatever their order and spelling', async () => {
    const [row] = await readFrom(fileOf({}))
    expect(row).toEqual({
      date: '2026-11-01',
      keys: ['70001'],
      labels: ['A'],
      values: [1000, 10, 12_500_000, 3],
    })
    const shuffled = table(titles.toReversed(), [{}])
    const respelled = shuffled.replace('Campaign ID', ' CAMPAIGN  ＩＤ ').replace('Cost', '\u00a0cost')
    expect(await readFrom(respelled)).toEqual([row])
    expect(await readFrom(Buffer.from(`\uFEFF${respelled}`, 'utf16le'))).toEqual([row])
  })

  it('may have names with commas, quotes and line breaks, and numbers with thousands', async () => {
    const [row] = await readFrom(
      fileOf({ 'Campaign name': 'a "b",\nc', Impressions: '1,000,000', Cost: '12,345.67', CPC: '-' }),
    )
    expect([row?.labels, row?.values]).toEqual([['a "b",\nc'], [1_000_000, 10, 12_345_670_000, 3]])
  })

  it('says nothing where a cell is empty or a dash, and that is not 0', async () => {
    const rows = await readFrom(fileOf({ Search: '' }, { 'Campaign ID': '2', Search: '-' }))
    expect(rows.map(({ values }) => values[3])).toEqual([Number.NaN, Number.NaN])
    const [sum] = await readFrom(fileOf({ Day: '2026-11-02', Search: '' }, { Day: '2026-11-03' }), {
      time: 'week',
    })
    expect(sum?.values).toEqual([2000, 20, 25_000_000, 3])
  })

  it("never takes an advertiser's own conversion for a column of LINE's", async () => {
    const own = [
      'Cost',
      'Cost rate',
      'Cost per Cost',
      'Search',
      'Video (100% watched)',
      'Video (100% watched)',
    ]
    const [, row = ''] = fileOf({}).split('\r\n')
    const file = `${[...titles, ...own].join(',')}\r\n${row},777,1,1,888,999,5\r\n`
    const metrics = ['cost', 'app_search', 'video_completions']
    expect((await readFrom(file, { metrics }))[0]?.values).toEqual([12_500_000, 3, 5])
  })

  it.each([
    ['a number with an exponent', fileOf({ Impressions: '1e3' }), 'row 2: Impressions'],
    ['a number with letters', fileOf({}, { Cost: '12 TWD' }), 'row 3: Cost'],
    ['a day that was not asked for', fileOf({ Day: '2026-11-04' }), 'row 2: Day'],
    ['a day in another form', fileOf({ Day: '20261101' }), 'row 2: Day'],
    ['a campaign without an id', fileOf({ 'Campaign ID': '' }), 'row 2: Campaign ID'],
    ['a row that is too short', `${fileOf({})}2026-11-02,A\r\n`, 'row 3: 2 fields'],
    ['no column of costs', table(titles.slice(0, 7), [{}]), 'without the column Cost'],
    ['no column of days', table(titles.slice(1), [{}]), 'without the column Day'],
    ['nothing at all', '', 'a file without a header'],
    ['bytes of another encoding', Buffer.from(`${titles.join(',')}\n\xff\n`, 'latin1'), 'not utf-8'],
    ['costs in millionths', fileOf({ Cost: '12500000', CPC: '1250000' }), 'Cost is in millionths'],
    ['costs in another unit than CPC', fileOf({ Cost: '12500000' }), 'Cost and CPC differ by a unit'],
  ])('with %s is unreadable', async (_, file, why) => {
    await expect(readFrom(file)).rejects.toThrow(why)
  })

  it('whose last line does not end is believed when it comes like that twice', async () => {
    const { source, world, asked } = await serving(makingFiles(() => fileOf({}).trimEnd()))
    expect((await rowsOf(answerTo(source, request, world))).length).toBe(1)
    expect(asked.filter(({ path }) => path.endsWith('/download')).length).toBe(2)
  })

  it('that is too large is asked for in parts, and ends as too large by the day', async () => {
    const much = Buffer.alloc(33 * 1024 * 1024)
    const making = (days: number) =>
      makingFiles(({ since, until }) =>
        Temporal.PlainDate.from(since).until(until).days >= days ? much : fileOf({ Day: since }),
      )
    const { source, world, asked } = await serving(making(1))
    const rows = await rowsOf(answerTo(source, request, world))
    expect(rows.map(({ date }) => date)).toEqual(['2026-11-01', '2026-11-02', '2026-11-03'])
    const days = asked.flatMap(({ method, body }) => (method === 'POST' ? [JSON.parse(body)] : []))
    expect(days.map(({ since, until }) => `${since.slice(8)}-${until.slice(8)}`)).toEqual([
      '01-03',
      '01-02',
      '03-03',
      '01-01',
      '02-02',
    ])
    expect(asked.filter(({ method }) => method === 'DELETE').length).toBe(5)
    const never = await serving(making(0))
    await expect(rowsOf(answerTo(never.source, request, never.world))).rejects.toThrow('too_large')
  })
})

describe('the lists of LINE', () => {
  const node = { id: 'A1', name: 'One', configuredStatus: 'ACTIVE', currency: 'JPY', timezone: 'Asia/Tokyo' }
  const listed = async (...pages: Reply[]) => {
    const { source, world, asked } = await serving(({ path }) => {
      if (path.includes('/children')) return listOf([])
      return pages[Number(/[?&]page=(\d+)/.exec(path)?.[1]) - 1] ?? listOf([])
    })
    return { accounts: (await Array.fromAsync(source.listAccounts(world))).flat(), asked }
  }

  it('are read to the end, even when pages are shorter than was asked for', async () => {
    const { accounts, asked } = await listed(listOf([node], 2, 1, 1), listOf([{ ...node, id: 2 }], 2, 1, 2))
    expect(accounts.map(({ external_id }) => external_id)).toEqual(['A1', '2'])
    expect(asked.length).toBe(3)
  })

  it('end with a page without anything, whatever they count', async () => {
    const { accounts, asked } = await listed(listOf([node], 1000))
    expect([accounts.length, asked.length]).toEqual([1, 3])
  })

  it('are unreadable when a page comes again instead of the next one', async () => {
    const first = listOf([node], 1000)
    await expect(listed(first, first)).rejects.toThrow('page 1 instead of 2')
  })

  it.each([
    [{ timezone: 'Asia/Tokyo', country: 'TW' }, 'Asia/Tokyo'],
    [{ timezone: 'JST', country: 'JP' }, 'Asia/Tokyo'],
    [{ timezone: 'UTC+8', country: 'TW' }, 'Asia/Taipei'],
    [{ timezone: 'Asia/Bankok', country: 'TH' }, 'Asia/Bangkok'],
    [{ timezone: undefined, country: 'TH' }, 'Asia/Bangkok'],
  ])('tell of %j that it is in %s', async (place, timezone) => {
    const { accounts } = await listed(listOf([{ ...node, ...place }]))
    expect(accounts[0]?.timezone).toBe(timezone)
  })

  it.each([
    [{ timezone: 'Mars/Base', country: 'US' }, 'timezone'],
    [{ currency: 'yen' }, 'currency'],
    [{ id: null }, 'id'],
  ])('are unreadable with %j', async (odd, where) => {
    await expect(listed(listOf([{ ...node, ...odd }]))).rejects.toThrow(
      `platform_error: unreadable answer, groups/G1/adaccounts: datas[0]: ${where}`,
    )
  })

  it('tell of paused accounts as disabled, and of no owner where there is none', async () => {
    const { accounts } = await listed(listOf([{ ...node, configuredStatus: 'PAUSED', lineAccount: null }]))
    expect(accounts[0]).toMatchObject({ status: 'disabled', owner_name: null })
  })
})

describe('a refusal of LINE', () => {
  const ending = async (reply: Reply) => {
    const { source, world, asked } = await serving(() => reply)
    const failure: unknown = await source.prepare(request, world).catch((thrown: unknown) => thrown)
    return { failure, asked }
  }

  it('is told in its own words, without anything that is no word of theirs', async () => {
    const errors = [{ reason: 'INVALID_VALUE', property: `breakdown ${SECRET}/<b>` }]
    const { failure } = await ending({ status: 400, body: JSON.stringify({ errors }) })
    expect(failure).toMatchObject({ platform_message: 'INVALID_VALUE (…) [HTTP 400]' })
    expect(inspect(failure)).not.toContain(SECRET)
  })

  it('counts by the reason that is known, and by its status where none is', async () => {
    const errors = [{ reason: 'NEW_ONE' }, { reason: 'ACCOUNT_NOT_ALLOWED' }]
    const { failure } = await ending({ status: 400, body: JSON.stringify(errors) })
    expect(failure).toMatchObject({ code: 'account_access_lost' })
    const other = await ending({ status: 401, body: '<h1>no</h1>' })
    expect([other.failure, other.asked.length]).toMatchObject([{ code: 'credential_expired' }, 2])
  })

  it('by a redirection is not followed', async () => {
    const { failure, asked } = await ending({ status: 302, headers: { location: '/elsewhere' }, body: '' })
    expect([failure, asked.length]).toMatchObject([{ code: 'platform_error' }, 1])
  })

  it('without a body slows all who ask with the key', async () => {
    const { source, world } = await serving(() => ({ status: 429, body: '' }))
    const pauses: number[] = []
    const after = async (_: unknown, { pause_ms }: { pause_ms: number }) => void pauses.push(pause_ms)
    const failure: unknown = await source
      .prepare(request, { ...world, quota: { ...world.quota, after } })
      .catch((thrown: unknown) => thrown)
    expect(failure).toMatchObject({ code: 'quota_exhausted', retry_after_ms: 60_000 })
    expect(pauses).toEqual([1000, 1000, 1000, 1000, 1000])
  })
})

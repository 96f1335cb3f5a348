import { describe, expect, it } from 'vitest'
import type { ReportRequest } from '#server/connectors/connector.ts'
import { fetchPages, rowsOf } from '#server/connectors/testing/context.ts'
import { listOf, serving, type SentRequest, type HttpResponse } from './testing/responses.ts'

// Files that the sandbox does not make.

const request: ReportRequest = {
  channel: 'ln',
  account: { provider: 'line', external_id: 'A1', currency: 'TWD', timezone: 'Asia/Taipei', via: null },
  range: { start: '2026-11-01', end: '2026-11-03' },
  time: 'date',
  dimensions: ['campaign'],
  metrics: ['impressions', 'clicks', 'cost', 'app_search'],
  filters: [],
}

/** Makes every report at once, each with the file of its days. */
function makingFiles(fileOf: (days: { since: string; until: string }) => string | Buffer) {
  const reports: { since: string; until: string }[] = []
  return ({ method, path, body }: SentRequest): HttpResponse => {
    if (method === 'POST')
      return { body: JSON.stringify({ id: reports.push(JSON.parse(body)), status: 'CREATED' }) }
    if (method === 'DELETE') return { body: '' }
    const number = Number(/pfreports\/(\d+)\/download/.exec(path)?.[1] ?? 0)
    if (number === 0) return listOf(reports.map((_, index) => ({ id: index + 1, status: 'READY' })))
    const days = reports[number - 1]
    return { headers: { 'content-type': 'text/csv;charset=utf-8' }, body: days ? fileOf(days) : '' }
  }
}

async function readFrom(file: string | Buffer, changes: Partial<ReportRequest> = {}) {
  const { source, context } = await serving(makingFiles(() => file))
  return rowsOf(fetchPages(source, { ...request, ...changes }, context))
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
    const { source, context, requests } = await serving(makingFiles(() => fileOf({}).trimEnd()))
    expect((await rowsOf(fetchPages(source, request, context))).length).toBe(1)
    expect(requests.filter(({ path }) => path.endsWith('/download')).length).toBe(2)
  })

  it('that is too large is requested in parts, and ends as too large by the day', async () => {
    const much = Buffer.alloc(33 * 1024 * 1024)
    const making = (days: number) =>
      makingFiles(({ since, until }) =>
        Temporal.PlainDate.from(since).until(until).days >= days ? much : fileOf({ Day: since }),
      )
    const { source, context, requests } = await serving(making(1))
    const rows = await rowsOf(fetchPages(source, request, context))
    expect(rows.map(({ date }) => date)).toEqual(['2026-11-01', '2026-11-02', '2026-11-03'])
    const days = requests.flatMap(({ method, body }) => (method === 'POST' ? [JSON.parse(body)] : []))
    expect(days.map(({ since, until }) => `${since.slice(8)}-${until.slice(8)}`)).toEqual([
      '01-03',
      '01-02',
      '03-03',
      '01-01',
      '02-02',
    ])
    expect(requests.filter(({ method }) => method === 'DELETE').length).toBe(5)
    const never = await serving(making(0))
    await expect(rowsOf(fetchPages(never.source, request, never.context))).rejects.toThrow('too_large')
  })
})

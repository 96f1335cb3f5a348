import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Client, startClient } from '#sandbox/testing/tiktok.ts'

const TAIPEI = '7012345678901230032'
const TOKYO = '7012345678901230036'
const LARGE = '7012345678901230161'
const FAILING = '7012345678901230165'

let client: Client
beforeAll(async () => {
  client = await startClient()
})
afterEach(() => client.control('PUT', 'clock', { now: '2026-11-20T04:00:00Z', speed: 0 }))
afterAll(() => client.sandbox.stop())

const task = (more: object = {}) => ({
  advertiser_id: TAIPEI,
  service_type: 'AUCTION',
  report_type: 'BASIC',
  data_level: 'AUCTION_AD',
  dimensions: ['ad_id', 'stat_time_day'],
  metrics: ['spend', 'impressions', 'clicks', 'ad_name'],
  start_date: '2026-10-01',
  end_date: '2026-10-30',
  output_format: 'CSV_STRING',
  enable_report_title_translation: false,
  ...more,
})
const create = (more?: object) => client.post('report/task/create/', task(more))
const of = (path: string, task_id: string, advertiser_id = TAIPEI) =>
  client.get(`report/task/${path}/`, { advertiser_id, task_id })

/** Creates a task and polls it until it has ended. */
async function ended(more: { advertiser_id?: string } & Record<string, unknown> = {}): Promise<string> {
  const { body } = await create(more)
  expect(body.code).toBe(0)
  const { task_id } = body.data
  for (let polls = 0; polls < 3; polls++) await of('check', task_id, more.advertiser_id)
  return task_id
}

describe('a task', () => {
  test('waits, works, and is done', async () => {
    const { body } = await create()
    expect(body.data).toEqual({ task_id: expect.stringMatching(/^\d+$/) })
    const { task_id } = body.data
    expect((await of('download', task_id)).body.code).toBe(40201)
    const statuses = []
    for (let polls = 0; polls < 4; polls++) statuses.push((await of('check', task_id)).body.data)
    expect(statuses).toEqual(['QUEUING', 'PROCESSING', 'SUCCESS', 'SUCCESS'].map(status => ({ status })))
    const { headers, body: csv } = await of('download', task_id)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(csv.split('\n')[0]).toBe('ad_id,stat_time_day,spend,impressions,clicks,ad_name')
    expect(csv.split('\n')[1]).toMatch(/^\d{19},2026-10-\d\d,\d+\.\d\d,\d+,\d+,/)
  })

  test('fails with a reason', async () => {
    const taskId = await ended({ advertiser_id: FAILING })
    expect((await of('check', taskId, FAILING)).body.data).toEqual({
      status: 'FAILED',
      message: 'The report could not be generated.',
    })
    expect((await of('download', taskId, FAILING)).body.code).toBe(40200)
  })

  test('is cancelled, but not when it has ended', async () => {
    const { task_id } = (await create()).body.data
    const cancel = () => client.post('report/task/cancel/', { advertiser_id: TAIPEI, task_id })
    expect((await cancel()).body.data).toEqual({ status: 'CANCELED' })
    expect((await of('check', task_id)).body.data).toEqual({ status: 'CANCELED' })
    expect((await of('download', task_id)).body.code).toBe(40200)
    const done = await ended()
    const late = await client.post('report/task/cancel/', { advertiser_id: TAIPEI, task_id: done })
    expect(late.body.code).toBe(40200)
  })

  test('is unknown to other advertisers', async () => {
    const { task_id } = (await create()).body.data
    for (const path of ['check', 'download']) {
      expect((await of(path, task_id, TOKYO)).body.code).toBe(40007)
      expect((await of(path, '1')).body.code).toBe(40007)
    }
  })

  test.each([
    [
      'filters other than by id',
      { filtering: [{ field_name: 'ad_status', filter_type: 'IN', filter_value: '["STATUS_ALL"]' }] },
      40002,
    ],
    ['net cost', { metrics: ['billed_cost'] }, 40002],
    ['31 days by day', { end_date: '2026-10-31' }, 40002],
    ['several advertisers', { advertiser_ids: [TAIPEI] }, 40002],
    ['pages', { page: 1 }, 40002],
    ['a name for a file that has none', { file_name: 'x' }, 40002],
    ['a list as text', { dimensions: '["ad_id"]' }, 40002],
    ['an unknown format', { output_format: 'PDF' }, 40002],
    ['workbooks', { output_format: 'XLSX_DOWNLOAD' }, 40118],
  ])('does not take %s', async (_, more, code) => {
    expect((await create(more)).body.code).toBe(code)
  })
})

describe('a file', () => {
  test('has the translated titles unless requested otherwise', async () => {
    const { enable_report_title_translation: _, ...parameters } = task()
    const { body } = await client.post('report/task/create/', parameters)
    for (let polls = 0; polls < 3; polls++) await of('check', body.data.task_id)
    const csv = (await of('download', body.data.task_id)).body
    expect(csv.split('\n')[0]).toBe('Ad ID,By Day,Cost,Impressions,Clicks (destination),Ad name')
  })

  test('is behind a link for an hour', async () => {
    const taskId = await ended({ output_format: 'CSV_DOWNLOAD', file_name: 'my report' })
    const { data } = (await of('download', taskId)).body
    expect(data).toMatchObject({ file_name: 'my report.csv', output_format: 'CSV_DOWNLOAD' })
    const csv = await (await fetch(data.download_url)).text()
    expect(csv.split('\n')[1]).toMatch(/^\d{19},2026-10-\d\d 00:00:00,/)
    await client.control('PUT', 'clock', { now: '2026-11-20T05:00:00Z', speed: 0 })
    expect((await fetch(data.download_url)).status).toBe(403)
    const again = (await of('download', taskId)).body.data.download_url
    expect((await fetch(again)).status).toBe(200)
  })

  test('quotes what would break it, and has all ids, deleted ones too', async () => {
    const csv: string = (await of('download', await ended())).body
    expect(csv).toContain('"Video 15s \\ cut ""B""')
    const shared = { advertiser_id: LARGE, dimensions: ['ad_id'], metrics: ['spend'] }
    const large: string = (await of('download', await ended(shared), LARGE)).body
    const spend = large
      .trimEnd()
      .split('\n')
      .slice(1)
      .map(line => Number(line.split(',')[1]))
    // More than the thousand ids of a synchronous report.
    expect(spend.length).toBeGreaterThan(1000)
    const { body } = await client.get('report/integrated/get/', {
      advertiser_id: LARGE,
      report_type: 'BASIC',
      data_level: 'AUCTION_ADVERTISER',
      dimensions: ['advertiser_id'],
      start_date: '2026-10-01',
      end_date: '2026-10-30',
    })
    const sum = spend.reduce((all, each) => all + each, 0)
    expect(sum).toBeCloseTo(Number(body.data.list[0].metrics.spend), 1)
  })
})

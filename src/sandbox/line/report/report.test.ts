import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { startClient } from '#sandbox/testing/line.ts'
import { resetAfterEach } from '#sandbox/testing/reset.ts'

const NOON = '2026-11-20T04:00:00Z'
const TAIPEI = 'A37000000037'
const TOKYO = 'A39000000039'
const THAI = 'A71000000171'
const EMPTY = 'A72000000172'
const FAILING = 'A73000000173'

const line = resetAfterEach(await startClient(NOON))

const at = (now: string) => line.control('PUT', 'clock', { now, speed: 0 })
const arm = (fault: object) => line.control('PUT', 'faults', [{ platform: 'line', ...fault }])

const definitionOf = (account: string, more: object = {}) => ({
  level: 'CAMPAIGN',
  since: '2026-10-01',
  until: '2026-10-31',
  filtering: { idType: 'ADACCOUNT', ids: [account] },
  includeRemove: true,
  fileFormat: 'CSV',
  locale: 'en',
  ...more,
})
const create = (more: object = {}, account = TAIPEI) =>
  line.send(`adaccounts/${account}/pfreports`, { method: 'POST', body: definitionOf(account, more) })
const poll = (id: number, account = TAIPEI) => line.send(`adaccounts/${account}/pfreports?ids=${id}`)
const download = (id: number, account = TAIPEI) => line.send(`adaccounts/${account}/pfreports/${id}/download`)

/** Creates a report, waits for it, downloads it. */
async function fileOf(more: object = {}, account = TAIPEI) {
  const { status, body } = await create(more, account)
  expect(status).toBe(200)
  for (let count = 0; count < 3; count++) await poll(body.id, account)
  return download(body.id, account)
}

type Row = Record<string, string>
async function rowsOf(more: object = {}, account = TAIPEI): Promise<Row[]> {
  return parsed((await fileOf(more, account)).bytes.toString('utf8').slice(1))
}

/** RFC 4180. */
function parsed(text: string): Row[] {
  const lines: string[][] = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '\r\n') lines.push([])
  }
  const [titles = [], ...rows] = lines.slice(0, -1)
  return rows.map(row => Object.fromEntries(titles.map((title, index) => [title, row[index] ?? ''])))
}

const total = (rows: Row[], title: string) =>
  Math.round(rows.reduce((sum, row) => sum + 100 * Number(row[title]), 0)) / 100

describe('a report', () => {
  test('is created, prepared and ready, under a number', async () => {
    const { body } = await create({ breakdown: { time: 'DAY' } })
    expect(body).toEqual({
      id: expect.any(Number),
      name: 'Campaign report_20261120',
      status: 'CREATED',
      queryParams: { ...definitionOf(TAIPEI), breakdown: { time: 'DAY' } },
    })
    const early = await download(body.id)
    expect([early.status, early.body.errors[0].reason]).toEqual([400, 'CANNOT_DOWNLOAD_REPORT'])
    const statuses = []
    for (let count = 0; count < 4; count++) statuses.push((await poll(body.id)).body.datas[0].status)
    expect(statuses).toEqual(['CREATED', 'PREPARING', 'READY', 'READY'])
  })

  test('is listed together with others, in pages', async () => {
    const ids = []
    for (let count = 0; count < 3; count++) ids.push((await create()).body.id)
    const path = `adaccounts/${TAIPEI}/pfreports`
    const two = await line.send(`${path}?ids=${ids[0]}&ids=${ids[2]}&sort=id,asc`)
    expect(two.body.datas.map((each: { id: number }) => each.id)).toEqual([ids[0], ids[2]])
    const last = await line.send(`${path}?size=2&page=2`)
    expect(last.body.paging).toEqual({ page: 2, size: 2, totalElements: 3, sorts: ['createdDate,DESC'] })
    expect(last.body.datas.map((each: { id: number }) => each.id)).toEqual([ids[0]])
    expect((await line.send(`adaccounts/${TOKYO}/pfreports`)).body.datas).toEqual([])
  })

  test('fails, hangs, and is deleted', async () => {
    const failing = (await create({}, FAILING)).body.id
    for (let count = 0; count < 2; count++) await poll(failing, FAILING)
    expect((await poll(failing, FAILING)).body.datas[0].status).toBe('ERROR')
    await arm({ action: 'report_slow', looks: 3 })
    const slow = (await create()).body.id
    const statuses = []
    for (let count = 0; count < 6; count++) statuses.push((await poll(slow)).body.datas[0].status)
    expect(statuses).toEqual(['CREATED', 'CREATED', 'CREATED', 'CREATED', 'PREPARING', 'READY'])
    const path = `adaccounts/${TAIPEI}/pfreports/${slow}`
    expect((await line.send(path, { method: 'DELETE' })).status).toBe(200)
    expect((await download(slow)).body.errors[0].reason).toBe('ENTITY_NOT_FOUND_INVALID_ID')
    const foreign = (await create()).body.id
    expect((await download(foreign, TOKYO)).body.errors[0].reason).toBe('ENTITY_NOT_FOUND_INVALID_ID')
  })

  test('has the account as it was when the report was requested', async () => {
    const definition = { level: 'ADACCOUNT', since: '2026-11-20', until: '2026-11-20' }
    const { body } = await create(definition)
    for (let count = 0; count < 3; count++) await poll(body.id)
    const before = (await download(body.id)).body
    await at('2026-11-20T12:00:00Z')
    expect((await download(body.id)).body).toBe(before)
    expect((await fileOf(definition)).body).not.toBe(before)
  })

  test('has a sample', async () => {
    const { body } = await line.send(`adaccounts/${TAIPEI}/pfreports/2/download/sample`)
    expect(body).toMatch(/^\uFEFFAd account name,Ad account ID,Campaign name/)
    expect((await line.send(`adaccounts/${TAIPEI}/pfreports/6/download/sample`)).status).toBe(400)
  })
})

describe('a file', () => {
  test('has the columns of its level, and day by day only when requested', async () => {
    const [row] = await rowsOf({ level: 'AD', breakdown: { time: 'DAY' } })
    const titles = Object.keys(row ?? {})
    expect(titles.slice(0, 17)).toEqual([
      'Day',
      'Ad account name',
      'Ad account ID',
      'Campaign name',
      'Campaign objective',
      'Campaign ID',
      'Ad group name',
      'Ad group ID',
      'Ad name',
      'Ad ID',
      'Title',
      'Description',
      'Currency',
      'Reach (estimated)',
      'Frequency',
      'Impressions',
      'Clicks',
    ])
    expect(row?.['Day']).toMatch(/^2026-10-\d\d$/)
    expect(Object.keys((await rowsOf({ level: 'ADACCOUNT' }))[0] ?? {})[0]).toBe('Ad account name')
  })

  test('has percents, blanks where there is nothing to divide by, and costs that fit', async () => {
    const rows = await rowsOf()
    const number = (row: Row, title: string) => Number(row[title])
    for (const row of rows.filter(each => number(each, 'Clicks') > 0)) {
      expect(number(row, 'CTR')).toBeCloseTo((100 * number(row, 'Clicks')) / number(row, 'Impressions'), 1)
      expect(number(row, 'CPC')).toBeCloseTo(number(row, 'Cost') / number(row, 'Clicks'), 1)
    }
    const without = rows.filter(row => row['CV (All)'] === '0')
    expect(new Set(without.map(row => row['CPA (All)']))).toEqual(new Set(['']))
    expect(rows.some(row => row['Impressions'] === '0')).toBe(true)
    const daily = await rowsOf({ breakdown: { time: 'DAY' } })
    expect(daily.every(row => row['Impressions'] !== '0')).toBe(true)
    const yen = await rowsOf({}, TOKYO)
    expect(yen.every(row => /^\d+$/.test(row['Cost'] ?? ''))).toBe(true)
  })

  test('keeps commas, quotes, line breaks and all scripts', async () => {
    const rows = await rowsOf({ level: 'AD' })
    const titles = rows.map(row => row['Title'])
    expect(titles).toContain('Video 15s \\ cut "B" A, "now"')
    expect(rows[0]?.['Description']).toContain('\n')
    const names = new Set(rows.map(row => row['Campaign name']))
    for (const name of ['Twin', '春夏彩妝', 'Deleted by mistake']) expect(names).toContain(name)
  })

  test('is UTF-8 or UTF-16, each with a byte-order mark, and has a header in several languages', async () => {
    const plain = await fileOf()
    expect(plain.headers['content-type']).toBe('text/csv;charset=utf-8')
    expect([...plain.bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const excel = await fileOf({ fileFormat: 'CSV_EXCEL', locale: 'ja' })
    expect(excel.headers['content-type']).toBe('text/csv;charset=utf-16le')
    expect([...excel.bytes.subarray(0, 2)]).toEqual([0xff, 0xfe])
    expect(excel.bytes.toString('utf16le').slice(1)).toMatch(
      /^広告アカウント名,広告アカウントID,キャンペーン名/,
    )
    expect((await fileOf({ locale: 'zh_TW' })).body).toMatch(/^\uFEFF廣告帳號名稱,廣告帳號ID/)
    await arm({ action: 'no_bom' })
    expect((await fileOf()).body).toMatch(/^Ad account name/)
  })

  test('may have the labels of an earlier release', async () => {
    await arm({ action: 'old_labels' })
    const [row] = await rowsOf({ breakdown: { time: 'DAY' } })
    expect(Object.keys(row ?? {}).slice(0, 9)).toEqual([
      'day',
      'ad_account_name',
      'ad_account_id',
      'campaign_name',
      'campaign_objective',
      'campaign_id',
      'impressions',
      'cpm',
      'clicks',
    ])
    expect(row).toHaveProperty('video_watches_at_p95')
    expect(row).toHaveProperty('installs_sk_ad_network')
  })

  test('has the columns of custom conversions that were counted', async () => {
    const titles = async (more: object, account?: string) =>
      Object.keys((await rowsOf(more, account))[0] ?? {})
    const month = await titles({})
    expect(month).toEqual(expect.arrayContaining(['予約 "完了", 100%', '予約 "完了", 100% rate']))
    const days = { since: '2026-11-20', until: '2026-11-20', level: 'ADACCOUNT' }
    await at('2026-11-19T16:20:00Z')
    expect(await titles(days)).not.toContain('Catalogue download')
    expect(await titles({ level: 'ADACCOUNT' }, EMPTY)).not.toContain('予約 "完了", 100%')
  })
})

describe('numbers', () => {
  const SUMS = ['Cost', 'Impressions', 'Clicks', 'CV (All)', 'CV value (purchased)', 'CV (purchased) (ALL)']

  test('add up over levels and days', async () => {
    const [account] = await rowsOf({ level: 'ADACCOUNT' })
    for (const more of [{}, { level: 'ADGROUP' }, { level: 'AD' }, { breakdown: { time: 'DAY' } }]) {
      const rows = await rowsOf(more)
      for (const title of SUMS) expect(total(rows, title)).toBe(Number(account?.[title]))
    }
  })

  test('of people do not', async () => {
    const reach = async (more: object) =>
      total(await rowsOf({ level: 'ADACCOUNT', ...more }), 'Reach (estimated)')
    const month = await reach({})
    expect(await reach({ breakdown: { time: 'DAY' } })).toBeGreaterThan(month)
    expect(await reach({ level: 'CAMPAIGN' })).toBeGreaterThan(month)
  })

  test('of what was removed are missing unless requested', async () => {
    for (const level of ['ADACCOUNT', 'CAMPAIGN', 'AD']) {
      const all = total(await rowsOf({ level }), 'Cost')
      expect(total(await rowsOf({ level, includeRemove: false }), 'Cost')).toBeLessThan(all)
    }
    const names = (await rowsOf({ includeRemove: false })).map(row => row['Campaign name'])
    expect(names).not.toContain('Deleted by mistake')
  })

  test('of friends are the CV of campaigns that gain them', async () => {
    const rows = await rowsOf({ since: '2026-01-01' })
    const friends = rows.filter(row => row['Campaign objective'] === 'GAIN_FRIENDS')
    expect(total(friends, 'CV (conversions or LINE Tag clicks)')).toBeGreaterThan(0)
    expect(total(friends, 'CV (purchased)')).not.toBe(total(friends, 'CV (conversions or LINE Tag clicks)'))
  })
})

describe('a delivery breakdown', () => {
  const os = { breakdown: { delivery: 'os' } }

  test('adds up, and has no people', async () => {
    const rows = await rowsOf(os)
    expect(new Set(rows.map(row => row['OS']))).toEqual(new Set(['iOS', 'Android']))
    expect(Object.keys(rows[0] ?? {})).not.toContain('Reach (estimated)')
    expect(Object.keys(rows[0] ?? {})).not.toContain('Frequency')
    const whole = await rowsOf()
    for (const title of ['Cost', 'Impressions', 'CV (All)'])
      expect(total(rows, title)).toBe(total(whole, title))
  })

  test('is refreshed at eight in the morning of the account', async () => {
    const lastDay = async (now: string) => {
      await at(now)
      const definition = {
        since: '2026-11-15',
        until: '2026-11-20',
        breakdown: { time: 'DAY', delivery: 'os' },
      }
      return (await rowsOf({ level: 'ADACCOUNT', ...definition })).at(-1)?.['Day']
    }
    expect(await lastDay('2026-11-19T23:59:00Z')).toBe('2026-11-18')
    expect(await lastDay('2026-11-20T00:00:00Z')).toBe('2026-11-19')
  })

  test('may be by placement, slot or size of picture, each where it belongs', async () => {
    const [group] = await rowsOf({ breakdown: { byServiceGroup: true } })
    expect(group).toMatchObject({ 'Service group': 'LINE' })
    expect(group).toHaveProperty('Frequency')
    const slots = await rowsOf({ level: 'AD', breakdown: { specific: 'CAROUSEL' } })
    expect(new Set(slots.map(row => row['Carousel slot']))).toEqual(new Set(['1', '2', '3']))
  })
})

describe('a report is refused', () => {
  test.each([
    ['without a level', { level: undefined }, 'REQUIRED', 'level'],
    ['of no known level', { level: 'KEYWORD' }, 'INVALID_ENUM', 'level'],
    ['without a format', { fileFormat: undefined }, 'REQUIRED', 'fileFormat'],
    ['in no known format', { fileFormat: 'XLSX' }, 'INVALID_ENUM', 'fileFormat'],
    ['without a filter', { filtering: undefined }, 'REQUIRED', 'filtering'],
    [
      'for another account',
      { filtering: { idType: 'ADACCOUNT', ids: [TOKYO] } },
      'INVALID_ACCOUNT_ID',
      'filtering.ids',
    ],
    [
      'for two accounts',
      { filtering: { idType: 'ADACCOUNT', ids: [TAIPEI, TOKYO] } },
      'INVALID_ACCOUNT_ID',
      'filtering.ids',
    ],
    [
      'for a campaign',
      { filtering: { idType: 'CAMPAIGN', ids: [TAIPEI] } },
      'INVALID_ENUM',
      'filtering.idType',
    ],
    ['by week', { breakdown: { time: 'WEEK' } }, 'INVALID_ENUM', 'breakdown.time'],
    ['by device', { breakdown: { delivery: 'device' } }, 'INVALID_ENUM', 'breakdown.delivery'],
    [
      'by system of ads',
      { level: 'AD', breakdown: { delivery: 'os' } },
      'CANNOT_SPECIFY_DELIVERY_TYPE_ON_AD_REPORT',
      'breakdown.delivery',
    ],
    [
      'by placement of ads',
      { level: 'AD', breakdown: { byServiceGroup: true } },
      'REQUEST_ILLEGAL_ARGUMENT',
      'breakdown.byServiceGroup',
    ],
    [
      'by slot of campaigns',
      { breakdown: { specific: 'CAROUSEL' } },
      'REQUEST_ILLEGAL_ARGUMENT',
      'breakdown.specific',
    ],
    ['by an unknown thing', { breakdown: { colour: 'red' } }, 'INVALID_REQUEST', 'breakdown.colour'],
    ['with metrics', { metrics: ['Cost'] }, 'INVALID_REQUEST', 'metrics'],
    ['in another language', { locale: 'fr' }, 'INVALID_ENUM', 'locale'],
    ['with a text for a switch', { includeRemove: 'true' }, 'INVALID_FORMAT', 'includeRemove'],
    ['with days that do not exist', { since: '2026-09-31' }, 'INVALID_DATE_FORMAT', 'since'],
    ['with days reversed', { until: '2026-09-01' }, 'REQUEST_INPUT_START_END_DATE_REVERSED', 'since'],
    ['for tomorrow', { until: '2026-11-21' }, 'REQUEST_INPUT_FUTURE', 'until'],
    ['for more than five years ago', { since: '2021-11-19' }, 'REQUEST_INPUT_START_DATE_TOO_PAST', 'since'],
  ])('%s', async (_, more, reason, property) => {
    const { status, body } = await create(more)
    expect([status, body.errors]).toEqual([400, [{ reason, property }]])
  })

  test('by placement in Thailand, without a body, and with one that is no JSON', async () => {
    const thai = await create({ breakdown: { byServiceGroup: true } }, THAI)
    expect(thai.body.errors[0].reason).toBe('REQUEST_ILLEGAL_ARGUMENT')
    expect((await create({}, THAI)).status).toBe(200)
    const path = `adaccounts/${TAIPEI}/pfreports`
    const empty = await line.send(path, { method: 'POST' })
    expect(empty.body.errors).toEqual([{ reason: 'REQUIRED_REQUEST_BODY' }])
    const list = await line.send(path, { method: 'POST', body: [] })
    expect(list.body.errors[0].reason).toBe('INVALID_REQUEST')
  })

  test('for more than a month where that is switched on', async () => {
    await line.control('PUT', 'limits', { line_one_month: true })
    expect((await create()).status).toBe(200)
    expect((await create({ since: '2026-09-30' })).body.errors[0].reason).toBe(
      'REQUEST_INPUT_PERIOD_LONGER_THAN_ONE_MONTH',
    )
  })
})

describe('an online report', () => {
  const online = (query: string, account = TAIPEI) =>
    line.send(`adaccounts/${account}/reports/online/${query}`)
  const october = 'since=2026-10-01&until=2026-10-31'

  test('has each entity once, in numbers that are those of the file', async () => {
    const { body, headers } = await online(`campaign?${october}&size=100&includeRemoved=true`)
    expect(body.timeRange).toEqual({ since: '2026-10-01', until: '2026-10-31' })
    expect([headers['x-request-quota-limit'], headers['x-request-quota-used']]).toEqual(['30', '1'])
    const rows = await rowsOf()
    expect(rows.length).toBeGreaterThan(20)
    for (const { campaign, statistics } of body.datas) {
      const row = rows.find(each => each['Campaign ID'] === String(campaign.id))
      expect(statistics).toMatchObject({
        currency: 'TWD',
        cost: Number(row?.['Cost'] ?? 0),
        imp: Number(row?.['Impressions'] ?? 0),
        reach: Number(row?.['Reach (estimated)'] ?? 0),
        cvPurchaseWithEv: Number(row?.['CV (purchased) (ALL)'] ?? 0),
      })
      expect(statistics.viewableImp).toBeLessThanOrEqual(statistics.imp)
    }
  })

  test('has pages, filters, and more of ad groups and in Japan', async () => {
    const first = (await online(`ad?${october}&size=5`)).body
    expect(first.paging).toMatchObject({ page: 1, size: 5 })
    expect(first.datas[0]).toHaveProperty('ad.id')
    const found = (await online(`campaign?${october}&searchKey=twi`)).body.datas
    expect(found.map((each: { campaign: { name: string } }) => each.campaign.name)).toEqual(['Twin', 'Twin'])
    const [group] = (await online(`adgroup?${october}&campaignId=${found[0].campaign.id}`)).body.datas
    expect(group.statistics).toHaveProperty('impShareRate')
    expect(group.statistics).not.toHaveProperty('videoView25r')
    const [japan] = (await online(`adgroup?${october}`, TOKYO)).body.datas
    expect(japan.statistics).toHaveProperty('videoView25r')
  })

  test('is refused for wrong days, sizes and beyond its quota', async () => {
    expect((await online('campaign?since=2026-11-02&until=2026-11-01')).status).toBe(400)
    expect((await online(`campaign?${october}&size=101`)).status).toBe(400)
    expect((await online(`campaign?${october}&breakdown=os`)).status).toBe(400)
    await arm({ action: 'quota', count: 1 })
    const { status, headers, bytes } = await online(`campaign?${october}`)
    expect([status, headers['x-request-quota-used'], bytes.length]).toEqual([429, 'EXCEED_LIMIT', 0])
  })

  test('runs at most thirty times at once', async () => {
    const address = `${line.sandbox.origin}/api/v3/adaccounts/${TAIPEI}/reports/online/campaign`
    // Each has arrived when the sandbox says that it may go on, and runs until its body has come.
    const held = Array.from({ length: 30 }, () =>
      request(address, { headers: { expect: '100-continue', 'transfer-encoding': 'chunked' } }),
    )
    const goingOn = held.map(each => once(each, 'continue'))
    for (const each of held) each.flushHeaders()
    await Promise.all(goingOn)
    expect((await online(`campaign?${october}`)).status).toBe(429)
    await Promise.all(
      held.map(async each => {
        const [response] = (await once(each.end(), 'response')) as [IncomingMessage]
        await response.toArray()
      }),
    )
    expect((await online(`campaign?${october}`)).status).toBe(200)
  })
})

import { describe, expect, test } from 'vitest'
import { type Client, sign, startClient } from '#sandbox/testing/line.ts'
import { resetAfterEach } from '#sandbox/testing/reset.ts'

const NOON = '2026-11-20T04:00:00Z'
const AGENCY = 'G10000000001'
const JAPAN = 'G10000000002'
const OTHER = 'G10000000003'
const AURORA = 'A37000000037'
const REMOVED = 'A74000000174'
const REVOKED = 'A75000000175'
const LARGE = 'A76000000176'

const line = resetAfterEach(await startClient(NOON))

const at = (now: string) => line.control('PUT', 'clock', { now, speed: 0 })
const arm = async (...faults: object[]) => {
  const list = faults.map(fault => ({ platform: 'line', ...fault }))
  expect((await line.control('PUT', 'faults', list)).status).toBe(200)
}
const reason = async (path: string, options?: Parameters<Client['send']>[1]) => {
  const { status, body } = await line.send(path, options)
  return [status, body.errors?.[0]?.reason]
}

describe('groups and accounts', () => {
  const ids = async (path: string, key = 'sandbox-agency') =>
    (await line.send(path, { key })).body.datas.map((each: { id: string }) => each.id)

  test('are owned and linked, and found through the children of a group', async () => {
    expect(await ids(`groups/${AGENCY}/adaccounts?sort=id,asc`)).toEqual([AURORA, 'A38000000038'])
    expect(await ids(`groups/${AGENCY}/adaccounts?includeLinked=false`)).toEqual([AURORA])
    expect(await ids(`groups/${AGENCY}/link-request`)).toEqual([5038])
    const { body } = await line.send(`groups/${AGENCY}/children`)
    expect(body.datas).toEqual([
      {
        id: JAPAN,
        name: 'Sheetcast Agency 日本',
        parentGroupId: AGENCY,
        parentGroupName: 'Sheetcast Agency',
        depth: 1,
      },
    ])
    expect(await ids(`groups/${JAPAN}/adaccounts?name=FITNESS`)).toEqual(['A40000000040'])
  })

  test('have their currency, zone and market', async () => {
    const { body } = await line.send(`groups/${AGENCY}/adaccounts?name=aurora`)
    expect(body.paging).toEqual({ page: 1, size: 100, totalElements: 1, sorts: ['createdDate,DESC'] })
    expect(body.datas[0]).toMatchObject({
      id: AURORA,
      configuredStatus: 'ACTIVE',
      currency: 'TWD',
      timezone: 'Asia/Taipei',
      country: 'TW',
      lineAccount: { name: 'Aurora Cosmetics' },
    })
  })

  test('belong to those of the key only', async () => {
    expect(await reason(`groups/${OTHER}/adaccounts`, { key: 'sandbox-agency' })).toEqual([
      403,
      'AUTHORIZATION_FAILED',
    ])
    expect(await reason('groups/G1/adaccounts')).toEqual([400, 'INVALID_GROUP_ID'])
    expect(await reason(`adaccounts/${LARGE}/campaigns`, { key: 'sandbox-agency' })).toEqual([
      403,
      'AUTHORIZATION_FAILED',
    ])
    expect(await reason(`adaccounts/${REVOKED}/campaigns`)).toEqual([403, 'ACCOUNT_NOT_ALLOWED'])
    expect(await reason('adaccounts/A1/campaigns')).toEqual([400, 'INVALID_ACCOUNT_ID'])
    expect(await reason(`adaccounts/${REMOVED}/campaigns`)).toEqual([400, 'REMOVED_ENTITY'])
  })

  test('that were removed are hidden unless requested', async () => {
    const path = `groups/${OTHER}/adaccounts`
    expect(await ids(path, 'sandbox-admin')).not.toContain(REMOVED)
    expect(await ids(`${path}?includeRemoved=true`, 'sandbox-admin')).toContain(REMOVED)
  })
})

describe('campaigns, ad groups and ads', () => {
  const list = async (path: string) => (await line.send(`adaccounts/${AURORA}/${path}`)).body

  test('have ids that are numbers, and pages', async () => {
    const first = await list('campaigns?size=20')
    const second = await list('campaigns?size=20&page=2')
    expect(first.paging.totalElements).toBe(first.datas.length + second.datas.length)
    expect(first.datas[0]).toMatchObject({
      id: expect.any(Number),
      campaignObjective: expect.stringMatching(/^[A-Z_]+$/),
      dailyBudgetMicro: expect.any(Number),
      startDate: expect.stringMatching(/\+08:00$/),
    })
    const endless = [...first.datas, ...second.datas].find(each => each.name === 'Twin')
    expect(endless.endDate).toBe('1970-01-01T00:00:00Z')
    expect(Number.isSafeInteger(first.datas[0].id)).toBe(true)
  })

  test('that were removed are hidden unless requested', async () => {
    const usual = await list('campaigns?size=100')
    const all = await list('campaigns?size=100&includeRemoved=true')
    expect(all.paging.totalElements).toBe(usual.paging.totalElements + 1)
    const removed = all.datas.find(
      (each: { configuredStatus: string }) => each.configuredStatus === 'REMOVED',
    )
    expect(removed.name).toBe('Deleted by mistake')
  })

  test('are found by id and by what they are in', async () => {
    const { datas } = await list('campaigns?size=2')
    const [one, other] = datas.map((each: { id: number }) => each.id)
    expect((await list(`campaigns?ids=${one}&ids=${other}`)).paging.totalElements).toBe(2)
    const groups = await list(`adgroups?campaignId=${one}`)
    expect(groups.datas.every((each: { campaign: { id: number } }) => each.campaign.id === one)).toBe(true)
    const ads = await list(`ads?adgroupId=${groups.datas[0].id}&includeRemoved=true`)
    expect(ads.datas[0].adgroup.id).toBe(groups.datas[0].id)
    expect(await reason(`adaccounts/${AURORA}/campaigns?campaignId=1`)).toEqual([400, 'INVALID_REQUEST'])
  })

  test.each([
    ['page=0', 'OUT_OF_RANGE'],
    ['size=101', 'OUT_OF_RANGE'],
    ['size=x', 'INVALID_FORMAT'],
    ['page=1&page=2', 'INVALID_VALUE'],
    ['sort=cost,asc', 'INVALID_VALUE'],
    ['includeRemoved=yes', 'INVALID_VALUE'],
    ['colour=red', 'INVALID_REQUEST'],
    ['ids=A1', 'INVALID_FORMAT'],
  ])('refuse %s', async (query, expected) => {
    expect(await reason(`adaccounts/${AURORA}/ads?${query}`)).toEqual([400, expected])
  })
})

describe('roles', () => {
  test('decide on audiences, whose sizes are texts', async () => {
    const path = `adaccounts/${AURORA}/custom-audiences`
    expect(await reason(path, { key: 'sandbox-reporting' })).toEqual([403, 'PARTNER_PERMISSION_DENIED'])
    const { body } = await line.send(`${path}?size=3&sortKey=id&sortOrder=ASC`, { key: 'sandbox-agency' })
    expect(body).toMatchObject({ page: 1, size: 3, totalElements: 4, hasNextPage: true })
    expect(body.audienceGroups.map((each: object) => Object.values(each)[4])).toEqual([
      '12000',
      '100 or fewer',
      '-',
    ])
  })

  test('may not change anything here', async () => {
    const body = { name: 'test', campaignObjective: 'VISIT_MY_WEBSITE' }
    expect(await reason(`adaccounts/${AURORA}/campaigns`, { method: 'POST', body })).toEqual([
      403,
      'PARTNER_PERMISSION_DENIED',
    ])
  })

  test('list codes without any account', async () => {
    const { body } = await line.send('codes/os', { key: 'sandbox-reporting' })
    expect(body.datas.map((each: { code: string }) => each.code)).toEqual(['IOS', 'ANDROID'])
    expect(await reason('codes/toString')).toEqual([400, 'INVALID_ENUM'])
    const { datas } = (await line.send(`adaccounts/${AURORA}/custom-conversions`)).body
    expect(datas.length).toBe(2)
  })
})

describe('the protocol', () => {
  test('has one version, and no other paths and methods', async () => {
    const path = '/api/v2/codes/os'
    const headers = sign({ key: 'sandbox-admin', secret: 'sandbox-admin', path, now: new Date(NOON) })
    const old = await line.bare(path, 'GET', { ...headers })
    expect([old.status, old.body.errors[0].reason]).toEqual([403, 'V2_API_AUTHORIZATION_FAILED'])
    expect((await line.send(`adaccounts/${AURORA}/keywords`)).status).toBe(404)
    expect((await line.send('codes/os', { method: 'DELETE' })).status).toBe(405)
  })

  test('has a rate limit by role and endpoint, and an empty 429 beyond it', async () => {
    expect((await line.control('PUT', 'limits', { line_pace: true })).body).toMatchObject({ line_pace: true })
    const statuses = async (key: string, count: number) => {
      const results = []
      for (let index = 0; index < count; index++) results.push((await line.send('codes/os', { key })).status)
      return results
    }
    expect(await statuses('sandbox-reporting', 3)).toEqual([200, 200, 429])
    expect((await line.send(`groups/${AGENCY}/children`, { key: 'sandbox-reporting' })).status).toBe(200)
    expect((await statuses('sandbox-agency', 11)).filter(status => status === 429)).toEqual([429])
    const { bytes, headers } = await line.send('codes/os', { key: 'sandbox-reporting' })
    expect([bytes.length, headers['retry-after']]).toEqual([0, undefined])
    await at('2026-11-20T04:00:01Z')
    expect(await statuses('sandbox-reporting', 1)).toEqual([200])
  })

  test('sends the time of its own clock, with refused signatures too', async () => {
    const noon = new Date(NOON).toUTCString()
    expect((await line.send('codes/os')).headers['date']).toBe(noon)
    const { status, headers } = await line.bare('/api/v3/codes/os', 'GET', {})
    expect([status, headers['date']]).toEqual([401, noon])
  })

  test('may send refusals without an object around them', async () => {
    await line.control('PUT', 'limits', { line_bare_errors: true })
    expect((await line.send('groups/G1/children')).body).toEqual([
      { reason: 'INVALID_GROUP_ID', property: 'groupId' },
    ])
    expect((await line.control('PUT', 'limits', { line_pace: 'fast' })).status).toBe(400)
  })
})

describe('faults', () => {
  const path = `adaccounts/${AURORA}/campaigns`

  test('refuse as LINE does', async () => {
    await arm({ action: 'rate_limit', count: 1 })
    expect((await line.send(path)).status).toBe(429)
    await arm({ action: 'unauthorized' })
    expect(await reason(path)).toEqual([401, 'AUTHENTICATION_FAILED'])
    await arm({ action: 'revoked', account: AURORA })
    expect(await reason(path)).toEqual([403, 'ACCOUNT_NOT_ALLOWED'])
    expect((await line.send(`adaccounts/${LARGE}/campaigns`)).status).toBe(200)
    await arm({ action: 'locked' })
    expect(await reason(path)).toEqual([400, 'LOCK_DEFAULT'])
    await arm({ action: 'error', status: 403, reason: 'AUTHORIZATION_FAILED', property: 'x' })
    expect(await reason(path)).toEqual([403, 'AUTHORIZATION_FAILED'])
  })

  test('break servers and connections', async () => {
    await arm({ action: 'server_error' })
    expect(await reason(path)).toEqual([500, 'UNKNOWN'])
    await arm({ action: 'server_error', status: 503 })
    const page = await line.send(path)
    expect([page.status, page.headers['content-type']]).toEqual([503, 'text/html'])
    await arm({ action: 'malformed', count: 1 })
    await expect(line.send(path)).rejects.toThrow(SyntaxError)
    await arm({ action: 'cut', count: 1 })
    await expect(line.send(path)).rejects.toThrow('aborted')
    await arm({ action: 'latency', delay_ms: 1 })
    expect((await line.send(path)).status).toBe(200)
  })

  test('are logged under the platform and the account', async () => {
    await line.send(path)
    const { body } = await line.control('GET', 'requests')
    expect(body.totals.line).toMatchObject({ requests: 1, by_status: { 200: 1 } })
    expect(body.requests[0]).toMatchObject({ platform: 'line', account: AURORA })
  })
})

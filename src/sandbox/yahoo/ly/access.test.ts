import { describe, expect, test } from 'vitest'
import { type Reply, startClient } from '#sandbox/testing/yahoo.ts'
import { resetAfterEach } from '#sandbox/testing/reset.ts'

const client = resetAfterEach(await startClient())

const NOW = Date.parse('2026-11-20T04:00:00Z')
const error = ({ status, body }: Reply) => [status, body.errors?.[0]?.code]
const ids = ({ body }: Reply) =>
  body.rval.values.map(
    (value: { account?: object; accountLink?: object }) =>
      Object.values({ accountId: 0, ...value.account, ...value.accountLink })[0],
  )
const agency = { authorization: 'Bearer sandbox-agency' }

describe('the token endpoint', () => {
  const SECRETS = { client_id: 'any', client_secret: 'sandbox-agency' }
  const form = (fields: Record<string, string>) =>
    client.send('/oauth/v1/token', { method: 'POST', body: new URLSearchParams({ ...SECRETS, ...fields }) })
  const refresh = { grant_type: 'refresh_token', refresh_token: 'sandbox-agency' }

  test('gives access for an hour, by form or by query, and does not change the refresh token', async () => {
    const { status, body } = await form(refresh)
    expect(status).toBe(200)
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: 'sandbox-agency',
    })
    const queried = await client.send(`/oauth/v1/token?${new URLSearchParams({ ...SECRETS, ...refresh })}`)
    expect(queried.status).toBe(200)
    const headers = { authorization: `Bearer ${body.access_token}` }
    expect((await client.search('AccountService/get', {}, headers)).status).toBe(200)
    client.sandbox.clock.set({ now: NOW + 3_600_001 })
    expect(error(await client.search('AccountService/get', {}, headers))).toEqual([401, '0111'])
  })

  test('exchanges a code for a refresh token that dies when nobody uses it for four weeks', async () => {
    const code = { grant_type: 'authorization_code', redirect_uri: 'oob', code: 'sandbox-agency' }
    const { body } = await form(code)
    const again = () => form({ grant_type: 'refresh_token', refresh_token: body.refresh_token })
    client.sandbox.clock.set({ now: NOW + 27 * 86_400_000 })
    expect((await again()).status).toBe(200)
    client.sandbox.clock.set({ now: NOW + 56 * 86_400_000 })
    expect((await again()).body).toMatchObject({ error: 'invalid_grant' })
  })

  test('refuses wrong secrets, grants and parameters', async () => {
    expect((await form({ ...refresh, client_secret: 'guessed' })).body.error).toBe('invalid_client')
    expect((await form({ ...refresh, refresh_token: 'guessed' })).body.error).toBe('invalid_grant')
    expect((await form({ grant_type: 'password' })).body.error).toBe('unsupported_grant_type')
    expect((await form({ ...refresh, scope: 'yahooads' })).body.error).toBe('invalid_request')
  })
})

describe('accounts', () => {
  test('with direct rights are listed without a base account, managers when requested', async () => {
    const get = (selector: object) =>
      client.search('BaseAccountService/get', selector, { ...agency, 'x-z-base-account-id': '' })
    expect(ids(await get({}))).toEqual([1_001_926])
    const all = await get({
      includeMccAccount: 'ALL',
      includeTestAccount: 'ALL',
      numberResults: 200,
      startIndex: 1,
    })
    expect(ids(all)).toEqual([1_000_100, 1_001_926, 1_001_981])
    expect(all.body.rval).toMatchObject({ totalNumEntries: 3, authorizationBusinessId: 'biz-agency' })
    expect(all.body.rval.values[0]).toEqual({
      errors: null,
      operationSucceeded: true,
      account: expect.objectContaining({
        isMccAccount: 'TRUE',
        isRootMccAccount: 'TRUE',
        authType: 'REFERABLE',
      }),
    })
  })

  test('below a manager are listed through it, one of them through managers only', async () => {
    expect(ids(await client.search('AccountService/get', {}, agency))).toEqual([1_001_926, 1_001_927])
    expect(ids(await client.display('AccountService/get', {}, agency))).toEqual([1_002_928, 1_002_929])
    const child = { ...agency, 'x-z-base-account-id': '1000101' }
    expect(ids(await client.search('AccountService/get', {}, child))).toEqual([1_001_927])
    const links = await client.search('AccountLinkService/get', { mccAccountId: 1_000_100 }, agency)
    expect(links.body.rval.values[0].accountLink).toMatchObject({
      accountId: 1_000_101,
      isMccAccount: 'TRUE',
    })
  })

  test('come in pages', async () => {
    const page = await client.search('AccountService/get', { numberResults: 2, startIndex: 2 })
    expect(page.body.rval.values).toHaveLength(2)
    expect(page.body.rval.totalNumEntries).toBeGreaterThan(3)
    const wrong = await client.search('AccountService/get', { numberResults: 0 })
    expect(error(wrong)).toEqual([200, '0001'])
    expect(wrong.body.errors[0].details[0].requestKey).toBe('numberResults')
    expect(wrong.body.rval).toBeNull()
    expect(error(await client.search('AccountService/get', { numberResults: 201 }))).toEqual([200, '0001'])
  })

  test('in odd states refuse in their own way', async () => {
    const of = (accountId: number, headers = {}) =>
      client.search('ReportDefinitionService/get', { accountId }, headers)
    expect((await of(1_001_980)).status).toBe(200)
    expect(error(await of(1_001_982))).toEqual([401, '0113'])
    expect(error(await of(1_001_983))).toEqual([403, '0098'])
    expect(error(await of(1_001_984))).toEqual([401, '0111'])
    expect(error(await of(1_001_984, agency))).toEqual([401, '0112'])
    expect(error(await of(1_001_927, { 'x-z-base-account-id': '1001926' }))).toEqual([403, '0098'])
    expect((await of(1_001_926, { 'x-z-base-account-id': '1001926' })).status).toBe(200)
  })
})

describe('the protocol', () => {
  test('requires a login, a base account and JSON', async () => {
    const get = (headers: Record<string, string>) => client.search('AccountService/get', {}, headers)
    expect(error(await get({ authorization: 'Bearer guessed' }))).toEqual([401, '0111'])
    expect(error(await client.send('/ly-search/api/v20/AccountService/get', { method: 'POST' }))).toEqual([
      401,
      '0110',
    ])
    expect(error(await get({ 'x-z-base-account-id': '' }))).toEqual([200, '0001'])
    expect(error(await get({ 'x-z-base-account-id': '999' }))).toEqual([401, '0112'])
    expect(error(await get({ 'content-type': 'text/plain' }))).toEqual([400, '0005'])
  })

  test('knows its version, its operations and its fields', async () => {
    const headers = { authorization: 'Bearer sandbox-admin' }
    const old = await client.send('/ly-search/api/v12/AccountService/get', { method: 'POST', headers })
    expect(old.status).toBe(404)
    expect((await client.search('CampaignService/get', {})).status).toBe(404)
    expect(error(await client.search('AccountService/get', { colour: 1 }))).toEqual([200, '0001'])
    const bare = await client.send('/api/v19/AccountService/get', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'x-z-base-account-id': '1000200' },
      body: '{}',
    })
    expect(ids(bare)).toContain(1_002_928)
  })

  test('breaks in the platform’s own ways', async () => {
    const armed = async (fault: object) => {
      await client.control('PUT', 'faults', [{ platform: 'ly_search', count: 1, ...fault }])
      return client.search('AccountService/get', {})
    }
    expect(error(await armed({ action: 'rate_limit' }))).toEqual([403, '0003'])
    expect(error(await armed({ action: 'server_error' }))).toEqual([500, '0002'])
    expect(error(await armed({ action: 'server_error', status: 503 }))).toEqual([503, '0099'])
    expect(error(await armed({ action: 'expired_token' }))).toEqual([401, '0111'])
    expect(error(await armed({ action: 'revoked' }))).toEqual([403, '0098'])
    expect(error(await armed({ action: 'error', status: 400, code: '0114' }))).toEqual([400, '0114'])
    await expect(armed({ action: 'cut' })).rejects.toThrow(/terminated|fetch failed/)
    expect((await armed({ action: 'server_error', status: 502 })).body).toContain('<html>')
    expect((await client.search('AccountService/get', {})).status).toBe(200)
    const log = await client.control('GET', 'requests')
    expect(log.body.totals.ly_search.by_status['403']).toBe(2)
    expect(
      (await client.control('PUT', 'faults', [{ platform: 'ly_search', action: 'nonsense' }])).status,
    ).toBe(400)
  })
})

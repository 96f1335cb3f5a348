import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createSign } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { mountSpreadsheets } from '#sandbox/spreadsheets.ts'
import { type AdsClient, AURORA, codeOf, MANAGER, startClient } from '#sandbox/testing/google-ads.ts'

const BOTH = '4203141502'
const DIRECT = '7203141505'
const CLOSED = '5203141511'
const REVOKED = '6203141512'
const NAME = 'SELECT customer.id FROM customer LIMIT 1'

let ads: AdsClient
const dir = mkdtempSync(join(tmpdir(), 'google-ads-'))
beforeAll(async () => {
  ads = await startClient({ mount: shared => [mountSpreadsheets(dir, shared)] })
})
afterAll(async () => {
  await ads.sandbox.stop()
  rmSync(dir, { recursive: true })
})

describe('a token', () => {
  const exchange = async (form: Record<string, string>) => {
    const response = await fetch(`${ads.sandbox.origin}/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    })
    return { status: response.status, body: z.record(z.string(), z.unknown()).parse(await response.json()) }
  }
  const client = {
    grant_type: 'refresh_token',
    client_id: '100000000000-sandbox.apps.googleusercontent.com',
    client_secret: 'GOCSPX-sandbox-client-secret',
  }
  const assertion = (scope: string) => {
    const key = JSON.parse(readFileSync(join(dir, 'service-account.json'), 'utf8'))
    const now = Math.floor(Date.now() / 1000)
    const claims = { iss: key.client_email, scope, aud: key.token_uri, iat: now, exp: now + 3600 }
    const signed = [{ alg: 'RS256', typ: 'JWT', kid: key.private_key_id }, claims]
      .map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    const signature = createSign('RSA-SHA256').update(signed).sign(key.private_key, 'base64url')
    return { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: `${signed}.${signature}` }
  }

  test('is given for a refresh token, and opens what its login may', async () => {
    const { status, body } = await exchange({ ...client, refresh_token: 'sandbox-agency' })
    expect(status).toBe(200)
    expect(body).toEqual({
      access_token: expect.stringMatching(/^ya29\./),
      expires_in: 3599,
      scope: expect.stringContaining('https://www.googleapis.com/auth/adwords'),
      token_type: 'Bearer',
    })
    expect((await ads.search(NAME, { token: String(body['access_token']) })).status).toBe(200)
  })

  test('is refused for a dead refresh token, a wrong client, a missing parameter', async () => {
    expect(await exchange({ ...client, refresh_token: 'sandbox-expired' })).toEqual({
      status: 400,
      body: { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' },
    })
    const wrong = await exchange({ ...client, refresh_token: 'sandbox-agency', client_secret: 'guessed' })
    expect([wrong.status, wrong.body['error']]).toEqual([401, 'invalid_client'])
    expect((await exchange(client)).body['error']).toBe('invalid_request')
  })

  test('is given to the service account, whose scope must be the right one', async () => {
    const good = await exchange(assertion('https://www.googleapis.com/auth/adwords'))
    expect((await ads.search(NAME, { token: String(good.body['access_token']) })).status).toBe(200)
    const other = await exchange(assertion('https://www.googleapis.com/auth/drive'))
    const refused = await ads.search(NAME, { token: String(other.body['access_token']) })
    expect(refused.status).toBe(403)
    expect(refused.body.error.details[0]).toMatchObject({ reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' })
  })

  test('that is missing, unknown, expired or revoked is refused with 401', async () => {
    const missing = await ads.search(NAME, { token: null })
    expect([missing.status, missing.body.error.details[0].reason]).toEqual([401, 'CREDENTIALS_MISSING'])
    for (const [token, code] of [
      ['guessed', 'OAUTH_TOKEN_INVALID'],
      ['sandbox-expired', 'OAUTH_TOKEN_EXPIRED'],
      ['sandbox-revoked', 'OAUTH_TOKEN_REVOKED'],
    ] as const) {
      const refused = await ads.search(NAME, { token })
      expect([refused.status, codeOf(refused)]).toEqual([401, `authenticationError.${code}`])
      expect(refused.body.error).toMatchObject({ status: 'UNAUTHENTICATED' })
    }
  })
})

describe('the tree of customers', () => {
  const read = async (token: string) =>
    (await ads.call('GET', 'customers:listAccessibleCustomers', undefined, { token, through: '0' })).body
      .resourceNames
  const FIELDS =
    'client_customer,id,descriptive_name,level,manager,currency_code,time_zone,status,test_account,hidden'
  const tree = async (manager: string) => {
    const fields = FIELDS.split(',').map(field => `customer_client.${field}`)
    const rows = await ads.rows(`SELECT ${fields.join()} FROM customer_client`, {
      customer: manager,
      through: manager,
    })
    return rows.map(row => row.customerClient)
  }

  test('begins at what a login was granted itself', async () => {
    expect(await read('sandbox-agency')).toEqual([
      'customers/1110000001',
      'customers/1110000002',
      `customers/${DIRECT}`,
    ])
    expect(await read('sandbox-admin')).toContain(`customers/${REVOKED}`)
  })

  test('goes down through managers; a customer may hang under two, one is closed', async () => {
    const [first, second] = [await tree(MANAGER), await tree('1110000002')]
    expect(first[0]).toMatchObject({ id: MANAGER, level: '0', manager: true })
    expect(first.find(each => each.id === '8203141506')).toEqual({
      resourceName: `customers/${MANAGER}/customerClients/8203141506`,
      clientCustomer: 'customers/8203141506',
      id: '8203141506',
      level: '2',
      manager: false,
      descriptiveName: 'Ember Games',
      currencyCode: 'USD',
      timeZone: 'America/Los_Angeles',
      status: 'ENABLED',
      testAccount: false,
      hidden: false,
    })
    expect([first, second].map(list => list.some(each => each.id === BOTH))).toEqual([true, true])
    const closed = first.find(each => each.id === CLOSED)
    expect([closed.status, 'descriptiveName' in closed]).toEqual(['CANCELED', false])
    const currencies = [...first, ...second].map(each => each.currencyCode)
    expect(new Set(currencies)).toEqual(new Set(['TWD', 'JPY', 'USD']))
  })

  test('is entered through a manager above, or directly', async () => {
    const status = async (customer: string, through: string | null, token = 'sandbox-agency') => {
      const reply = await ads.search(NAME, { customer, through, token })
      return reply.status === 200 ? 200 : codeOf(reply)
    }
    const denied = 'authorizationError.USER_PERMISSION_DENIED'
    expect(await status(AURORA, MANAGER)).toBe(200)
    expect(await status(BOTH, '1110000002')).toBe(200)
    expect(await status('8203141506', '1110000003')).toBe(200)
    expect(await status(DIRECT, null)).toBe(200)
    expect(await status(AURORA, null)).toBe(denied)
    expect(await status(AURORA, '1110000002')).toBe(denied)
    expect(await status(AURORA, '9999999999')).toBe(denied)
    expect(await status(AURORA, AURORA)).toBe(denied)
    expect(await status(AURORA, '111-000-0001')).toBe('headerError.INVALID_LOGIN_CUSTOMER_ID')
    expect(await status('420-314-1501', MANAGER)).toBe('requestError.INVALID_CUSTOMER_ID')
    expect(await status('1234567890', MANAGER)).toBe(denied)
    expect(await status(CLOSED, MANAGER)).toBe('authorizationError.CUSTOMER_NOT_ENABLED')
    expect(await status(REVOKED, MANAGER)).toBe(denied)
    expect(await status(REVOKED, null, 'sandbox-admin')).toBe(200)
  })

  test('has no numbers at its managers', async () => {
    const refused = await ads.search('SELECT metrics.clicks FROM customer', { customer: MANAGER })
    expect([refused.status, codeOf(refused)]).toEqual([400, 'queryError.REQUESTED_METRICS_FOR_MANAGER'])
  })
})

describe('the protocol', () => {
  test('accepts versions 23 to 26 and refuses others', async () => {
    for (const version of ['v23', 'v24', 'v25', 'v26'])
      expect((await ads.search(NAME, { version })).status).toBe(200)
    for (const version of ['v21', 'v22', 'v27']) {
      const refused = await ads.search(NAME, { version })
      expect([refused.status, codeOf(refused)]).toEqual([400, 'requestError.UNSUPPORTED_VERSION'])
    }
  })

  test('takes a developer token and needs none', async () => {
    expect((await ads.search(NAME, { headers: { 'developer-token': 'any' } })).status).toBe(200)
  })

  test('has a request id in a header, and in the body of a refusal', async () => {
    const good = await ads.search(NAME)
    expect(good.headers.get('request-id')).toMatch(/^[\w-]{22}$/)
    expect(good.body).not.toHaveProperty('requestId')
    const refused = await ads.search('SELECT')
    expect(refused.body.error.details[0]).toMatchObject({
      '@type': 'type.googleapis.com/google.ads.googleads.v26.errors.GoogleAdsFailure',
      requestId: refused.headers.get('request-id'),
    })
  })

  test('refuses what a message does not have', async () => {
    const message = async (body: unknown, way = {}) =>
      (await ads.call('POST', `customers/${AURORA}/googleAds:search`, body, way)).body.error
    expect(await message({ query: NAME, page: 1 })).toMatchObject({
      code: 400,
      message: 'Invalid JSON payload received. Unknown name "page": Cannot find field.',
      details: [{ '@type': 'type.googleapis.com/google.rpc.BadRequest' }],
    })
    expect((await message({ query: NAME, searchSettings: { limit: true } })).message).toContain(
      `Unknown name "limit" at 'searchSettings'`,
    )
    expect((await message({ query: 7 })).message).toContain("Invalid value at 'query'")
    expect((await message('{')).message).toContain('Invalid JSON payload')
    expect((await message({ query: NAME }, { headers: { 'content-type': 'text/plain' } })).message).toContain(
      'Invalid JSON payload',
    )
    expect(codeOf(await ads.call('POST', `customers/${AURORA}/googleAds:search`, {}))).toBe(
      'fieldError.REQUIRED',
    )
    const parameter = await ads.call('POST', `customers/${AURORA}/googleAds:search?pageSize=5`, {
      query: NAME,
    })
    expect(parameter.body.error.message).toContain('Cannot bind query parameter')
  })

  test('knows no other methods and paths', async () => {
    expect((await ads.call('GET', `customers/${AURORA}/googleAds:search`)).status).toBe(404)
    expect((await ads.call('POST', `customers/${AURORA}/campaigns:mutate`, {})).status).toBe(404)
    expect((await ads.call('POST', 'customers:listAccessibleCustomers', {})).status).toBe(404)
  })
})

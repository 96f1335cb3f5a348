import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { mountSpreadsheets } from '#sandbox/spreadsheets.ts'
import {
  AURORA,
  BOREALIS,
  type Ga4Client,
  named,
  type Reply,
  RESTRICTED,
  REVOKED,
  startClient,
} from '#sandbox/testing/ga4.ts'

let client: Ga4Client
const dir = mkdtempSync(join(tmpdir(), 'ga4-'))
beforeAll(async () => {
  client = await startClient({ mount: shared => [mountSpreadsheets(dir, shared)] })
})
afterEach(async () => {
  await client.control('POST', 'reset')
  await client.control('PUT', 'clock', { now: '2026-11-20T04:00:00Z', speed: 0 })
})
afterAll(async () => {
  await client.sandbox.stop()
  rmSync(dir, { recursive: true })
})

const SESSIONS = { metrics: named('sessions') }
const refusal = ({ status, body }: Reply) => [status, body.error.status]

describe('a login', () => {
  test('is needed, and must be known', async () => {
    expect(refusal(await client.get('v1beta/accountSummaries', null))).toEqual([401, 'UNAUTHENTICATED'])
    const expired = await client.report(SESSIONS, AURORA, 'sandbox-expired')
    expect(expired.body.error).toMatchObject({
      code: 401,
      message: expect.stringMatching(/^Request had invalid authentication credentials/),
      details: [{ reason: 'ACCESS_TOKEN_EXPIRED' }],
    })
  })

  test('is given by the token endpoint for a refresh token', async () => {
    const response = await fetch(`${client.sandbox.origin}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: '100000000000-sandbox.apps.googleusercontent.com',
        client_secret: 'GOCSPX-sandbox-client-secret',
        refresh_token: 'sandbox-admin',
      }),
    })
    const { access_token } = z.object({ access_token: z.string() }).parse(await response.json())
    expect((await client.report(SESSIONS, REVOKED, access_token)).status).toBe(200)
  })

  test('reads the properties that it is a viewer of', async () => {
    expect((await client.report(SESSIONS)).status).toBe(200)
    const refused = await client.report(SESSIONS, REVOKED)
    expect(refused.body.error).toMatchObject({
      code: 403,
      status: 'PERMISSION_DENIED',
      message: expect.stringMatching(/^User does not have sufficient permissions for this property\. /),
    })
    expect((await client.report(SESSIONS, REVOKED, 'sandbox-admin')).status).toBe(200)
    expect(refusal(await client.get(`v1beta/properties/${REVOKED}`))).toEqual([403, 'PERMISSION_DENIED'])
    expect(refusal(await client.report(SESSIONS, '123'))).toEqual([403, 'PERMISSION_DENIED'])
    expect(refusal(await client.report(SESSIONS, 'UA-1-1'))).toEqual([400, 'INVALID_ARGUMENT'])
  })

  test('may be denied revenue, which is then zero', async () => {
    const query = { metrics: named('sessions', 'purchaseRevenue', 'advertiserAdCost') }
    const { body } = await client.report(query, RESTRICTED)
    expect(body.metadata.schemaRestrictionResponse).toEqual({
      activeMetricRestrictions: [
        { metricName: 'purchaseRevenue', restrictedMetricTypes: ['REVENUE_DATA'] },
        { metricName: 'advertiserAdCost', restrictedMetricTypes: ['COST_DATA'] },
      ],
    })
    const [[, [sessions, ...money]]] = (await client.rows(query, RESTRICTED)) as [[string[], string[]]]
    expect([Number(sessions) > 0, money]).toEqual([true, ['0', '0']])
    const [[, free]] = (await client.rows(query, RESTRICTED, 'sandbox-admin')) as [[string[], string[]]]
    expect(Number(free[1])).toBeGreaterThan(0)
    const { body: fields } = await client.get(`v1beta/properties/${RESTRICTED}/metadata`)
    const blocked = fields.metrics.filter((metric: { blockedReasons?: string[] }) => metric.blockedReasons)
    expect(blocked.map((metric: { apiName: string }) => metric.apiName)).toContain('purchaseRevenue')
  })
})

describe('the tree of accounts', () => {
  test('comes in pages, with an account that has no properties', async () => {
    const { body } = await client.get('v1beta/accountSummaries')
    expect(body.accountSummaries).toHaveLength(7)
    expect(body.accountSummaries[0]).toEqual({
      name: 'accountSummaries/314151',
      account: 'accounts/314151',
      displayName: 'Aurora Cosmetics',
      propertySummaries: [
        {
          property: `properties/${AURORA}`,
          displayName: 'Aurora Cosmetics shop - GA4',
          propertyType: 'PROPERTY_TYPE_ORDINARY',
          parent: 'accounts/314151',
        },
      ],
    })
    expect(body.accountSummaries.at(-1)).not.toHaveProperty('propertySummaries')
    const paged: unknown[] = []
    let token = ''
    do {
      const page = await client.get(`v1beta/accountSummaries?pageSize=2&pageToken=${token}`)
      expect(page.body.accountSummaries.length).toBeLessThanOrEqual(2)
      paged.push(...page.body.accountSummaries)
      token = page.body.nextPageToken ?? ''
    } while (token)
    expect(paged).toEqual(body.accountSummaries)
    expect((await client.get('v1beta/accountSummaries?pageToken=guessed')).status).toBe(400)
    expect((await client.get('v1beta/accountSummaries?limit=5')).status).toBe(400)
  })

  test('shows a login only its properties', async () => {
    const read = async (token: string) =>
      JSON.stringify((await client.get('v1beta/accountSummaries', token)).body)
    expect(await read('sandbox-agency')).not.toContain(REVOKED)
    expect(await read('sandbox-admin')).toContain(REVOKED)
  })

  test('has zone, currency and level of a property, and its streams', async () => {
    const { body } = await client.get(`v1beta/properties/${BOREALIS}`)
    expect(body).toMatchObject({
      name: `properties/${BOREALIS}`,
      parent: 'accounts/314152',
      timeZone: 'America/Los_Angeles',
      currencyCode: 'USD',
      serviceLevel: 'GOOGLE_ANALYTICS_STANDARD',
    })
    const streams = await client.get(`v1beta/properties/${BOREALIS}/dataStreams`)
    expect(streams.body.dataStreams[0]).toMatchObject({
      type: 'WEB_DATA_STREAM',
      webStreamData: expect.any(Object),
    })
    expect((await client.get(`v1beta/properties/${BOREALIS}/nothing`)).status).toBe(404)
  })
})

describe('the fields', () => {
  test('are listed for a property, custom ones only where they are registered', async () => {
    const names = async (property: string) => {
      const { body } = await client.get(`v1beta/properties/${property}/metadata`)
      return body.dimensions.map((dimension: { apiName: string }) => dimension.apiName)
    }
    expect(await names(AURORA)).toContain('customEvent:event_category')
    expect(await names(BOREALIS)).not.toContain('customEvent:event_category')
    expect(await names('0')).not.toContain('customEvent:event_category')
    const category = { dimensions: named('customEvent:event_category'), metrics: named('eventCount') }
    expect((await client.rows(category)).map(([[value]]) => value)).toContain('Video')
    expect((await client.report(category, BOREALIS)).body.error.message).toMatch(
      /^Field customEvent:event_category is not a valid dimension\./,
    )
  })

  test('are split by their compatibility with a request', async () => {
    const check = (query: object) => client.post(`v1beta/properties/${AURORA}:checkCompatibility`, query)
    const { body } = await check({ metrics: named('sessions'), compatibilityFilter: 'COMPATIBLE' })
    const names = body.dimensionCompatibilities.map(
      (each: { dimensionMetadata: { apiName: string } }) => each.dimensionMetadata.apiName,
    )
    expect(names).toContain('date')
    expect(names).not.toContain('itemName')
    expect(body.dimensionCompatibilities[0].compatibility).toBe('COMPATIBLE')
    expect((await check({ dimensions: named('itemName'), metrics: named('sessions') })).status).toBe(400)
  })
})

describe('a quota', () => {
  test('shrinks by what a request costs, tenfold for 360', async () => {
    const spent = async (property: string) =>
      (await client.report({ ...SESSIONS, returnPropertyQuota: true }, property)).body.propertyQuota
    expect(await spent(BOREALIS)).toEqual({
      tokensPerDay: { consumed: 2, remaining: 199_998 },
      tokensPerHour: { consumed: 2, remaining: 39_998 },
      concurrentRequests: { remaining: 10 },
      serverErrorsPerProjectPerHour: { remaining: 10 },
      potentiallyThresholdedRequestsPerHour: { remaining: 120 },
      tokensPerProjectPerHour: { consumed: 2, remaining: 13_998 },
    })
    expect((await spent(BOREALIS)).tokensPerHour).toEqual({ consumed: 2, remaining: 39_996 })
    expect((await spent(AURORA)).tokensPerDay.remaining).toBe(1_999_998)
  })

  test('that is used up refuses until the hour is over', async () => {
    await client.control('PUT', 'limits', { ga4_quota: { tokensPerProjectPerHour: 2 } })
    expect((await client.report(SESSIONS)).status).toBe(200)
    const refused = await client.report(SESSIONS)
    expect(refusal(refused)).toEqual([429, 'RESOURCE_EXHAUSTED'])
    expect(refused.body.error.message).toMatch(/^Exhausted property tokens for a project per hour\./)
    await client.control('PUT', 'clock', { now: '2026-11-20T05:00:00Z', speed: 0 })
    expect((await client.report(SESSIONS)).status).toBe(200)
  })

  test('of server errors ends after ten', async () => {
    await client.control('PUT', 'faults', [{ platform: 'ga4', action: 'server_error', count: 10 }])
    for (let count = 0; count < 10; count++)
      expect((await client.report(SESSIONS, BOREALIS)).status).toBe(500)
    const refused = await client.report(SESSIONS, BOREALIS)
    expect([refused.status, refused.body.error.message]).toEqual([
      429,
      expect.stringMatching(/^Exhausted server errors quota\./),
    ])
  })
})

describe('a fault', () => {
  const arm = (...faults: object[]) =>
    client.control(
      'PUT',
      'faults',
      faults.map(fault => ({ platform: 'ga4', ...fault })),
    )

  test.each([
    ['concurrent', 'Exhausted concurrent requests quota.'],
    ['project_hour', 'Exhausted property tokens for a project per hour.'],
    ['hour', 'Exhausted property tokens per hour.'],
    ['day', 'Exhausted property tokens per day.'],
    ['thresholded', 'Exhausted potentially thresholded requests quota.'],
    ['server_errors', 'Exhausted server errors quota.'],
  ])('refuses by quota: %s', async (quota, phrase) => {
    await arm({ action: 'rate_limit', quota })
    const { status, body } = await client.report(SESSIONS)
    expect([status, body.error.status]).toEqual([429, 'RESOURCE_EXHAUSTED'])
    expect(body.error.message.startsWith(phrase)).toBe(true)
  })

  test('fails once, for one property, or says that the API is off', async () => {
    await arm({ action: 'server_error', status: 503, count: 1, account: AURORA })
    expect((await client.report(SESSIONS, BOREALIS)).status).toBe(200)
    expect(refusal(await client.report(SESSIONS))).toEqual([503, 'UNAVAILABLE'])
    expect((await client.report(SESSIONS)).status).toBe(200)
    await arm({ action: 'service_disabled' })
    expect((await client.report(SESSIONS)).body.error).toMatchObject({
      code: 403,
      message: expect.stringContaining('has not been used in project'),
      details: [{ reason: 'SERVICE_DISABLED' }],
    })
    await arm({ action: 'revoked' })
    expect(refusal(await client.report(SESSIONS))).toEqual([403, 'PERMISSION_DENIED'])
    await arm({ action: 'expired_token' })
    expect(refusal(await client.report(SESSIONS))).toEqual([401, 'UNAUTHENTICATED'])
  })

  test('cuts, garbles and truncates', async () => {
    await arm({ action: 'cut' })
    await expect(client.report(SESSIONS)).rejects.toThrow('terminated')
    await arm({ action: 'malformed' })
    await expect(client.report(SESSIONS)).rejects.toThrow(SyntaxError)
    await arm({ action: 'truncated' })
    expect((await client.report(SESSIONS)).body.metadata.dataTruncationReasons).toHaveLength(1)
    expect((await arm({ action: 'explode' })).status).toBe(400)
  })
})

import { gunzipSync } from 'node:zlib'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { APP_ID, APP_SECRET, APP_TOKEN, proofOf } from './access.ts'
import { type Client, startClient } from '#sandbox/testing/meta.ts'
import type { Reply } from '#sandbox/testing/reply.ts'

const TAIPEI = 'act_10150357160960121'
const REVOKED = 'act_10150844730556013'
const EXPIRED = 'act_10150511300771014'
const BASIC =
  'id,account_id,name,account_status,currency,timezone_id,timezone_name,timezone_offset_hours_utc,business'

let client: Client
beforeAll(async () => {
  client = await startClient()
})
afterAll(() => client.sandbox.stop())

const bare = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${client.sandbox.origin}${path}`, { headers })
  return { status: response.status, headers: response.headers, body: await response.json() } as Reply
}
const error = (reply: Reply) => [reply.body.error?.code, reply.body.error?.error_subcode]

describe('a login', () => {
  test('is a header or a parameter', async () => {
    expect((await bare('/v25.0/me?access_token=sandbox-agency')).status).toBe(200)
    expect((await bare('/v25.0/me', { authorization: 'Bearer sandbox-agency' })).status).toBe(200)
    expect(error(await bare('/v25.0/me'))).toEqual([2500, undefined])
    expect(error(await bare('/v25.0/me?access_token=guessed'))).toEqual([190, undefined])
  })

  test('that has expired or was removed is refused with 190', async () => {
    expect(error(await client.get('me/adaccounts', {}, 'sandbox-expired'))).toEqual([190, 463])
    expect(error(await client.get('me/adaccounts', {}, 'sandbox-revoked'))).toEqual([190, 458])
  })

  test('needs no proof, but not a wrong one', async () => {
    const proved = (proof: string) => client.get('me', { appsecret_proof: proof }, 'sandbox-agency')
    expect((await proved(proofOf('sandbox-agency'))).status).toBe(200)
    expect((await proved(proofOf('sandbox-admin'))).body.error.message).toContain('Invalid appsecret_proof')
  })

  test('sees its accounts', async () => {
    const read = async (token: string) => {
      const { body } = await client.get('me/adaccounts', { fields: BASIC, limit: 200 }, token)
      return body.data
    }
    const [agency, admin] = [await read('sandbox-agency'), await read('sandbox-admin')]
    expect([agency.length, admin.length]).toEqual([17, 18])
    expect(agency[0]).toEqual({
      id: TAIPEI,
      account_id: '10150357160960121',
      name: 'Aurora Cosmetics Taiwan',
      account_status: 1,
      currency: 'TWD',
      timezone_id: 136,
      timezone_name: 'Asia/Taipei',
      timezone_offset_hours_utc: 8,
      business: { id: '2030000000000001', name: 'Aurora Cosmetics' },
    })
  })

  test('gets no further than its accounts', async () => {
    expect(error(await client.get(EXPIRED, {}, 'sandbox-agency'))).toEqual([100, 33])
    expect(error(await client.get(`${EXPIRED}/insights`, {}, 'sandbox-admin'))).toEqual([190, 463])
    expect(error(await client.get('act_999', {}))).toEqual([100, 33])
    expect(error(await client.get(`${REVOKED}/insights`))).toEqual([200, undefined])
    expect(error(await client.get(REVOKED))).toEqual([200, undefined])
  })
})

describe('tokens', () => {
  const exchange = (more: Record<string, string>) =>
    bare(
      `/v25.0/oauth/access_token?${new URLSearchParams({ client_id: APP_ID, client_secret: APP_SECRET, ...more })}`,
    )

  test('are exchanged for longer ones', async () => {
    const good = await exchange({ grant_type: 'fb_exchange_token', fb_exchange_token: 'sandbox-agency' })
    expect(good.body).toEqual({ access_token: 'sandbox-agency', token_type: 'bearer', expires_in: 5_183_944 })
    expect(
      error(await exchange({ grant_type: 'fb_exchange_token', fb_exchange_token: 'sandbox-expired' })),
    ).toEqual([190, 463])
    expect(error(await exchange({ client_secret: 'wrong' }))).toEqual([1, undefined])
  })

  test('can be inspected', async () => {
    const debug = async (token: string) =>
      (
        await bare(
          `/v25.0/debug_token?${new URLSearchParams({ input_token: token, access_token: APP_TOKEN })}`,
        )
      ).body.data
    expect(await debug('sandbox-agency')).toMatchObject({
      is_valid: true,
      expires_at: 0,
      scopes: expect.arrayContaining(['ads_read']),
    })
    expect(await debug('sandbox-expired')).toMatchObject({
      is_valid: false,
      error: { code: 190, subcode: 463 },
    })
    expect(await debug('guessed')).toMatchObject({ is_valid: false })
  })
})

describe('the protocol', () => {
  test('knows versions 25 and 26; older ones and none are refused', async () => {
    const of = (path: string) => bare(`${path}?access_token=sandbox-agency`)
    expect((await of('/v26.0/me')).status).toBe(200)
    expect(error(await of('/v24.0/me'))).toEqual([2635, undefined])
    expect(error(await of('/me/adaccounts'))).toEqual([2635, undefined])
  })

  test('has the usage of the account on every response, errors included', async () => {
    for (const parameters of [{}, { fields: 'cost' }]) {
      const { headers } = await client.get(`${TAIPEI}/insights`, parameters)
      const insights = JSON.parse(headers.get('x-fb-ads-insights-throttle') ?? '')
      expect(insights).toEqual({
        app_id_util_pct: expect.any(Number),
        acc_id_util_pct: expect.any(Number),
        ads_api_access_tier: 'standard_access',
      })
      const business = JSON.parse(headers.get('x-business-use-case-usage') ?? '')
      expect(business['10150357160960121'][0]).toMatchObject({
        type: 'ads_insights',
        estimated_time_to_regain_access: 0,
      })
      expect(JSON.parse(headers.get('x-ad-account-usage') ?? '')).toHaveProperty('acc_id_util_pct')
      expect(JSON.parse(headers.get('x-app-usage') ?? '')).toHaveProperty('call_count')
    }
  })

  test('compresses when requested, and only then', async () => {
    const raw = (encoding: string | null) =>
      new Promise<{ encoding: string | undefined; bytes: Buffer }>((resolve, reject) => {
        const headers = {
          authorization: 'Bearer sandbox-agency',
          ...(encoding && { 'accept-encoding': encoding }),
        }
        const address = `${client.sandbox.origin}/v25.0/me/adaccounts?fields=${BASIC}&limit=100`
        request(address, { headers }, async response => {
          const bytes = Buffer.concat(await response.toArray())
          resolve({ encoding: response.headers['content-encoding'], bytes })
        })
          .on('error', reject)
          .end()
      })
    const [plain, zipped] = [await raw(null), await raw('gzip')]
    expect([plain.encoding, zipped.encoding]).toEqual([undefined, 'gzip'])
    expect(gunzipSync(zipped.bytes).length).toBe(plain.bytes.length)
  })

  test('takes a form, or the same as JSON, the id of the node included', async () => {
    const post = async (body: string) => {
      const response = await fetch(`${client.sandbox.origin}/v25.0/${TAIPEI}/insights`, {
        method: 'POST',
        headers: { authorization: 'Bearer sandbox-agency', 'content-type': 'application/json' },
        body,
      })
      return { status: response.status, headers: response.headers, body: await response.json() } as Reply
    }
    const week = { since: '2026-11-02', until: '2026-11-08' }
    const sent = await post(JSON.stringify({ id: TAIPEI, fields: 'spend', time_range: week, limit: 5 }))
    expect(sent.body).toEqual({ report_run_id: expect.any(String) })
    expect(error(await post('{"fields":'))).toEqual([100, undefined])
    expect(error(await post('[]'))).toEqual([100, undefined])
  })

  test('refuses fields, paths and methods that do not exist', async () => {
    expect(error(await client.get(TAIPEI, { fields: 'id,colour' }))).toEqual([100, undefined])
    expect(error(await client.get(TAIPEI, { fields: 'id,' }))).toEqual([100, undefined])
    expect(error(await client.get(`${TAIPEI}/keywords`))).toEqual([2500, undefined])
    expect(error(await client.get('nobody'))).toEqual([803, undefined])
    expect(error(await client.post(`${TAIPEI}/campaigns`, {}))).toEqual([100, 33])
    expect(error(await client.get('me/adaccounts', { search: 'x' }))).toEqual([100, undefined])
  })
})

import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { secretOf } from './access.ts'
import { type Client, sign, startClient } from '#sandbox/testing/line.ts'
import { signerOf } from './signature.ts'

const NOON = '2026-11-20T04:00:00Z'
const KEY = 'LINEADSAMPLE'
const SECRET = 'LINEADSECRETKEYSAMPLE'
const H = 'eyJhbGciOiJIUzI1NiIsImtpZCI6IkxJTkVBRFNBTVBMRSIsInR5cCI6InRleHQvcGxhaW4ifQ=='

/** LINE's own two samples, and one for a report. */
const VECTORS = {
  A: {
    now: '2021-12-22T00:00:00Z',
    path: '/api/v3/adaccounts/A1/campaigns',
    body: undefined,
    payload:
      'ZTNiMGM0NDI5OGZjMWMxNDlhZmJmNGM4OTk2ZmI5MjQyN2FlNDFlNDY0OWI5MzRjYTQ5NTk5MWI3ODUyYjg1NQoKMjAyMTEyMjIKL2FwaS92My9hZGFjY291bnRzL0ExL2NhbXBhaWducw==',
    signature: 'xHzIHHbWvIZUiek7Jy0fuyG6U0FQpobUyFXybcx9t4c=',
  },
  B: {
    now: '2021-12-22T00:00:00Z',
    path: '/api/v3/adaccounts/A1/campaigns',
    body: '{"name":"test","campaignObjective":"VISIT_MY_WEBSITE"}',
    payload:
      'NDljODdjMWViNmU1NTg4NTgyYzEzYjE1MjEyOTczZjZhM2VmNjQ0ODcyZDQ4ZmNhMzI1MmY2OTA0MzUyMmIxYQphcHBsaWNhdGlvbi9qc29uCjIwMjExMjIyCi9hcGkvdjMvYWRhY2NvdW50cy9BMS9jYW1wYWlnbnM=',
    signature: 'Krh1Xh-kWldS-MkOmNH6dmMdkWDTBVmnkDCZHlMRUoo=',
  },
  C: {
    now: '2026-11-01T00:00:00Z',
    path: '/api/v3/adaccounts/A1/pfreports',
    body: '{"level":"CAMPAIGN","since":"2026-10-01","until":"2026-10-31","breakdown":{"time":"DAY"},"filtering":{"idType":"ADACCOUNT","ids":["A1"]},"includeRemove":true,"fileFormat":"CSV","locale":"en"}',
    payload:
      'OTY3OTM0OTY0OTUxZmU1Yjg3OTIzMDQyMTgwNzY5MjMyNjRhOGY4YWZhNzA1ODdhNGFlNTBiZjVlMTAyOTg4MwphcHBsaWNhdGlvbi9qc29uCjIwMjYxMTAxCi9hcGkvdjMvYWRhY2NvdW50cy9BMS9wZnJlcG9ydHM=',
    signature: 'fSwkdKOUUZmZsl--VIMrUDnePG_lPriqKY4ldBlX2h4=',
  },
} as const

let client: Client
beforeAll(async () => {
  client = await startClient(NOON)
})
afterEach(() => at(NOON))
afterAll(() => client.sandbox.stop())

const at = (now: string) => client.control('PUT', 'clock', { now, speed: 0 })
const json = { 'content-type': 'application/json' }

describe.each(Object.entries(VECTORS))('vector %s', (_, { now, path, body, payload, signature }) => {
  const method = body === undefined ? 'GET' : 'POST'
  const headers = (token: string) => ({
    date: new Date(now).toUTCString(),
    authorization: `Bearer ${token}`,
    ...(body !== undefined && json),
  })
  const status = async (token: string) => {
    await at(now)
    return (await client.bare(path, method, headers(token), body)).status
  }

  test('is what the test client signs', () => {
    const signed = sign({ key: KEY, secret: SECRET, path, body, now: new Date(now) })
    expect(signed.authorization).toBe(`Bearer ${H}.${payload}.${signature}`)
  })

  test('is accepted as it is and without padding, and the key is known', async () => {
    const request = {
      headers: headers(`${H}.${payload}.${signature}`),
      path,
      body: Buffer.from(body ?? ''),
      now: Date.parse(now),
    }
    expect(signerOf(request, secretOf)).toBe(KEY)
    expect(await status(`${H}.${payload}.${signature}`)).not.toBe(401)
    const bare = [H, payload].map(part => part.replaceAll('=', '')).join('.')
    const { authorization } = signedOver(bare)
    expect(await status(authorization)).not.toBe(401)
  })

  test('with one letter changed is refused', async () => {
    const changed = signature.startsWith('x') ? `y${signature.slice(1)}` : `x${signature.slice(1)}`
    expect(await status(`${H}.${payload}.${changed}`)).toBe(401)
    expect(await status(`${H}.${payload.replace('Z', 'Y')}.${signature}`)).toBe(401)
  })
})

/** Signed over H.P exactly as it goes out. */
function signedOver(signed: string): { authorization: string } {
  const signature = createHmac('sha256', SECRET).update(signed).digest('base64url')
  return { authorization: `${signed}.${signature}` }
}

describe('a request is refused with 401', () => {
  const path = '/api/v3/codes/os'
  const good = (more: Partial<Parameters<typeof sign>[0]> = {}) =>
    sign({ key: 'sandbox-agency', secret: 'sandbox-agency', path, now: new Date(NOON), ...more })
  const get = async (headers: Record<string, string>, target = path) =>
    (await client.bare(target, 'GET', headers)).status

  test('unless it is signed', async () => {
    expect(await get(good())).toBe(200)
    expect(await get({ date: new Date(NOON).toUTCString() })).toBe(401)
    expect(await get({ ...good(), authorization: 'Bearer sandbox-agency' })).toBe(401)
    expect((await client.bare(path, 'GET', {})).body).toEqual({
      errors: [{ reason: 'AUTHENTICATION_FAILED' }],
    })
  })

  test('for an unknown key and a wrong secret', async () => {
    expect(await get(good({ key: 'somebody' }))).toBe(401)
    expect(await get(good({ key: 'constructor' }))).toBe(401)
    expect(await get(good({ secret: 'guessed' }))).toBe(401)
  })

  test('for another path: without /api, with the query, of another resource', async () => {
    expect(await get(good({ path: '/v3/codes/os' }))).toBe(401)
    const target = '/api/v3/groups/G10000000001/adaccounts?size=5'
    expect(await get(good({ path: target }), target)).toBe(401)
    expect(await get(good({ path: target.split('?')[0] ?? '' }), target)).toBe(200)
  })

  test('for a clock more than 15 minutes off, and for the day of another', async () => {
    const minutes = (count: number) => new Date(Date.parse(NOON) + count * 60_000)
    for (const count of [-15, 15]) expect(await get(good({ now: minutes(count) }))).toBe(200)
    for (const count of [-16, 16]) expect(await get(good({ now: minutes(count) }))).toBe(401)
    await at('2026-11-20T23:55:00Z')
    const tomorrow = new Date('2026-11-21T00:01:00Z')
    const [signed, sent] = [good({ now: new Date('2026-11-20T23:55:00Z') }), good({ now: tomorrow })]
    expect(await get(sent)).toBe(200)
    expect(await get({ ...signed, date: sent.date })).toBe(401)
    expect(await get({ ...sent, date: '2026-11-21T00:01:00Z' })).toBe(401)
    const { authorization } = sent
    expect(await get({ authorization })).toBe(401)
  })

  test('for a body that is not the one that was hashed, or of another type', async () => {
    const target = '/api/v3/adaccounts/A37000000037/pfreports'
    const body = '{"level":"AD"}'
    const signed = good({ path: target, body })
    const post = async (headers: Record<string, string>, text: string) =>
      (await client.bare(target, 'POST', headers, text)).status
    expect(await post({ ...signed, ...json }, body)).toBe(400)
    expect(await post({ ...signed, ...json }, '{"level": "AD"}')).toBe(401)
    expect(await post({ ...signed, 'content-type': 'text/plain' }, body)).toBe(401)
    expect(await post({ ...good({ path: target }), ...json }, body)).toBe(401)
  })
})

import { generateKeyPairSync } from 'node:crypto'
import { decodeProtectedHeader, importSPKI, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import type { QuotaKey, ConnectorContext } from '#server/connectors/connector.ts'
import { GoogleLogin, googleToken, projectOf } from './google-token.ts'
import { startServer } from '#server/connectors/testing/server.ts'
import { testContext } from '#server/connectors/testing/context.ts'

const NOW = '2026-11-21T04:00:00Z'
const SCOPE = 'https://www.googleapis.com/auth/analytics.readonly'
const consent = { client_id: '1000-x.apps.example', client_secret: 'GOCSPX-1', refresh_token: '1//1' }
const keys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const serviceAccount = {
  client_email: 'reports@acme-1.iam.gserviceaccount.com',
  private_key: keys.privateKey,
  private_key_id: 'k1',
}
const withKey = (key: object) => GoogleLogin.parse({ service_account_key: JSON.stringify(key) })

/** A token service with given responses; records what it was sent. */
async function serving(
  status: number,
  body: object,
): Promise<{ context: ConnectorContext; sent: URLSearchParams[] }> {
  const sent: URLSearchParams[] = []
  const origin = await startServer(async (incoming, response) => {
    sent.push(new URLSearchParams(Buffer.concat(await Array.fromAsync(incoming)).toString()))
    response.writeHead(status).end(JSON.stringify(body))
  })
  return { context: testContext(origin, NOW), sent }
}
const granting = () => serving(200, { access_token: 'ya29.1', expires_in: 3599 })

describe("Google's token service", () => {
  it('is sent a consent as it is, once for as long as the token is good', async () => {
    const { context, sent } = await granting()
    const first = await googleToken(consent, SCOPE, context)
    expect(first.token).toBe('ya29.1')
    await googleToken(consent, SCOPE, context)
    expect(sent.map(each => Object.fromEntries(each))).toEqual([{ grant_type: 'refresh_token', ...consent }])
    first.drop()
    await googleToken(consent, SCOPE, context)
    expect(sent.length).toBe(2)
  })

  it('is sent what a service account has signed for an hour, and never its key', async () => {
    const { context, sent } = await granting()
    await googleToken(withKey(serviceAccount), SCOPE, context)
    const { grant_type, assertion = '' } = Object.fromEntries(sent[0] ?? [])
    expect(grant_type).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer')
    expect(decodeProtectedHeader(assertion)).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'k1' })
    const key = await importSPKI(keys.publicKey, 'RS256')
    const { payload } = await jwtVerify(assertion, key, { currentDate: new Date(NOW) })
    const iat = Date.parse(NOW) / 1000
    expect(payload).toEqual({
      iss: serviceAccount.client_email,
      scope: SCOPE,
      aud: context.hosts.google_token,
      iat,
      exp: iat + 3600,
    })
    expect(sent.join()).not.toContain('PRIVATE')
  })

  it('is requested through the limiter, by a key that reveals nothing of the login', async () => {
    const { context } = await granting()
    const quotaKeys: QuotaKey[] = []
    const acquire = async (key: QuotaKey) => void quotaKeys.push(key)
    await googleToken(consent, SCOPE, { ...context, limiter: { ...context.limiter, acquire } })
    expect(quotaKeys).toEqual([{ platform: 'google_token', kind: 'credential', id: expect.any(String) }])
    expect(JSON.stringify(quotaKeys)).not.toMatch(/GOCSPX|1\/\/1/)
  })

  it('is not requested for a minute after too many requests', async () => {
    const { context } = await serving(429, { error: 'rate_limit' })
    const pauses: number[] = []
    const report: ConnectorContext['limiter']['report'] = async (_, { pause_ms }) =>
      void pauses.push(pause_ms)
    await expect(
      googleToken(consent, SCOPE, { ...context, limiter: { ...context.limiter, report } }),
    ).rejects.toMatchObject({ code: 'quota_exhausted', retry_after_ms: 60_000 })
    expect(pauses).toEqual([60_000])
  })

  it.each([
    [400, 'invalid_grant', 'credential_expired'],
    [401, 'invalid_client', 'credential_expired'],
    [401, 'deleted_client', 'credential_expired'],
    [401, 'disabled_client', 'credential_expired'],
    [400, 'admin_policy_enforced', 'credential_expired'],
    [400, 'invalid_request', 'platform_error'],
    [429, 'rate_limit', 'quota_exhausted'],
    [503, 'unavailable', 'platform_unavailable'],
    [400, 'bad token 1//1', 'platform_error'],
  ])('that refuses with HTTP %i and %s ends as %s', async (status, error, code) => {
    const { context } = await serving(status, { error, error_description: 'about 1//1' })
    const failure: unknown = await googleToken(consent, SCOPE, context).catch((thrown: unknown) => thrown)
    const platform_message = error.includes(' ') ? `token endpoint: HTTP ${status}` : error
    expect(failure).toMatchObject({ code, platform_message })
  })
})

describe('a login to Google', () => {
  it.each([
    ['a key that was cut', { ...serviceAccount, private_key: keys.privateKey.slice(0, 400) }],
    ['a key of another kind', { ...serviceAccount, private_key: keys.publicKey }],
    ['nobody', { ...serviceAccount, client_email: undefined }],
  ])('is none with %s', (_, key) => {
    expect(() => withKey(key)).toThrow('service_account_key')
  })

  it('has the project that Google counts for', () => {
    expect(projectOf(consent)).toBe('1000')
    expect(projectOf(withKey(serviceAccount))).toBe('acme-1')
  })
})

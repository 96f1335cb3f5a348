import { createSign } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { mountSpreadsheets } from '#sandbox/spreadsheets.ts'
import {
  AURORA,
  destination,
  ingestion,
  members,
  pathOf,
  refusalOf,
  startClient,
} from '#sandbox/testing/data-manager.ts'
import { resetAfterEach } from '#sandbox/testing/reset.ts'

const dir = mkdtempSync(join(tmpdir(), 'data-manager-'))
afterAll(() => rmSync(dir, { recursive: true }))
const client = resetAfterEach(await startClient({ mount: shared => [mountSpreadsheets(dir, shared)] }))

const LISTS = `${pathOf(AURORA)}/userLists`
const arm = (...faults: object[]) =>
  client.control(
    'PUT',
    'faults',
    faults.map(fault => ({ platform: 'data_manager', ...fault })),
  )

describe('a token', () => {
  const tokenFor = async (form: Record<string, string>) => {
    const response = await fetch(`${client.sandbox.origin}/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    })
    return z.object({ access_token: z.string() }).parse(await response.json()).access_token
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
  const listed = (token: string) =>
    client.call('GET', LISTS, undefined, {
      authorization: `Bearer ${token}`,
      'login-account': pathOf('1110000001'),
    })

  test('is a login of the sandbox, or one of the token endpoint with the scope datamanager', async () => {
    expect((await listed('sandbox-admin')).status).toBe(200)
    const scopes = 'https://www.googleapis.com/auth/'
    expect((await listed(await tokenFor(assertion(`${scopes}datamanager`)))).status).toBe(200)
    const refused = await listed(await tokenFor(assertion(`${scopes}adwords`)))
    expect(refusalOf(refused)).toEqual([403, 'ACCESS_TOKEN_SCOPE_INSUFFICIENT'])
    const consent = {
      grant_type: 'refresh_token',
      client_id: '100000000000-sandbox.apps.googleusercontent.com',
      client_secret: 'GOCSPX-sandbox-client-secret',
      refresh_token: 'sandbox-agency',
    }
    expect((await listed(await tokenFor(consent))).status).toBe(200)
    expect(refusalOf(await listed('guessed'))).toEqual([401, 'ACCESS_TOKEN_INVALID'])
    const missing = await client.call('GET', LISTS, undefined, { authorization: '' })
    expect(refusalOf(missing)).toEqual([401, 'CREDENTIALS_MISSING'])
  })
})

test('a person who agreed sees the lists of their own accounts', async () => {
  const status = async (email: string) =>
    (await client.call('GET', LISTS, undefined, { authorization: `Bearer sandbox-user:${email}` })).status
  expect(await status('analyst@agency.demo')).toBe(200)
  expect(await status('admin@cedar.demo')).toBe(403)
  expect(await status('someone@mail.demo')).toBe(403)
})

describe('the quota of a project', () => {
  test('is 300 changes of members a minute, and another one of everything else', async () => {
    const list = await client.createList('VIP')
    const ingest = () => client.call('POST', 'audienceMembers:ingest', ingestion(list, members(1)))
    for (let sent = 0; sent < 300; sent += 1) await ingest()
    const refused = await ingest()
    expect(refusalOf(refused)).toEqual([429, 'RESOURCE_EXHAUSTED'])
    expect(refused.body.error.details[0].metadata).toMatchObject({
      quota_limit: 'IngestionMutateRequestsPerMinutePerProject',
    })
    expect((await client.call('GET', LISTS)).status).toBe(200)
    client.sandbox.clock.set({ now: client.sandbox.clock.now() + 60_000 })
    expect((await ingest()).status).toBe(200)
  })

  test('can be made smaller', async () => {
    await client.control('PUT', 'limits', { data_manager_quota: { others_per_day: 1 } })
    expect((await client.call('GET', LISTS)).status).toBe(200)
    const refused = await client.call('GET', LISTS)
    expect(refused.body.error.details[0].metadata.quota_limit).toBe('RequestsPerDayPerProject')
  })
})

describe('faults', () => {
  test('refuse by a reason, a status or a quota', async () => {
    const answered = async (fault: object) => {
      await arm(fault)
      return refusalOf(await client.call('GET', LISTS))
    }
    const declaration = 'EU_POLITICAL_ADVERTISING_DECLARATION_REQUIRED'
    expect(await answered({ action: 'error', reason: declaration })).toEqual([400, declaration])
    expect(await answered({ action: 'rate_limit' })).toEqual([429, 'RESOURCE_EXHAUSTED'])
    expect(await answered({ action: 'server_error', status: 503 })).toEqual([503, 'UNAVAILABLE'])
    expect(await answered({ action: 'expired_token' })).toEqual([401, 'ACCESS_TOKEN_EXPIRED'])
    expect(await answered({ action: 'revoked', account: AURORA })).toEqual([403, 'PERMISSION_DENIED'])
    await arm({ action: 'revoked', account: '4203141502' })
    expect((await client.call('GET', LISTS)).status).toBe(200)
  })

  test('cut the connection after a batch was used, or fail its processing', async () => {
    await client.control('PUT', 'limits', { data_manager_filling_s: 0 })
    const list = await client.createList('VIP')
    const ingest = () => client.call('POST', 'audienceMembers:ingest', ingestion(list, members(10)))
    await arm({ action: 'cut', path: 'ingest', count: 1 })
    await expect(ingest()).rejects.toThrow(/terminated|fetch failed/)
    const { body } = await client.call('GET', `${LISTS}/${list}`)
    expect(body.sizeInfo.searchNetworkMembersCount).toBe('6')
    await arm({ action: 'processing_failed' })
    const { requestId } = (await ingest()).body
    expect((await client.statusOf(requestId)).requestStatusPerDestination).toMatchObject([
      { requestStatus: 'FAILED', errorInfo: { errorCounts: [{ recordCount: '10' }] } },
    ])
  })
})

describe('what is not emulated', () => {
  test('is answered by 501 that names it, and listed', async () => {
    const { body } = await client.control('GET', 'not-emulated')
    const names = body.not_emulated.map(({ name }: { name: string }) => name)
    const refusal = async (path: string, message: object) => {
      const { status, body: refused } = await client.call('POST', path, message)
      return [status, names.some((name: string) => refused.error.message.includes(name))]
    }
    const list = await client.createList('VIP')
    expect(await refusal('events:ingest', {})).toEqual([501, true])
    const address = { userData: { userIdentifiers: [{ address: { postalCode: '100' } }] } }
    expect(await refusal('audienceMembers:ingest', ingestion(list, [address]))).toEqual([501, true])
    const base64 = { ...ingestion(list, members(1)), encoding: 'BASE64' }
    expect(await refusal('audienceMembers:ingest', base64)).toEqual([501, true])
    const partner = destination(list, { loginAccount: { accountType: 'DATA_PARTNER', accountId: '1' } })
    const through = { ...ingestion(list, members(1)), destinations: [partner] }
    expect(await refusal('audienceMembers:ingest', through)).toEqual([501, true])
    expect(await refusal(`${pathOf(AURORA)}/partnerLinks`, {})).toEqual([501, true])
    expect(await refusal('accountTypes/DATA_PARTNER/accounts/1/userLists', {})).toEqual([501, true])
    expect((await client.call('GET', 'audienceMembers:list')).status).toBe(404)
  })
})

test('the log has counts of what was sent, and no hash of it', async () => {
  const list = await client.createList('VIP')
  await client.call('POST', 'audienceMembers:ingest', ingestion(list, members(3)))
  const { body } = await client.control('GET', 'requests')
  expect(body.requests.at(-1)).toMatchObject({
    platform: 'data_manager',
    account: AURORA,
    counts: { destinations: 1, members: 3, identifiers: 6 },
  })
  expect(JSON.stringify(body)).not.toMatch(/[\da-f]{64}/)
})

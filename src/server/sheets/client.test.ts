import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, expect, it, vi } from 'vitest'
import type { SheetsClient } from './client.ts'
import { testService } from './testing/service.ts'

const service = await testService()

async function spreadsheet() {
  const id = await service.owner.create()
  await service.owner.share(id, service.system_user)
  return id
}
const read = (client: SheetsClient, id: string, signal?: AbortSignal) =>
  client.getSpreadsheet(id, { fields: 'spreadsheetId' }, signal)
const retitle = (client: SheetsClient, id: string) =>
  client.batchUpdate(id, [
    Buffer.from(
      '{"requests":[{"updateSheetProperties":{"properties":{"sheetId":0,"title":"T"},"fields":"title"}}]}',
    ),
  ])

describe('the system user', () => {
  it('signs in once for many requests, also when they start together', async () => {
    const id = await spreadsheet()
    const client = service.client()
    service.takeRequests()
    await Promise.all([read(client, id), read(client, id), read(client, id)])
    await read(client, id)
    expect(service.takeRequests().filter(request => request === 'POST /token')).toHaveLength(1)
  })

  it('signs in again when its token is refused, and carries on', async () => {
    const id = await spreadsheet()
    const client = service.client()
    await read(client, id)
    service.control.revokeTokens()
    await retitle(client, id)
    service.control.setFaults([{ platform: 'sheets', action: 'expired_token', count: 2 }])
    await expect(read(client, id)).rejects.toMatchObject({ code: 'internal_error', why: 'unauthenticated' })
  })

  it('reports a setup problem when the key is not the right one', async () => {
    const { privateKey: private_key } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    })
    const client = service.client({ key: { ...service.settings.key, private_key } })
    await expect(read(client, await spreadsheet())).rejects.toMatchObject({
      code: 'internal_error',
      why: 'configuration',
    })
  })

  it('waits for a token service that cannot be reached', async () => {
    const client = service.client({ google_token_url: 'http://127.0.0.1:1/token' })
    await expect(retitle(client, await spreadsheet())).rejects.toMatchObject({
      code: 'spreadsheet_unavailable',
      ambiguous: false,
    })
  })
})

describe('a missing response', () => {
  it.each([
    ['drop_before_commit', true],
    ['drop_after_commit', true],
    ['truncate', true],
    ['500', true],
    ['503', true],
    ['429', false],
    ['forbidden', false],
  ])('leaves the outcome of a write unknown after %s: %s', async (action, ambiguous) => {
    const id = await spreadsheet()
    service.control.setFaults([{ platform: 'sheets', method: 'POST', action }])
    await expect(retitle(service.client(), id)).rejects.toMatchObject({ ambiguous })
  })

  it('is given up on after the time-out', async () => {
    const id = await spreadsheet()
    const client = service.client({ timeout_ms: 200 })
    await read(client, id)
    service.control.setFaults([{ platform: 'sheets', action: 'delay', delay_ms: 600, count: 2 }])
    await expect(retitle(client, id)).rejects.toMatchObject({
      code: 'spreadsheet_unavailable',
      ambiguous: true,
    })
    await expect(read(client, id)).rejects.toMatchObject({
      code: 'spreadsheet_unavailable',
      ambiguous: false,
    })
    await service.settled()
  })

  it('is known not to have been sent when the connection is refused', async () => {
    const client = service.client({ google_sheets_base_url: 'http://127.0.0.1:1' })
    await expect(retitle(client, 'x'.repeat(44))).rejects.toMatchObject({ ambiguous: false })
  })

  it('is not waited for by an aborted read, before it was sent or after', async () => {
    const id = await spreadsheet()
    const client = service.client()
    for (const has_begun of [false, true]) {
      const stop = new AbortController()
      service.takeRequests()
      service.control.setFaults([{ platform: 'sheets', action: 'delay', delay_ms: 4000 }])
      const reading = read(client, id, stop.signal).catch((error: unknown) => error)
      if (has_begun)
        await vi.waitUntil(() => service.takeRequests().some(request => request.startsWith('GET')), 120_000)
      stop.abort(new Error('cancelled'))
      expect(await reading).toEqual(new Error('cancelled'))
    }
  })
})

it('sends the parts of a body as one, with its length, and all of them again after a new sign-in', async () => {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    const isSignIn = request.url === '/token'
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      const length = request.headers['content-length']
      if (!isSignIn) bodies.push(`${request.headers['transfer-encoding'] ?? 'whole'} ${length} ${body}`)
      response.writeHead(bodies.length === 1 && !isSignIn ? 401 : 200, { 'content-type': 'application/json' })
      response.end('{"access_token":"t","expires_in":3600,"spreadsheetId":"S"}')
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const origin = `http://127.0.0.1:${address.port}`
  const client = service.client({ google_sheets_base_url: origin, google_token_url: `${origin}/token` })
  const parts = ['{"values":', '[["字"]', ',', '["b"]]', '}'].map(part => Buffer.from(part))
  await client.putValues('S', "'T'!A1", parts)
  expect(bodies).toEqual(Array(2).fill('whole 26 {"values":[["字"],["b"]]}'))
  server.close()
})

it('keeps token and body out of a failure', async () => {
  const id = await spreadsheet()
  service.control.setFaults([{ platform: 'sheets', method: 'POST', action: '500' }])
  const failure: unknown = await retitle(service.client(), id).catch((error: unknown) => error)
  const printed = JSON.stringify(failure, Object.getOwnPropertyNames(failure)) + String(failure)
  expect(printed).not.toMatch(/ya29|updateSheetProperties|Bearer/)
})

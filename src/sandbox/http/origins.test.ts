import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '#sandbox/sandbox.ts'
import { mountSpreadsheets } from '#sandbox/spreadsheets.ts'

const dir = mkdtempSync(join(tmpdir(), 'sandbox-'))
let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ mount: shared => [mountSpreadsheets(dir, shared)] })
})
afterAll(async () => {
  await sandbox.stop()
  rmSync(dir, { recursive: true, force: true })
})

/** One request with headers that fetch would not let through. */
const client = (method: string, path: string, headers: Record<string, string>) =>
  new Promise<number>((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port: sandbox.port, method, path, headers }, response => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    outgoing.on('error', reject).end(method === 'POST' ? '{}' : undefined)
  })

/** One call of each service; any client may use the `sandbox-user:` token. */
const calls = [
  ['GET', '/control/faults'],
  ['POST', '/control/revoke-tokens'],
  ['POST', '/v4/spreadsheets'],
  ['GET', '/drive/v3/files'],
  ['GET', '/v25.0/me'],
  ['GET', '/spreadsheets/'],
] as const
const person = { authorization: 'Bearer sandbox-user:manager@sheetcast.demo' }
const agency = { authorization: 'Bearer sandbox-admin' }

test.each(calls)('%s %s is for this machine and its own pages', async (method, path) => {
  const own = `127.0.0.1:${sandbox.port}`
  const statusFor = (headers: Record<string, string>) =>
    client(method, path, { host: own, ...(path.startsWith('/v25.0') ? agency : person), ...headers })
  expect(await statusFor({})).toBe(200)
  expect(await statusFor({ origin: `http://${own}`, 'sec-fetch-site': 'same-origin' })).toBe(200)
  expect(await statusFor({ host: `localhost:${sandbox.port}` })).toBe(200)

  for (const host of ['rebound.example', '127.0.0.1.rebound.example', 'localhost.rebound.example:80'])
    expect([host, await statusFor({ host })]).toEqual([host, 403])
  for (const origin of ['https://evil.example', 'null', 'http://localhost:3000', `https://${own}`])
    expect([origin, await statusFor({ origin })]).toEqual([origin, 403])
  // A picture or a frame on another site, and on another port of this machine.
  for (const site of ['cross-site', 'same-site'])
    for (const kind of [
      { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
      { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    ])
      expect(await statusFor({ 'sec-fetch-site': site, ...kind })).toBe(403)
})

test('a link from elsewhere may lead to a page', async () => {
  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  expect(await client('GET', '/control', { host: `localhost:${sandbox.port}`, ...link })).toBe(200)
})

test('no page of another site may read a response', async () => {
  const response = await fetch(`${sandbox.origin}/drive/v3/files`, { headers: person })
  expect([...response.headers.keys()].filter(name => name.startsWith('access-control-'))).toEqual([])
})

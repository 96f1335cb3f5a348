import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemUsers } from './oauth/key-pair.ts'
import { type Sandbox, startSandbox } from './sandbox.ts'
import { mountSpreadsheets } from './spreadsheets.ts'

const dir = mkdtempSync(join(tmpdir(), 'sandbox-'))
let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ mount: shared => [mountSpreadsheets(dir, shared)] })
})
afterAll(async () => {
  await sandbox.stop()
  rmSync(dir, { recursive: true, force: true })
})

async function control(method: string, path: string, body?: unknown) {
  const response = await fetch(`${sandbox.origin}/control/${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}
const create = () =>
  fetch(`${sandbox.origin}/v4/spreadsheets`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer sandbox-user:staff@sheetcast.demo',
      'content-type': 'application/json',
    },
    body: '{}',
  })

test('a fault of the spreadsheets is theirs, one of Meta is not', async () => {
  const faults = [
    { platform: 'sheets', action: '503', count: 1 },
    { platform: 'meta', action: 'expired_token' },
  ]
  expect((await control('PUT', 'faults', faults)).body).toMatchObject({
    faults: [{ platform: 'meta' }, { platform: 'sheets', action: '503', count: 1 }],
  })
  expect((await create()).status).toBe(503)
  expect((await create()).status).toBe(200)
})

test('a list with one wrong fault changes nothing', async () => {
  const before = await control('GET', 'faults')
  const wrong = [
    { platform: 'meta', action: 'cut' },
    { platform: 'sheets', action: 'explode' },
  ]
  expect((await control('PUT', 'faults', wrong)).status).toBe(400)
  expect(await control('GET', 'faults')).toEqual(before)
})

test('limits are lowered and go back with a reset, which may spare the spreadsheets', async () => {
  await control('PUT', 'limits', { quota: { per_user: 1 }, cell_limit: 1000 })
  expect((await control('GET', 'limits')).body).toMatchObject({
    quota: { per_user: 1, per_project: 300 },
    cell_limit: 1000,
  })
  expect((await control('PUT', 'limits', { quota: { per_user: 0 } })).status).toBe(400)
  await control('POST', 'reset', { keep_files: true })
  const made = await (await create()).json()
  expect((await control('GET', 'limits')).body).toMatchObject({ quota: { per_user: 60 } })
  await control('POST', 'reset', { keep_files: true })
  const { spreadsheetId: id } = made as { spreadsheetId: string }
  const read = () =>
    fetch(`${sandbox.origin}/v4/spreadsheets/${id}`, {
      headers: { authorization: 'Bearer sandbox-user:staff@sheetcast.demo' },
    })
  expect((await read()).status).toBe(200)
  await control('POST', 'reset')
  expect((await read()).status).toBe(404)
})

test('each system user has a key file, and removed ones have none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'))
  const emailsWith = async (count: number) => {
    const { stop } = await startSandbox({
      mount: shared => [mountSpreadsheets(folder, shared, systemUsers(count))],
    })
    await stop()
    const files = readdirSync(folder).filter(name => name.startsWith('service-account'))
    return files
      .map(name => String(JSON.parse(readFileSync(join(folder, name), 'utf8')).client_email))
      .toSorted()
  }
  expect(await emailsWith(2)).toEqual(systemUsers(2).toSorted())
  expect(await emailsWith(1)).toEqual(systemUsers(1))
  rmSync(folder, { recursive: true })
})

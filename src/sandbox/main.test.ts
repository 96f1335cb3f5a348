import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Worker } from 'node:worker_threads'
import { afterAll, expect, test } from 'vitest'

const dir = mkdtempSync(join(tmpdir(), 'sandbox-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const program = new URL('./main.ts', import.meta.url)
const start = (env: Record<string, string>) =>
  spawn(process.execPath, [program.pathname], {
    env: { PATH: process.env['PATH'], SANDBOX_DIR: dir, ...env },
  })
const ready = (text: unknown) => JSON.parse(String(text)) as { type: string; port: number }

test('the program prints its port, serves requests, and stops on SIGTERM', async () => {
  const child = start({})
  const [line] = await once(createInterface(child.stdout), 'line')
  const { type, port } = ready(line)
  expect(type).toBe('ready')
  const address = `http://127.0.0.1:${port}`
  expect((await fetch(`${address}/control/clock`)).status).toBe(200)
  const created = await fetch(`${address}/v4/spreadsheets`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer sandbox-user:staff@sheetcast.demo',
      'content-type': 'application/json',
    },
    body: '{}',
  })
  expect(created.status).toBe(200)
  const key = JSON.parse(readFileSync(join(dir, 'service-account.json'), 'utf8'))
  expect(key).toMatchObject({
    type: 'service_account',
    client_email: 'sheetcast@sheetcast-sandbox.iam.gserviceaccount.com',
    token_uri: `${address}/token`,
  })
  const log = await (await fetch(`${address}/control/requests`)).json()
  expect(log).toMatchObject({ totals: { sheets: { requests: 1 } } })
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})

test('a worker thread sends its port and stops on a message', async () => {
  const worker = new Worker(program, { env: { SANDBOX_DIR: dir } })
  const [message] = await once(worker, 'message')
  expect(message).toMatchObject({ type: 'ready', port: expect.any(Number) })
  worker.postMessage('stop')
  expect(await once(worker, 'exit')).toEqual([0])
})

test('a port that is taken is reported, and ends the program', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const child = start({ SANDBOX_PORT: String(port) })
  const [line] = await once(createInterface(child.stderr), 'line')
  expect(line).toContain(`port ${port} is taken`)
  expect(await once(child, 'exit')).toEqual([1, null])
  server.close()
})

test('an address that others could reach is refused', async () => {
  const child = start({ HOST: '0.0.0.0' })
  expect(await once(child, 'exit')).toEqual([1, null])
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { testPort } from '#server/testing/port.ts'

export interface RunningProduct {
  origin: string
  sandbox: string
  /** Everything it has printed. */
  output(): string
  stop(): Promise<void>
}

export interface ProductProcess extends RunningProduct {
  pid: number
  /** Its environment, for a command beside it. */
  env: Record<string, string>
}

/** On ports of its own; only errors are printed, and one of the demo's people may send many requests. */
export const settingsOfTests = async () => ({
  PORT: String(await testPort()),
  SANDBOX_PORT: String(await testPort()),
  LOG_LEVEL: 'warn',
  WRITES_PER_MINUTE: '100000',
})

/** The product as its README starts it, in an empty data folder; ready when a report could run. */
export async function startProduct(env: Record<string, string> = {}): Promise<ProductProcess> {
  const folder = newFolder()
  const settings = await settingsOfTests()
  const environment = {
    PATH: process.env.PATH ?? '',
    ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
    DATA_DIR: join(folder, 'data'),
    ...settings,
    ...env,
  }
  const child = spawn(process.execPath, ['src/cli/sheetcast.ts', 'serve'], {
    cwd: join(import.meta.dirname, '..'),
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (output += bytes))
  const exited = once(child, 'exit')
  const origin = `http://localhost:${settings.PORT}`
  const ended = exited.then(([code]) => {
    throw new Error(`the product ended with ${code} before it was ready:\n${output}`)
  })
  await Promise.race([untilReady(`${origin}/readyz`), ended])
  ended.catch(() => undefined)
  return {
    origin,
    sandbox: sandboxOf(settings),
    pid: child.pid ?? 0,
    env: environment,
    output: () => output,
    async stop() {
      child.kill('SIGTERM')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const sandboxOf = ({ SANDBOX_PORT }: { SANDBOX_PORT: string }) => `http://127.0.0.1:${SANDBOX_PORT}`

/** Started as root, the database runs as another user, who must reach it. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sheetcast-e2e-'))
  chmodSync(folder, 0o755)
  return folder
}

export async function untilReady(url: string) {
  for (;;) {
    const response = await fetch(url).catch(() => null)
    if (response?.ok) return
    await sleep(100)
  }
}

/** Changes or reads a setting of a product's sandbox: faults, limits, the clock. */
export async function control(
  { sandbox }: Pick<RunningProduct, 'sandbox'>,
  path: string,
  { method = 'PUT', body }: { method?: string; body?: unknown },
): Promise<unknown> {
  const response = await fetch(`${sandbox}/control/${path}`, {
    method,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  if (!response.ok) throw new Error(await response.text())
  return await response.json()
}

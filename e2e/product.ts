import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '#server/free-port.ts'

export interface RunningProduct {
  origin: string
  sandbox: string
  pid: number
  /** Its environment, for a command beside it. */
  env: Record<string, string>
  /** Everything it has printed. */
  output(): string
  stop(): Promise<void>
}

/** The product as its README starts it, in an empty data folder on ports of its own; ready when a report could run. */
export async function startProduct(env: Record<string, string> = {}): Promise<RunningProduct> {
  const folder = mkdtempSync(join(tmpdir(), 'sheetcast-e2e-'))
  // Started as root, the database runs as another user, who must reach it.
  chmodSync(folder, 0o755)
  const [port, sandbox_port] = [await freePort(), await freePort()]
  const environment = {
    PATH: process.env.PATH ?? '',
    ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
    PORT: String(port),
    SANDBOX_PORT: String(sandbox_port),
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'warn',
    // One of the demo's people does what many would.
    WRITES_PER_MINUTE: '100000',
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
  const origin = `http://localhost:${port}`
  const ended = exited.then(([code]) => {
    throw new Error(`the product ended with ${code} before it was ready:\n${output}`)
  })
  await Promise.race([untilReady(`${origin}/readyz`), ended])
  ended.catch(() => undefined)
  return {
    origin,
    sandbox: `http://127.0.0.1:${sandbox_port}`,
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

export async function untilReady(url: string) {
  for (;;) {
    const answer = await fetch(url).catch(() => null)
    if (answer?.ok) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

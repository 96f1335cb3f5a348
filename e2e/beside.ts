import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { readConfig, withSandbox } from '#server/config.ts'
import { freePort } from '#server/free-port.ts'
import { untilReady, type ProductProcess } from './product.ts'

/** What a process of its own needs to join a product that runs: its database, its sandbox, its keys. */
export function environmentBeside({ sandbox, env }: ProductProcess, databaseUrl: string) {
  const dir = join(env.DATA_DIR ?? '', 'sandbox')
  const read = readConfig({ SANDBOX: '1', SANDBOX_SYSTEM_USERS: env.SANDBOX_SYSTEM_USERS })
  if ('problems' in read) throw new Error(read.problems.join('; '))
  const pointed = withSandbox(read.config, { port: Number(new URL(sandbox).port), dir })
  const addresses = read.config.defaulted_base_urls.map(name => [name.toUpperCase(), pointed[name]])
  const { smtp_port } = z
    .object({ smtp_port: z.number() })
    .parse(JSON.parse(readFileSync(join(dir, 'mailbox.json'), 'utf8')))
  return {
    ...env,
    ...Object.fromEntries(addresses),
    // Its own sandbox idles, since every address leads to the product's: without one, a database with people
    // of the demo is refused.
    SANDBOX: '1',
    SANDBOX_PORT: '',
    DATA_DIR: mkdtempSync(join(dirname(env.DATA_DIR ?? ''), 'beside-')),
    DATABASE_URL: databaseUrl,
    GOOGLE_SERVICE_ACCOUNT_FILE: pointed.google_service_account_file?.join(',') ?? '',
    CREDENTIAL_KEYS: readFileSync(join(env.DATA_DIR ?? '', 'credential.key'), 'utf8').trim(),
    SMTP_URL: `smtp://127.0.0.1:${smtp_port}`,
    MAIL_FROM: 'Sheetcast <reports@sheetcast.example>',
  }
}

/** A process that works on runs, keeps schedules and sends mail. */
export const startWorkerBeside = (product: ProductProcess, databaseUrl: string): ChildProcess =>
  startCommand('worker', {
    ...environmentBeside(product, databaseUrl),
    ROLES: 'worker,scheduler',
    MAIL_GROUP_SECONDS: '1',
  })

/** A process that answers, and nothing else. */
export async function startApiBeside(product: ProductProcess, databaseUrl: string) {
  const port = await freePort()
  const env = {
    ...environmentBeside(product, databaseUrl),
    ROLES: 'api',
    PORT: String(port),
    PUBLIC_URL: product.origin,
  }
  const child = startCommand('serve', env)
  const origin = `http://localhost:${port}`
  await untilReady(`${origin}/readyz`)
  return { child, origin }
}

const startCommand = (command: string, env: Record<string, string>): ChildProcess =>
  spawn(process.execPath, ['src/cli/sheetcast.ts', command], {
    cwd: join(import.meta.dirname, '..'),
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })

export async function stopped(child: ChildProcess) {
  child.kill('SIGTERM')
  await once(child, 'exit')
}

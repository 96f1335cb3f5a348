import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { readConfig, withSandbox } from '#server/config.ts'
import { testPort } from '#server/testing/port.ts'
import { untilReady, type ProductProcess } from './product.ts'

/** What a process of its own needs to join a product that runs: its database, its sandbox, its keys. */
function environmentBeside(product: ProductProcess, databaseUrl: string) {
  const { env } = product
  const pointed = pointedAt(product)
  const addresses = pointed.defaulted_base_urls.map(name => [name.toUpperCase(), pointed[name]])
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
  }
}

/** The settings of a process that uses the product's own sandbox. */
export function pointedAt({ sandbox, env }: Pick<ProductProcess, 'sandbox' | 'env'>) {
  const read = readConfig({ SANDBOX: '1', SANDBOX_SYSTEM_USERS: env.SANDBOX_SYSTEM_USERS })
  if ('problems' in read) throw new Error(read.problems.join('; '))
  return withSandbox(read.config, { port: Number(new URL(sandbox).port), dir: sandboxDir(env) })
}

const sandboxDir = ({ DATA_DIR = '' }: ProductProcess['env']) => join(DATA_DIR, 'sandbox')

/** A process that works on runs and keeps schedules; with a mailbox it sends mail, too. */
export const startFurtherWorker = (
  product: ProductProcess,
  databaseUrl: string,
  mail: Record<string, string> = {},
): ChildProcess =>
  startCommand('worker', { ...environmentBeside(product, databaseUrl), ...mail, ROLES: 'worker,scheduler' })

/** Mail goes to the mailbox of the product's sandbox, soon after what it is about. */
export function mailTo({ env }: ProductProcess) {
  const { smtp_port } = z
    .object({ smtp_port: z.number() })
    .parse(JSON.parse(readFileSync(join(sandboxDir(env), 'mailbox.json'), 'utf8')))
  return {
    SMTP_URL: `smtp://127.0.0.1:${smtp_port}`,
    MAIL_FROM: 'Sheetcast <reports@sheetcast.example>',
    MAIL_GROUP_SECONDS: '1',
  }
}

/** A process that only serves HTTP. */
export async function startFurtherApi(product: ProductProcess, databaseUrl: string) {
  const port = await testPort()
  const env = {
    ...environmentBeside(product, databaseUrl),
    ...mailTo(product),
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

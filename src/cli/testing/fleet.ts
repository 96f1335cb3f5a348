import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll } from 'vitest'
import { readConfig, withSandbox } from '#server/config.ts'
import { connect } from '#server/db/connect.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { testPort } from '#server/testing/port.ts'
import { migrate } from '#server/db/migrate.ts'
import { codeOf, isDatabaseAway } from '#server/db/problem.ts'
import { startProxy, type Proxy } from '#server/db/testing/proxy.ts'
import { createTokens } from '#server/http/tokens.ts'
import { testAgency } from '#server/resources/runs/testing/agency.ts'
import { signingKey, startFamily } from '#server/resources/session/queries.ts'
import { newFolder } from './program.ts'

type Role = 'api' | 'worker' | 'scheduler'

export interface Member {
  child: ChildProcess
  origin: string
  /** Everything that it has logged. */
  log(): string
  /** The process alone, which may have child processes. */
  kill(signal: NodeJS.Signals): void
  /** The process with all its children, as when their machine dies or is put to sleep. */
  killAll(signal: NodeJS.Signals): void
  /** The exit code or the signal that ended it. */
  ended: Promise<number | string>
}

/**
 * A product of many processes: one Postgres of its own that keeps what it confirms, the sandbox, and as many
 * `serve` processes as a test starts. Call it once per test file.
 */
export async function testFleet() {
  const data_dir = await newFolder()
  const server = await startEmbedded({ data_dir, command: 'test' })
  afterAll(() => server.stop())
  await migrate(server.url)
  const openDatabase = async () => {
    const opened = await connect(server.url, { command: 'test', pool_size: 10 })
    afterAll(() => opened.close())
    return opened
  }
  const agency = await testAgency({ openDatabase })
  const { db, sandbox } = agency
  const tokens = createTokens(await signingKey(db, randomBytes(32)))
  const claims = await db
    .transaction()
    .execute(trx =>
      startFamily(trx, agency.owner, { now: new Date(), session_days: 30, address: null, user_agent: null }),
    )

  const members = new Set<Member>()
  const proxies: Proxy[] = []
  afterAll(async () => {
    for (const member of members) member.killAll('SIGKILL')
    await Promise.all([...members].map(member => member.ended))
    await Promise.all(proxies.map(proxy => proxy.stop()))
  })

  /** A process with these roles, which may be reached only through a proxy or have a wrong clock. */
  async function start(
    roles: Role[],
    { through, jumps_ms, lease_s = 2 }: { through?: Proxy; jumps_ms?: number[]; lease_s?: number } = {},
  ): Promise<Member> {
    const url = new URL(server.url)
    if (through) url.port = String(through.port)
    const port = await testPort()
    const child = spawn(process.execPath, [join(import.meta.dirname, 'fleet-program.ts')], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group of its own, which can be killed as a whole.
      detached: true,
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        ...environmentAt(sandbox),
        ROLES: roles.join(','),
        PORT: String(port),
        DATABASE_URL: url.href,
        LEASE_S: String(lease_s),
        // One person clicks for as long as a test takes.
        WRITES_PER_MINUTE: '100000',
        ...(jumps_ms && {
          NODE_OPTIONS: `--import=${new URL('wrong-clock-program.ts', import.meta.url).href}?jumps_ms=${jumps_ms.join(',')}`,
        }),
      },
    })
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes: Buffer) => {
        text += bytes
        if (process.env.FLEET_LOG) appendFileSync(process.env.FLEET_LOG, bytes)
      })
    const ended = once(child, 'exit').then(([code, signal]): number | string => {
      members.delete(member)
      return signal ?? code
    })
    const member: Member = {
      child,
      origin: `http://127.0.0.1:${port}`,
      log: () => text,
      kill: signal => void child.kill(signal),
      killAll: signal => signalGroup(child.pid ?? 0, signal),
      ended,
    }
    members.add(member)
    return member
  }

  return {
    ...agency,
    start,
    /**
     * As after a crash of the database server: sessions end without notice, and recovery replays what was
     * confirmed.
     */
    async crashDatabase() {
      await patiently(() => sql`select 1`.execute(db))
      const note = readFileSync(join(data_dir, 'postgres', 'postmaster.pid'), 'utf8')
      process.kill(Number.parseInt(note), 'SIGQUIT')
    },
    async proxy() {
      const proxy = await startProxy({ port: Number(new URL(server.url).port) })
      proxies.push(proxy)
      return proxy
    },
    bearer: async () => `Bearer ${await tokens.signAccess(claims, new Date())}`,
  }
}
export type Fleet = Awaited<ReturnType<typeof testFleet>>

/** Again until the database is there. */
export async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!isDatabaseAway(error)) throw error
      await sleep(100)
    }
  }
}

/** Waits until the process is ready; one without the role `api` has no endpoint. */
export async function untilReady({ origin, child, log }: Member): Promise<void> {
  for (;;) {
    const response = await fetch(`${origin}/readyz`).catch(() => null)
    if (response?.ok) return
    if (child.exitCode !== null) throw new Error(`it ended before it was ready:\n${log()}`)
    await sleep(50)
  }
}

/** A group that has ended has no process left to signal. */
function signalGroup(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

/** Every platform at the sandbox, which is not the members' own. */
function environmentAt({ base_url, folder }: { base_url: string; folder: string }) {
  const read = readConfig({ SANDBOX: '1' })
  if ('problems' in read) throw new Error(read.problems.join('; '))
  const { defaulted_base_urls } = read.config
  const pointed = withSandbox(read.config, { port: Number(new URL(base_url).port), dir: folder })
  return {
    ...Object.fromEntries(defaulted_base_urls.map(name => [name.toUpperCase(), pointed[name]])),
    SANDBOX: '0',
    DATA_DIR: folder,
    GOOGLE_SERVICE_ACCOUNT_FILE: join(folder, 'service-account.json'),
    META_ACCESS_TOKEN: 'sandbox-agency',
    CREDENTIAL_KEYS: Buffer.alloc(32, 7).toString('base64'),
    SPEND_REFRESH_MINUTES: '0',
    SHEETS_REQUESTS_PER_MINUTE_USER: '100000',
    SHEETS_REQUESTS_PER_MINUTE_PROJECT: '100000',
    WORKER_CONCURRENCY: '2',
    LOG_LEVEL: 'info',
  }
}

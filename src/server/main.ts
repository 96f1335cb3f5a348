import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { z } from 'zod'
import { apiEffects, openSources, routes, workerEffects } from './app.ts'
import { withSandbox, type Config } from './config.ts'
import { openDatabase, type Db, type OpenDatabase } from './db/connect.ts'
import { migrate } from './db/migrate.ts'
import { codeOf } from './db/problem.ts'
import { startSandbox } from './demo/sandbox.ts'
import { seedDemo } from './demo/seed.ts'
import type { Effects } from './http/effects.ts'
import { createServer } from './http/server.ts'
import { openQueue, type Queue } from './queue/queue.ts'
import { shutLogins } from './resources/public-accounts/logins.ts'
import { testSharedLogins } from './resources/public-accounts/keep-alive.ts'
import type { Sources } from './resources/public-accounts/sources.ts'
import { gapsOf } from './resources/reports/rules.ts'
import { StartProblem } from './start-problem.ts'
import { openVault, type Vault } from './vault.ts'
import { enqueueRuns, RUN_REPORT, startScheduler, startWorker, type WorkerEffects } from './worker.ts'

export interface Product {
  /** Where the API and the web part answer; null without the role. */
  origin: string | null
  db: Db
  effects: Effects
  /** How the platforms are asked. */
  platforms: Pick<WorkerEffects, 'hosts' | 'tokens' | 'quota' | 'fetch'> & { sources: Sources }
  /** Seals the logins of platforms. */
  vault: Vault
  /** Takes nothing new, finishes or hands back what is under way, lets go of everything. */
  stop(): Promise<void>
}

// What is still under way then goes back to the queue, where another process finds it.
const GRACE_MS = 7000

/**
 * Starts the roles of this process: the database, then the sandbox, then whatever works with them. With `beside` it joins a process that runs already on
 * the same data folder, and uses that one's database and sandbox.
 */
export async function startProduct(
  given: Config,
  log: Logger,
  { command = 'serve', beside = false } = {},
): Promise<Product> {
  const releasers: (() => Promise<unknown>)[] = []
  const release = async () => {
    for (const each of releasers.splice(0).toReversed())
      await each().catch(error => log.error({ err: error }, 'stopping'))
  }
  try {
    const database = await openDatabase(given, { command, share: beside, log: message => log.warn(message) })
    releasers.push(database.close)
    await migrate(database.url, { log: message => log.info(message) })
    const config = beside ? withRunningSandbox(given) : await withOwnSandbox(given, releasers)
    const queue = await openQueue({
      connection_string: database.url,
      listen: database.listen,
      tasks: [RUN_REPORT],
      on_error: error => log.warn({ err: error }, 'the queue met a failure'),
    })
    releasers.push(queue.close)
    const vault = openVault(config)
    const shut = await shutLogins(database.db, vault)
    if (shut.length > 0) log.warn({ logins: shut }, 'none of the credential keys opens these logins')
    const sources = openSources(config, database, vault)
    const worker_effects = workerEffects(config, database, sources)
    const platforms = { ...worker_effects, sources }
    if (config.sandbox && !beside)
      await seedDemo(database.db, {
        config,
        vault,
        platforms,
        log: message => log.warn(message),
        enqueueRuns: (trx, run_ids) => enqueueRuns(queue, trx, run_ids, { urgent: false }),
      })
    const stopping = new AbortController()
    const effects = await apiEffects({ config, database, queue, vault }, worker_effects, stopping.signal)
    const origin = await startRoles({ config, database, queue, log, releasers }, worker_effects, effects)
    releasers.push(async () => stopping.abort())
    return { origin, db: database.db, effects, platforms, vault, stop: release }
  } catch (error) {
    await release()
    throw error
  }
}

const sandboxFolder = (config: Config) => join(config.data_dir, 'sandbox')

async function withOwnSandbox(config: Config, releasers: (() => Promise<unknown>)[]): Promise<Config> {
  if (!config.sandbox) return config
  const dir = sandboxFolder(config)
  const { port, stop } = await startSandbox({
    dir,
    port: config.sandbox_port,
    port_is_fixed: config.sandbox_port_is_fixed,
  })
  releasers.push(stop)
  return withSandbox(config, { port, dir })
}

/** The sandbox that another process has started on this data folder says its port in the key file that it writes at each start. */
function withRunningSandbox(config: Config): Config {
  if (!config.sandbox) return config
  const dir = sandboxFolder(config)
  const key = z
    .object({ token_uri: z.url() })
    .parse(JSON.parse(readFileSync(join(dir, 'service-account.json'), 'utf8')))
  return withSandbox(config, { port: Number(new URL(key.token_uri).port), dir })
}

interface Parts {
  config: Config
  database: OpenDatabase
  queue: Queue
  log: Logger
  releasers: (() => Promise<unknown>)[]
}

async function startRoles(
  { config, database: { db }, queue, log, releasers }: Parts,
  worker_effects: WorkerEffects,
  effects: Effects,
): Promise<string | null> {
  if (config.roles.includes('api')) {
    const app = await createServer({
      db,
      effects,
      routes,
      checks: { database: async () => (await sql`select 1`.execute(db)).rows.length === 1 },
      now: () => new Date(),
      log,
      web_dir: webFolder(),
      trust_proxy: config.trust_proxy,
    })
    releasers.push(() => app.close())
    await app.listen({ host: config.host, port: config.port }).catch(error => {
      throw whyNotListen(error, config)
    })
  }
  if (config.roles.includes('worker')) {
    const concurrency = config.worker_concurrency
    const worker = await startWorker(db, queue, { concurrency, effects: worker_effects, log })
    releasers.push(() => worker.stop(GRACE_MS))
  }
  if (config.roles.includes('scheduler')) {
    const isReady = (report: Parameters<typeof gapsOf>[0]) => gapsOf(report).length === 0
    const testLogins = (now: Date) => testSharedLogins(db, { platforms: effects.platforms, now })
    const scheduler = startScheduler(db, queue, { isReady, testLogins, log })
    releasers.push(() => scheduler.stop(GRACE_MS))
  }
  return config.roles.includes('api') ? config.public_url : null
}

/** A port that cannot be had is the operator's to choose anew. */
function whyNotListen(error: unknown, { host, port }: Config): unknown {
  const code = codeOf(error) ?? ''
  if (code === 'EADDRINUSE')
    return new StartProblem(`port ${port} is taken on ${host}: set PORT to another one`)
  if (code === 'EACCES')
    return new StartProblem(
      `port ${port} needs rights that this user does not have: set PORT to 1024 or more`,
    )
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new StartProblem(`HOST ${host} is no address of this machine`)
  return error
}

/** The built web part; null when nobody has built it, which is fine for a process that only answers the API. */
function webFolder(): string | null {
  const folder = join(import.meta.dirname, '../../dist/web')
  return existsSync(join(folder, 'index.html')) ? folder : null
}

import { createPageRenderer } from './rendering/renderer.ts'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { z } from 'zod'
import { apiEffects, pageAccess, routes } from './app.ts'
import { sharesOneAddress, withSandbox, type Config } from './config.ts'
import { openDatabase, type Db, type OpenDatabase } from './db/connect.ts'
import { migrate } from './db/migrate.ts'
import { codeOf } from './db/problem.ts'
import { isReaderReady } from './db/reader.ts'
import { startDemoBilling } from './demo/billing.ts'
import { refuseDemoPeople, refuseSharedPassword } from './demo/demo-people.ts'
import { followSpreadsheets } from './demo/moved-spreadsheets.ts'
import { startSandbox } from './demo/sandbox.ts'
import { seedDemo } from './demo/seed.ts'
import { openFiles } from './files/open-files.ts'
import { registerFileMetrics } from './files/sweep.ts'
import type { Effects } from './http/effects.ts'
import { hostsOf } from './http/hosts.ts'
import { createServer } from './http/server.ts'
import type { WorkerEffects } from './workers/executor.ts'
import { registerWorkerMetrics } from './workers/metrics.ts'
import type { WorkerSettings } from './workers/process.ts'
import { openWorkerProcesses, type WorkerProcesses } from './workers/worker-processes.ts'
import { smtpMailer } from './mail/smtp.ts'
import { startMailWorker } from './mail-worker.ts'
import { isRunWaiting } from './queue/queue.ts'
import { registerAudienceMetrics } from './resources/audiences/metrics.ts'
import { registerRunMetrics } from './resources/operations/metrics.ts'
import { shutLogins } from './resources/public-accounts/logins.ts'
import { unreadableSecondFactors } from './resources/second-factor/secrets.ts'
import { sourceOfLogin } from './resources/businesses/account-users.ts'
import { refreshBusinesses } from './resources/businesses/refresh.ts'
import { testSharedLogins } from './resources/public-accounts/keep-alive.ts'
import { renewLogins } from './resources/public-accounts/renew.ts'
import type { Sources } from './resources/public-accounts/sources.ts'
import { isReady } from './resources/reports/list-queries.ts'
import { REFRESHED_EVERY_MS } from './connected-users.ts'
import { startInterval, type Role } from './interval.ts'
import { withRequestLog } from './request-log.ts'
import { StartProblem } from './start-problem.ts'
import { openVault, type Vault } from './vault.ts'
import {
  startAudienceShares,
  startBusinessRefresh,
  startFileSweep,
  startScheduler,
  startSpendRefresh,
  startWorker,
} from './worker.ts'
import { openSources, workerEffects } from './workers/effects.ts'
import { sweepErasures } from './resources/audiences/erase.ts'
import { LEASE_S, recordWorkerDeath } from './resources/runs/lease-queries.ts'

export interface Product {
  /** The address of the API and the web part; null without the role. */
  origin: string | null
  db: Db
  effects: Effects
  /** How requests are sent to the platforms. */
  platforms: Pick<WorkerEffects, 'hosts' | 'tokens' | 'limiter' | 'fetch'> & { sources: Sources }
  /** Seals the credentials of platforms. */
  vault: Vault
  /** Starts nothing new, finishes or releases what is in progress, closes everything. */
  stop(): Promise<void>
}

// What is still in progress then goes on in another process.
const GRACE_MS = 7000
/**
 * The next response on each open connection closes it, so that no request arrives on one that has just been
 * closed.
 */
const DRAIN_MS = 500

export interface StartOptions {
  /** For messages. */
  command?: string
  /** Joins a running process. */
  beside?: boolean
  /** How long a dead worker's run stays leased; shorter in tests. */
  lease_s?: number
  /** How the emulated platforms are started; in tests without a thread of their own. */
  openSandbox?: typeof startSandbox
  /**
   * The event loop delay above which requests are refused; tests share the thread, and delay it themselves.
   */
  max_event_loop_delay_ms?: number
}

/**
 * Starts the roles of this process: the database, then the sandbox, then whatever uses them. With `beside` it
 * joins a running process on the same data folder, and uses its database and sandbox.
 */
export async function startProduct(
  options: Config,
  log: Logger,
  {
    command = 'serve',
    beside = false,
    lease_s = LEASE_S,
    openSandbox = startSandbox,
    max_event_loop_delay_ms,
  }: StartOptions = {},
): Promise<Product> {
  const releasers: (() => Promise<unknown>)[] = []
  const release = async () => {
    for (const each of releasers.splice(0).toReversed())
      await each().catch(error => log.error({ err: error }, 'stop failed'))
  }
  try {
    await refuseSharedPassword(options)
    const database = await openDatabase(options, {
      command,
      share: beside,
      log: message => log.warn(message),
    })
    releasers.push(database.close)
    await migrate(database.url, { log: message => log.info(message) })
    await refuseDemoPeople(database.db, options)
    const config = beside
      ? withRunningSandbox(options)
      : await withOwnSandbox(options, { openSandbox, releasers })
    const vault = openVault(config)
    const shut = await shutLogins(database.db, vault)
    if (shut.length > 0) log.warn({ logins: shut }, 'none of the credential keys opens these logins')
    const people = await unreadableSecondFactors(database.db, vault)
    if (people.length > 0)
      log.warn({ people }, 'none of the credential keys opens the second factors of these people')
    const sources = openSources(config, database, vault)
    const worker_effects = workerEffects(config, database, { sources, vault, log })
    const { connected } = worker_effects
    await connected.refresh()
    const refreshing = startInterval(REFRESHED_EVERY_MS, log, connected.refresh)
    releasers.push(() => refreshing.stop(0))
    const api_effects = withRequestLog(worker_effects, log)
    const platforms = { ...api_effects, sources }
    const stopping = new AbortController()
    if (config.sandbox && !beside) {
      await followSpreadsheets(database.db, config.google_sheets_base_url)
      await seedDemo(database.db, {
        config,
        vault,
        platforms,
        files: openFiles(config, { vault, log, stopping: stopping.signal }),
        system_users: worker_effects.system_users.map(({ client }) => client.system_user),
        log: message => log.warn(message),
      })
    }
    const effects = await apiEffects({ config, database, vault, log }, api_effects, stopping.signal)
    const origin = await startRoles(
      { config, database, worker: api_effects, log, releasers, lease_s, max_event_loop_delay_ms },
      effects,
    )
    releasers.push(async () => stopping.abort())
    return { origin, db: database.db, effects, platforms, vault, stop: release }
  } catch (error) {
    await release()
    throw error
  }
}

const sandboxFolder = (config: Config) => join(config.data_dir, 'sandbox')

async function withOwnSandbox(
  config: Config,
  { openSandbox, releasers }: { openSandbox: typeof startSandbox; releasers: (() => Promise<unknown>)[] },
): Promise<Config> {
  if (!config.sandbox) return config
  const dir = sandboxFolder(config)
  const { port, stop } = await openSandbox({
    dir,
    port: config.sandbox_port,
    port_is_fixed: config.sandbox_port_is_fixed,
    system_users: config.sandbox_system_users,
  })
  releasers.push(stop)
  return withSandbox(config, { port, dir, smtp_port: smtpPortIn(dir) })
}

/**
 * The sandbox of another process on this data folder: its port is in the key files that it writes at each
 * start, one a system user.
 */
function withRunningSandbox(config: Config): Config {
  if (!config.sandbox) return config
  const dir = sandboxFolder(config)
  const key = z
    .object({ token_uri: z.url() })
    .parse(JSON.parse(readFileSync(join(dir, 'service-account.json'), 'utf8')))
  const sandbox_system_users = readdirSync(dir).filter(name => name.startsWith('service-account')).length
  const running = { port: Number(new URL(key.token_uri).port), dir, smtp_port: smtpPortIn(dir) }
  return withSandbox({ ...config, sandbox_system_users }, running)
}

/** Written by the sandbox at each start. */
const smtpPortIn = (dir: string) =>
  z.object({ smtp_port: z.number() }).parse(JSON.parse(readFileSync(join(dir, 'mailbox.json'), 'utf8')))
    .smtp_port

interface Parts {
  config: Config
  database: OpenDatabase
  worker: WorkerEffects
  log: Logger
  releasers: (() => Promise<unknown>)[]
  lease_s: number
  max_event_loop_delay_ms: number | undefined
}

async function startRoles(
  { config, database, worker, log, releasers, lease_s, max_event_loop_delay_ms }: Parts,
  effects: Effects,
): Promise<string | null> {
  const { db, now } = database
  // People with a page open in another process are unknown here.
  const hasVisitors = () => !config.roles.includes('api') || effects.liveEvents.count() > 0
  const processes = openProcesses(config, { db, url: database.url, lease_s, hasVisitors, log })
  const working: Role[] = []
  if (config.roles.includes('api')) {
    const has_reader = await isReaderReady(db)
    if (!has_reader) log.warn('row-level security is off: see "Yours" in docs/operating.md')
    if (sharesOneAddress(config)) log.warn(SHARED_ADDRESS)
    const app = await createServer({
      db,
      effects,
      routes,
      checks: { database: async () => (await sql`select 1`.execute(db)).rows.length === 1 },
      registerMetrics(registry) {
        registerRunMetrics(registry, db, now)
        registerAudienceMetrics(registry, db, now)
        registerFileMetrics(registry, db)
        registerWorkerMetrics(registry, processes)
      },
      now,
      log,
      web_dir: webFolder(),
      ...(config.render_pages_ms > 0 && {
        pages: {
          renderer: pageRenderer(config, { stopping: effects.stopping, log }),
          accessOf: pageAccess(db, effects, now),
        },
      }),
      trust_proxy: config.trust_proxy,
      hosts: hostsOf(config),
      drain_ms: DRAIN_MS,
      max_event_loop_delay_ms,
      has_reader,
    })
    releasers.push(() => app.close())
    await app.listen({ host: config.host, port: config.port }).catch(error => {
      throw whyNotListen(error, config)
    })
    working.push(startFileSweep(db, { files: effects.files, log }))
    // Reports run without it.
    void effects.files.store
      .check()
      .catch(error => log.error({ err: error }, 'files can be neither stored nor read'))
  }
  if (config.roles.includes('worker')) {
    working.push(await startWorker(database, { processes, log }))
    working.push(startAudienceShares(db, { processes, log }))
    if (config.spend_refresh_minutes > 0) {
      const every_ms = config.spend_refresh_minutes * 60_000
      working.push(startSpendRefresh(db, { processes, every_ms, log }))
      if (config.sandbox) working.push(startDemoBilling(db, { time_zone: config.app_time_zone, log }))
    }
  }
  if (config.roles.includes('scheduler')) {
    const testLogins = (at: Date) => testSharedLogins(db, { platforms: effects.platforms, now: at })
    const renewAll = (at: Date) => renewLogins(db, { ...effects, now: at })
    working.push(
      startScheduler(db, {
        isReady,
        testLogins,
        sweepErasures: at => sweepErasures(db, { vault: effects.vault, now: at }),
        renewLogins: renewAll,
        audit_days: config.audit_days,
        time_zone: config.app_time_zone,
        log,
      }),
    )
    const { app_time_zone: time_zone } = config
    const reading = { sourceOf: sourceOfLogin(worker), platforms: worker, time_zone }
    working.push(startBusinessRefresh(db, { refresh: at => refreshBusinesses(db, reading, at), log }))
    const mail = startMail(config, db, log)
    if (mail) working.push(mail)
  }
  releasers.push(() => Promise.all(working.map(role => role.stop(GRACE_MS))))
  return config.roles.includes('api') ? config.public_url : null
}

const SHARED_ADDRESS =
  'PUBLIC_URL is https and TRUST_PROXY is 0: all visitors seem to have the address of the proxy in front, so one of them who guesses passwords locks all out. Set TRUST_PROXY to the number of proxies'

/** Processes that work on runs; the first is started with the first run. */
function openProcesses(
  config: Config,
  {
    db,
    url,
    lease_s,
    hasVisitors,
    log,
  }: { db: Db; url: string; lease_s: number; hasVisitors: () => boolean; log: Logger },
): WorkerProcesses {
  const { worker_processes, worker_large_runs, worker_concurrency, worker_heap_mb: heap_mb } = config
  // Each run has a few requests in progress at once, and prolongs its lease meanwhile.
  const sessions = 4 + 2 * Math.ceil(worker_concurrency / worker_processes)
  const settings: WorkerSettings = { config: withoutUnused(config), database_url: url, sessions, lease_s }
  return openWorkerProcesses({
    program: join(import.meta.dirname, 'workers/process.ts'),
    settings,
    most: { shared: worker_processes, alone: worker_large_runs },
    concurrency: worker_concurrency,
    isRunWaiting: pool => isRunWaiting(db, pool),
    hasVisitors,
    heap_mb,
    log,
    // The database may be away: then the death counts as one more lost lease, which carries less information.
    onDeath: runIds =>
      void recordWorkerDeath(db, runIds).catch(error =>
        log.warn({ err: error }, 'worker death not recorded'),
      ),
  })
}

/**
 * Runs send no mail, serve no requests, store no files and sign nobody in, so their processes do not get the
 * settings for these.
 */
const withoutUnused = (config: Config): Config => ({
  ...config,
  smtp_url: null,
  metrics_token: null,
  files_s3_access_key: null,
  files_s3_secret_key: null,
  demo_password: '',
})

function startMail(config: Config, db: Db, log: Logger): Role | null {
  const { smtp_url, mail_from, public_url } = config
  if (smtp_url === null) {
    log.info('SMTP_URL is not set: no e-mail is sent')
    return null
  }
  const mailer = smtpMailer({ smtp_url, mail_from })
  return startMailWorker(db, { mailer, public_url, window_ms: config.mail_group_seconds * 1000, log })
}

/** A port that is taken has to be changed by the operator. */
function whyNotListen(error: unknown, { host, port }: Config): unknown {
  const code = codeOf(error) ?? ''
  if (code === 'EADDRINUSE')
    return new StartProblem(`port ${port} is taken on ${host}: set PORT to another one`)
  if (code === 'EACCES')
    return new StartProblem(
      `port ${port} needs rights that this user does not have: set PORT to 1024 or more`,
    )
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new StartProblem(`HOST ${host} is not an address of this machine`)
  return error
}

/** The built web part; null when it was not built, which is fine for a process that only serves the API. */
const pageRenderer = (config: Config, { stopping, log }: { stopping: AbortSignal; log: Logger }) =>
  createPageRenderer({
    entry: join(import.meta.dirname, '../../dist/web-renderer/render-page.js'),
    limit_ms: config.render_pages_ms,
    stopping,
    warn: problem => log.warn({ problem }, 'a page is left to its browser to draw'),
  })

function webFolder(): string | null {
  const folder = join(import.meta.dirname, '../../dist/web')
  return existsSync(join(folder, 'index.html')) ? folder : null
}

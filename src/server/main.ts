import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { routes } from './app.ts'
import { withSandbox, type Config } from './config.ts'
import { connectors } from './connectors/all.ts'
import { openDatabase, type OpenDatabase } from './db/connect.ts'
import { migrate } from './db/migrate.ts'
import { startSandbox } from './demo/sandbox.ts'
import { seedDemo } from './demo/seed.ts'
import type { Effects } from './http/effects.ts'
import { createServer } from './http/server.ts'
import { createTokens } from './http/tokens.ts'
import { platformGate, sheetsGate } from './limits/gates.ts'
import { openQueue, type Queue } from './queue/queue.ts'
import { openRunEvents } from './resources/events/run-events.ts'
import { gapsOf } from './resources/reports/rules.ts'
import { signingKey } from './resources/session/queries.ts'
import { sheetsClient } from './sheets/client.ts'
import { checkPermission, listTabs } from './sheets/permission.ts'
import { emailControls, findCode } from './sheets/proof.ts'
import { ServiceAccountKey } from './sheets/schema.ts'
import { enqueueRuns, RUN_REPORT, startScheduler, startWorker, type WorkerEffects } from './worker.ts'

export interface Product {
  /** Where the API and the web part answer; null without the role. */
  origin: string | null
  /** Takes nothing new, finishes or hands back what is under way, lets go of everything. */
  stop(): Promise<void>
}

// What is still under way then goes back to the queue, where another process finds it.
const GRACE_MS = 8000

/** Starts the roles of this process: the database, then the sandbox, then whatever works with them. */
export async function startProduct(given: Config, log: Logger): Promise<Product> {
  const releasers: (() => Promise<unknown>)[] = []
  const release = async () => {
    for (const each of releasers.splice(0).toReversed())
      await each().catch(error => log.error({ err: error }, 'stopping'))
  }
  try {
    const database = await openDatabase(given, { command: 'serve', log: message => log.warn(message) })
    releasers.push(database.close)
    await migrate(database.url, { log: message => log.info(message) })
    const config = await withOwnSandbox(given, releasers)
    const queue = await openQueue({
      connection_string: database.url,
      listen: database.listen,
      tasks: [RUN_REPORT],
      on_error: error => log.warn({ err: error }, 'the queue met a failure'),
    })
    releasers.push(queue.close)
    const origin = await startRoles({ config, database, queue, log, releasers })
    return { origin, stop: release }
  } catch (error) {
    await release()
    throw error
  }
}

async function withOwnSandbox(config: Config, releasers: (() => Promise<unknown>)[]): Promise<Config> {
  if (!config.sandbox) return config
  const dir = join(config.data_dir, 'sandbox')
  const sandbox = await startSandbox({
    dir,
    port: config.sandbox_port,
    port_is_fixed: config.sandbox_port_is_fixed,
  })
  releasers.push(sandbox.stop)
  return withSandbox(config, { port: sandbox.port, dir })
}

interface Parts {
  config: Config
  database: OpenDatabase
  queue: Queue
  log: Logger
  releasers: (() => Promise<unknown>)[]
}

async function startRoles({ config, database, queue, log, releasers }: Parts): Promise<string | null> {
  const { db } = database
  const stopping = new AbortController()
  const worker_effects = workerEffects(config, database)
  if (config.sandbox)
    await seedDemo(db, {
      config,
      connection: worker_effects.connectionOf('fb'),
      enqueueRuns: (trx, run_ids) => enqueueRuns(queue, trx, run_ids, { urgent: false }),
    })

  let origin: string | null = null
  if (config.roles.includes('api')) {
    const app = await createServer({
      db,
      effects: await apiEffects({ config, database, queue }, worker_effects, stopping.signal),
      routes,
      checks: {
        database: async () => (await sql`select 1`.execute(db)).rows.length === 1,
        spreadsheets: async () => worker_effects.sheets.system_user !== '',
      },
      now: () => new Date(),
      log,
      web_dir: webFolder(),
    })
    await app.listen({ host: config.host, port: config.port })
    releasers.push(() => app.close())
    origin = config.public_url
  }
  if (config.roles.includes('worker')) {
    const worker = await startWorker(db, queue, {
      concurrency: config.worker_concurrency,
      effects: worker_effects,
      log,
    })
    releasers.push(() => worker.stop(GRACE_MS))
  }
  if (config.roles.includes('scheduler')) {
    const isReady = (report: Parameters<typeof gapsOf>[0]) => gapsOf(report).length === 0
    const scheduler = startScheduler(db, queue, { isReady, log })
    releasers.push(() => scheduler.stop(GRACE_MS))
  }
  releasers.push(async () => stopping.abort())
  return origin
}

function workerEffects(config: Config, { db }: OpenDatabase): WorkerEffects {
  const pause = (ms: number) => sleep(ms)
  const sheets = spreadsheetService(config)
  return {
    connectors,
    connectionOf: () =>
      config.meta_access_token === null
        ? null
        : {
            base_url: config.meta_base_url,
            credential: {
              access_token: config.meta_access_token,
              app_secret: config.meta_app_secret,
              api_version: config.meta_api_version,
            },
          },
    quota: platformGate(db, pause),
    fetch,
    sheets,
    sheets_quota: sheetsGate(db, sheets.system_user, pause),
  }
}

function spreadsheetService(config: Config) {
  const file = config.google_service_account_file
  if (file === null) throw new Error('GOOGLE_SERVICE_ACCOUNT_FILE is missing')
  const key = ServiceAccountKey.safeParse(JSON.parse(readFileSync(file, 'utf8')))
  if (!key.success) throw new Error(`${file} is not the key file of a service account`)
  return sheetsClient({ ...config, key: key.data })
}

async function apiEffects(
  { config, database, queue }: Pick<Parts, 'config' | 'database' | 'queue'>,
  { sheets, sheets_quota }: WorkerEffects,
  stopping: AbortSignal,
): Promise<Effects> {
  const asking = { client: sheets, quota: sheets_quota, sleep: (ms: number) => sleep(ms), signal: stopping }
  return {
    tokens: createTokens(await signingKey(database.db, randomBytes(32))),
    spreadsheets: {
      system_user: sheets.system_user,
      async check(spreadsheet_id, sheet_name) {
        const question = { spreadsheet_id, ...(sheet_name !== undefined && { sheet_name }) }
        const { result, title, sheet_id } = await checkPermission(question, asking)
        return { result, ...(title !== null && { title }), ...(sheet_id !== null && { sheet_id }) }
      },
      tabs: spreadsheet_id => listTabs(spreadsheet_id, asking),
      emailControls: (spreadsheet_id, email) => emailControls(spreadsheet_id, email, asking),
      findCode: (spreadsheet_id, code) => findCode(spreadsheet_id, code, asking),
    },
    enqueueRuns: (trx, run_ids) => enqueueRuns(queue, trx, run_ids, { urgent: true }),
    runEvents: await openRunEvents(database.db, database.listen),
    stopping,
    settings: {
      public_url: config.public_url,
      time_zone: config.app_time_zone,
      report_channel_limit: config.report_channel_limit,
      history_days: config.history_days,
      spreadsheet_origins: [config.google_sheets_base_url],
      metrics_token: config.metrics_token,
      demo_password: config.sandbox ? config.demo_password : null,
    },
  }
}

/** The built web part; null when nobody has built it, which is fine for a process that only answers the API. */
function webFolder(): string | null {
  const folder = join(import.meta.dirname, '../../dist/web')
  return existsSync(join(folder, 'index.html')) ? folder : null
}

import { Kysely, PostgresDialect } from 'kysely'
import { Client, Pool, type ClientConfig } from 'pg'
import { findEmbedded, startEmbedded } from './embedded.ts'
import { openClock, type Clock } from './clock.ts'
import { createListener, type Listen } from './listen.ts'
import { DatabaseProblem, codeOf, textOf } from './problem.ts'
import type { Database } from './schema.ts'
import { busySessions } from './busy-sessions.ts'
import { endWhenUnanswered } from './dead-sessions.ts'
import { types } from './types.ts'
import { keepPlans } from './planned-once.ts'

/** A database or a transaction in it: what every query function takes first. */
export type Db = Kysely<Database>

export type OpenDatabase = {
  db: Db
  pool: Pool
  url: string
  /** The database's clock: the one that counts, since all processes share it. */
  now: () => Date
  /** Calls the handler for each NOTIFY on the channel; survives lost connections. */
  listen: Listen
  /** Ends all sessions; stops the embedded server if this process started or adopted it. */
  close: () => Promise<void>
}

export type DatabaseConfig = { database_url: string | null; data_dir: string }

export type OpenOptions = {
  /** The role of this process, for messages and pg_stat_activity: serve, worker, migrate, … */
  command: string
  /** Use the embedded server of another process instead of refusing. */
  share?: boolean
  pool_size?: number
  /** 0: none. */
  statement_timeout_ms?: number
  log?: (message: string) => void
}

/** Opens the operator's database, or starts the embedded one. Migrations are the caller's next step. */
export async function openDatabase(config: DatabaseConfig, options: OpenOptions): Promise<OpenDatabase> {
  const server = await databaseServer(config, options)
  try {
    const opened = await connect(server.url, options)
    return { ...opened, close: () => opened.close().then(server.stop) }
  } catch (error) {
    await server.stop()
    throw error
  }
}

export type DatabaseServer = { url: string; stop: () => Promise<void> }

/**
 * The address of the database: the operator's, one that another process holds, or one that is started here
 * and ends with `stop`.
 */
export async function databaseServer(
  { database_url, data_dir }: DatabaseConfig,
  { command, share, log }: Pick<OpenOptions, 'command' | 'share' | 'log'>,
): Promise<DatabaseServer> {
  const elsewhere = database_url ?? (share ? await findEmbedded(data_dir) : null)
  if (elsewhere !== null) return { url: elsewhere, stop: () => Promise.resolve() }
  return await startEmbedded({ data_dir, command, ...(log ? { log } : {}) })
}

/** Opens a database by its address alone. */
export async function connect(url: string, options: OpenOptions): Promise<OpenDatabase> {
  const log = options.log ?? (() => undefined)
  const statement_timeout = options.statement_timeout_ms ?? 30_000
  const pool = new Pool({
    ...sessionOptions(url, options.command),
    max: options.pool_size ?? 20,
    statement_timeout,
    // A process that stalls within a transaction blocks others for no longer than this.
    idle_in_transaction_session_timeout: 15_000,
    async onConnect(client) {
      if (statement_timeout === 0) return await client.query(OPENING)
      const silent_ms = statement_timeout + ANSWER_MS
      let pid = 0
      endWhenUnanswered(client, { silent_ms, isAtWork: async () => (await busy()).has(pid) })
      ;({ pid } = (await client.query<{ pid: number }>(OPENING)).rows[0] ?? { pid })
    },
  })
  const busy = busySessions(() => new Client(sessionOptions(url, `${options.command} look`)))
  // While a transaction holds a session and sends nothing, no other listener handles errors, and the loss of
  // the session would end the process.
  pool.on('connect', client => client.on('error', () => undefined))
  pool.on('connect', keepPlans)
  pool.on('error', error => {
    // A pool reports its end before its sessions have ended: a server that is stopped next may end them
    // first.
    if (!pool.ending) log(`an idle database session ended: ${error.message}`)
  })
  let clock: Clock
  try {
    await refuseOldServer(pool)
    clock = await openClock(pool)
  } catch (error) {
    await pool.end()
    throw asProblem(error, url)
  }
  const listener = createListener(() => new Client(sessionOptions(url, `${options.command} listen`)), log)
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  let closing: Promise<void> | undefined
  const closeAll = async () => {
    clock.stop()
    await listener.close()
    await db.destroy() // ends the pool only if Kysely has used it
    if (!pool.ended) await pool.end()
  }
  return {
    db,
    pool,
    url,
    now: clock.now,
    listen: listener.listen,
    close: () => (closing ??= closeAll()),
  }
}

/** One session outside a pool, without a limit of time; the caller ends it. */
export async function openSession(url: string, command: string): Promise<Client> {
  const client = new Client(sessionOptions(url, command))
  client.on('error', () => undefined) // the running statement fails with it
  try {
    await client.connect()
    await refuseOldServer(client)
    await client.query('set statement_timeout = 0')
    return client
  } catch (error) {
    await client.end().catch(() => undefined)
    throw asProblem(error, url)
  }
}

/** How each of our sessions is opened, in a pool or alone. */
function sessionOptions(url: string, command: string) {
  return {
    connectionString: url,
    application_name: `sheetcast ${command} ${process.pid}`,
    // Requests meanwhile fail within five seconds: the database is away.
    connectionTimeoutMillis: 4000,
    keepAlive: true,
    types,
  } satisfies ClientConfig
}

// A pooler in front has session numbers of its own, so the server is asked for its number.
const OPENING = `select pg_backend_pid() as pid, set_config('TimeZone', 'UTC', false)`

/** For the way of the response. */
const ANSWER_MS = 5000

const OLDEST = 15

async function refuseOldServer(database: Pool | Client) {
  const { rows } = await database.query<{ version: string; number: string }>(
    `select current_setting('server_version') as version, current_setting('server_version_num') as number`,
  )
  const { version = '?', number = '0' } = rows[0] ?? {}
  if (Number(number) < OLDEST * 10_000)
    throw new DatabaseProblem(
      'too_old',
      `The database is Postgres ${version}; Sheetcast needs ${OLDEST} or newer.`,
    )
}

/** XX001, XX002: a page or an index cannot be read. */
export const isDamage = (error: unknown) => ['XX001', 'XX002'].includes(codeOf(error) ?? '')

function asProblem(error: unknown, url: string) {
  if (error instanceof DatabaseProblem) return error
  if (isDamage(error))
    return new DatabaseProblem('damaged', `The database is damaged: ${textOf(error)}. Nothing was changed.`, {
      cause: error,
    })
  return new DatabaseProblem(
    'unreachable',
    `The database ${withoutPassword(url)} cannot be used: ${textOf(error)}`,
    {
      cause: error,
    },
  )
}

const withoutPassword = (url: string) => url.replace(/^(\w+:\/\/[^:@/]*):[^@/]*@/, '$1@').replace(/\?.*/, '')

import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { prepareFolder, type Folder } from './embedded-folder.ts'
import { launch, runningServer, stopServer, type Server } from './embedded-server.ts'
import { freePort } from '#server/free-port.ts'
import { DatabaseProblem, codeOf, textOf } from './problem.ts'

/**
 * A Postgres of our own in `data_dir`/postgres, held by one Sheetcast process at a time.
 *
 * Postgres itself records which process holds the folder: the holder has a session with an advisory lock. A
 * killed holder loses its session and so the lock, whatever the operating system; the server it left behind
 * is then adopted by the next start.
 */
export type Embedded = {
  url: string
  /** True when the server was left behind by a killed process. */
  adopted: boolean
  pid: () => number
  /** Releases the folder and stops the server: sessions end, committed work is on disk. */
  stop: () => Promise<void>
}

export type EmbeddedOptions = {
  data_dir: string
  /** The role of the holder, for the error message of the second process: serve, migrate, … */
  command: string
  /** False in tests only: a power cut may lose everything, starts and writes are faster. */
  durable?: boolean
  log?: (message: string) => void
}

/** Starts the server, or adopts one left behind. Refuses when another living process holds the folder. */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const log = options.log ?? (() => undefined)
  const folder = await prepareFolder(options.data_dir, log)
  let held = await hold(folder, options, await freePort())
  const stopping = new AbortController()
  let restarting = Promise.resolve()

  const restartOnLoss = () => {
    held.session.once('end', () => {
      if (!stopping.signal.aborted) restarting = restart()
    })
  }
  // A crash or a kill of the server must not end us: it is restarted on the same port, where all pools look
  // for it.
  const restart = async () => {
    log('the session with the embedded database ended; bringing it back')
    while (!stopping.signal.aborted) {
      try {
        held = await hold(folder, options, held.server.port)
        restartOnLoss()
        log('the embedded database is back')
        return
      } catch (error) {
        log(`the embedded database is not back yet: ${textOf(error)}`)
        await sleep(500)
      }
    }
  }
  restartOnLoss()

  return {
    url: urlOf(folder, held.server.port, 'sheetcast'),
    adopted: held.adopted,
    pid: () => held.server.pid,
    async stop() {
      stopping.abort()
      await restarting
      await held.session.end().catch(() => undefined)
      await stopServer(folder, held.server)
    },
  }
}

/**
 * The address of the server that a living Sheetcast process holds on this folder; null when there is none.
 */
export async function findEmbedded(dataDir: string): Promise<string | null> {
  const folder = await prepareFolder(dataDir, () => undefined, { create: false })
  if (!folder) return null
  const server = await runningServer(folder)
  if (!server) return null
  const session = await openSession(folder, server.port, 'sheetcast look')
  if (!session) return null
  try {
    return (await holderOf(session)) === null ? null : urlOf(folder, server.port, 'sheetcast')
  } finally {
    await session.end()
  }
}

type HeldServer = { server: Server; session: Client; adopted: boolean }

const ATTEMPTS = 5

async function hold(folder: Folder, options: EmbeddedOptions, port: number): Promise<HeldServer> {
  for (let attempt = 1; ; attempt += 1) {
    const left = await runningServer(folder)
    const server = left ?? (await launch(folder, { port, durable: options.durable ?? true }))
    const session = server === 'lost_race' ? null : await openSession(folder, server.port, nameOf(options))
    if (server !== 'lost_race' && session) {
      if (await takeLock(session)) return { server, session, adopted: left !== null }
      const holder = await holderOf(session)
      await session.end()
      throw inUse(folder, holder)
    }
    if (attempt === ATTEMPTS)
      throw new DatabaseProblem(
        'unreachable',
        `Postgres in ${folder.postgres_dir} runs but does not respond.`,
      )
    await sleep(100 * attempt)
  }
}

const nameOf = ({ command }: EmbeddedOptions) => `sheetcast ${command} ${process.pid}`

// An arbitrary number: the letters "sheet" as ASCII.
const LOCK = 0x7368656574

async function takeLock(session: Client) {
  const { rows } = await session.query<{ taken: boolean }>(`select pg_try_advisory_lock(${LOCK}) as taken`)
  return rows[0]?.taken === true
}

/** The application name of the session that has the lock: "sheetcast serve 4711". */
async function holderOf(session: Client): Promise<string | null> {
  const { rows } = await session.query<{ application_name: string }>(
    `select a.application_name from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.granted and (l.classid::bigint << 32 | l.objid::bigint) = ${LOCK}`,
  )
  return rows[0]?.application_name ?? null
}

function inUse(folder: Folder, holder: string | null) {
  const [, command = '?', pid = '?'] = (holder ?? '').split(' ')
  return new DatabaseProblem(
    'folder_in_use',
    `${folder.data_dir} is in use by "sheetcast ${command}" (process ${pid}). Stop that process, or give this one a folder of its own with DATA_DIR.`,
  )
}

/** A session in the maintenance database; null when the server does not accept us (yet, or any more). */
async function openSession(folder: Folder, port: number, application_name: string) {
  const session = new Client({
    connectionString: urlOf(folder, port, 'postgres'),
    application_name,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
  })
  session.on('error', () => undefined) // the end event follows and is handled
  try {
    await session.connect()
    return session
  } catch (error) {
    // 57P03: starting up or stopping; ECONN…: gone in between. Both are temporary. The password is ours
    // alone, so 28P01 is a foreign server.
    const code = codeOf(error)
    if (code === '57P03' || code?.startsWith('ECONN')) return null
    throw new DatabaseProblem(
      'folder_damaged',
      `Postgres in ${folder.postgres_dir} refuses its own password file or database: ${textOf(error)}. Nothing was changed.`,
      { cause: error },
    )
  }
}

const urlOf = (folder: Folder, port: number, database: string) =>
  `postgres://sheetcast:${folder.password}@127.0.0.1:${port}/${database}`

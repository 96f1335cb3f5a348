import { spawn, execFile, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile, readlink, realpath, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { environmentOfPrograms } from '#server/child-environment.ts'
import { isAlive, type Folder } from './embedded-folder.ts'
import { DatabaseProblem } from './problem.ts'

/** A running postmaster; `child` when this process started it. */
export type Server = { pid: number; port: number; child: ChildProcess | null }

/** The server that runs on this folder, ready for sessions; null when there is none. */
export async function runningServer(folder: Folder): Promise<Server | null> {
  for (const until = Date.now() + 60_000; ; await sleep(20)) {
    const file = await readPidFile(folder)
    if (!file || !isAlive(file.pid)) return null
    if (!(await isPostmaster(folder, file.pid))) {
      await disownPidFile(folder)
      return null
    }
    if (file.status === 'ready') return { pid: file.pid, port: file.port, child: null }
    if (Date.now() > until)
      throw new DatabaseProblem(
        'unreachable',
        `Postgres in ${folder.postgres_dir} (process ${file.pid}) has been ${file.status} for a minute.`,
      )
  }
}

/**
 * Starts a server and waits until it is ready, however long recovery takes. 'lost_race': another process
 * started one, or the port was taken, in the same moment; check again.
 */
export async function launch(
  folder: Folder,
  { port, durable }: { port: number; durable: boolean },
): Promise<Server | 'lost_race'> {
  const log = await openLog(folder)
  const child = spawn(folder.engine.postgres, ['-D', folder.postgres_dir, ...settings(port, durable)], {
    ...folder.run_as,
    // A group of its own: Ctrl-C reaches us, and we stop the server after our own work.
    detached: true,
    windowsHide: true,
    stdio: ['ignore', log.file.fd, log.file.fd],
    env: environmentOfPrograms(),
  })
  const failed = once(child, 'error').then(([error]) => String(error))
  const exited = once(child, 'exit').then(() => 'exited')
  try {
    for (;;) {
      const ended = await Promise.race([failed, exited, sleep(10)])
      if (typeof ended === 'string') return await refusal(folder, ended, await log.written())
      const file = await readPidFile(folder)
      if (file?.pid !== child.pid || file?.status !== 'ready') continue
      child.unref()
      return { pid: file.pid, port, child }
    }
  } finally {
    await log.file.close()
  }
}

/**
 * Fast shutdown; after eight seconds an immediate one, which is as safe and leaves the recovery to the next
 * start.
 */
export async function stopServer(folder: Folder, { pid, child }: Server): Promise<void> {
  if (process.platform === 'win32') {
    await promisify(execFile)(folder.engine.pg_ctl, ['stop', '-D', folder.postgres_dir, '-m', 'fast', '-w'], {
      env: environmentOfPrograms(),
    })
    return
  }
  for (const [signal, patience] of [
    ['SIGINT', 8000],
    ['SIGQUIT', 5000],
  ] as const) {
    if (!isAlive(pid)) return
    process.kill(pid, signal)
    if (await hasExited(folder, { pid, child }, patience)) return
  }
}

const settings = (port: number, durable: boolean) =>
  Object.entries({
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 100,
    shared_buffers: '128MB',
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    max_wal_size: '512MB',
    random_page_cost: 1.1,
    jit: 'off',
    // Three helper processes fewer; a small machine gains nothing from asynchronous reads.
    io_method: 'sync',
    max_logical_replication_workers: 0,
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Refused statements are reported by the caller, and their text may hold people's data.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    ...(durable
      ? {}
      : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' }),
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`])

const LOG_LIMIT = 10_000_000

async function openLog(folder: Folder) {
  const path = join(folder.data_dir, 'postgres.log')
  const before = await stat(path).then(
    ({ size }) => size,
    () => 0,
  )
  if (before > LOG_LIMIT) await truncate(path)
  const start = before > LOG_LIMIT ? 0 : before
  const file = await open(path, 'a', 0o600)
  return { file, written: async () => (await readFile(path)).subarray(start).toString() }
}

async function refusal(folder: Folder, ended: string, log: string): Promise<'lost_race'> {
  if (/could not bind|lock file ".*" already exists/.test(log)) return 'lost_race'
  // Sessions of a killed server that have not noticed yet.
  if (/pre-existing shared memory block/.test(log)) {
    await sleep(500)
    return 'lost_race'
  }
  const reasons = log.split('\n').filter(line => /FATAL|PANIC|error while loading/.test(line))
  const reason =
    (reasons.at(-1) ?? log.trim().split('\n').at(-1) ?? '').replace(/^.*?(FATAL|PANIC):\s*/, '') || ended
  throw new DatabaseProblem(
    /No space left/.test(reason) ? 'folder_unwritable' : 'folder_damaged',
    `Postgres cannot start on ${folder.postgres_dir}: ${reason}. Nothing was changed. More is in ${join(folder.data_dir, 'postgres.log')}.`,
  )
}

type PidFile = { pid: number; port: number; status: string }

// Lines: pid, folder, start time, port, socket folder, listen address, shared memory, status.
async function readPidFile(folder: Folder): Promise<PidFile | null> {
  const text = await readFile(pidFileOf(folder), 'utf8').catch(() => '')
  const lines = text.split('\n')
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0) return null
  return { pid, port: Number(lines[3]), status: lines[7]?.trim() || 'starting' }
}

/**
 * After a restart of the machine the noted process number may belong to another program, and Postgres would
 * refuse to start. It treats its parent's number as stale; the rest of the file stays, because Postgres
 * checks by it that no old session lives.
 */
async function disownPidFile(folder: Folder) {
  const text = await readFile(pidFileOf(folder), 'utf8')
  await writeFile(pidFileOf(folder), text.replace(/^\d+/, String(process.pid)))
}

const pidFileOf = (folder: Folder) => join(folder.postgres_dir, 'postmaster.pid')

async function isPostmaster(folder: Folder, pid: number): Promise<boolean> {
  if (pid === process.pid) return false
  if (process.platform === 'win32') return true
  if (process.platform === 'linux') {
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => null)
    return cwd === (await realpath(folder.postgres_dir))
  }
  const ps = await promisify(execFile)('ps', ['-o', 'args=', '-p', String(pid)], {
    env: environmentOfPrograms(),
  }).catch(() => ({ stdout: '' }))
  return ps.stdout.includes(folder.postgres_dir)
}

// An adopted server may stay a zombie where no init reaps it (some containers); its pid file is gone all the
// same.
async function hasExited(folder: Folder, { pid, child }: Pick<Server, 'pid' | 'child'>, patience: number) {
  for (const until = Date.now() + patience; Date.now() < until; await sleep(10)) {
    if (
      child ? child.exitCode !== null || child.signalCode !== null : (await readPidFile(folder))?.pid !== pid
    )
      return true
  }
  return false
}

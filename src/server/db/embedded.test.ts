import { spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { Client } from 'pg'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { copyWithOwners } from './testing/copy.ts'
import { eventually } from './testing/eventually.ts'
import { findEmbedded } from './embedded.ts'

const asRoot = process.getuid?.() === 0
const NOBODY = 65_534
/**
 * Other users cannot run a checkout below a home folder that is closed to them: these tests are skipped
 * there.
 */
const othersMayRun = isOpenToOthers(import.meta.dirname)

function isOpenToOthers(folder: string): boolean {
  const isOpen = (statSync(folder).mode & 0o001) !== 0
  return isOpen && (folder === dirname(folder) || isOpenToOthers(dirname(folder)))
}

describe('the embedded Postgres', () => {
  it('keeps its folder and password private, listens on loopback only and waits for the disk', async () => {
    const dataDir = await newFolder()
    const { url } = await start(dataDir)

    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
    expect((await stat(join(dataDir, 'postgres/sheetcast.password'))).mode & 0o777).toBe(0o600)
    expect(new URL(url).hostname).toBe('127.0.0.1')
    const settings = ['listen_addresses', 'password_encryption', 'fsync', 'jit', 'TimeZone']
    const rows = await query(
      url,
      `select ${settings.map(name => `current_setting('${name}')`).join(" || ';' || ")} as all`,
    )
    expect(rows).toEqual([{ all: '127.0.0.1;scram-sha-256;on;off;UTC' }])
    await expect(query(url.replace(/:[^:@]*@/, ':guess@'), 'select 1')).rejects.toMatchObject({
      code: '28P01',
    })
    expect(await query(url, `select rolsuper from pg_roles where rolname = current_user`)).toEqual([
      { rolsuper: false },
    ])
  })

  it.runIf(process.platform === 'linux')('gets none of our secrets in its environment', async () => {
    const secrets = {
      DATABASE_URL: 'postgres://ann:canary-1@db.example/x',
      CREDENTIAL_KEYS: 'canary-2',
      META_ACCESS_TOKEN: 'canary-3',
      METRICS_TOKEN: 'canary-4',
      SMTP_URL: 'smtp://ann:canary-5@smtp.example',
      DEMO_PASSWORD: 'canary-6',
      PGPASSWORD: 'canary-7',
      ANYTHING_ELSE: 'canary-8',
    }
    const { url, server_pid, holder } = await start(await newFolder(), { env: secrets })
    expect(await readFile(`/proc/${holder.pid}/environ`, 'utf8')).toContain('ANYTHING_ELSE=canary-8')
    const session = new Client({ connectionString: url })
    await session.connect()
    const { rows } = await session.query<{ pid: number }>('select pg_backend_pid() as pid')
    for (const pid of [server_pid, Number(rows[0]?.pid)]) {
      const environment = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0')
      const names = environment.flatMap(line => /^[A-Z]\w*(?==)/.exec(line)?.[0] ?? [])
      const own = names.filter(name => !name.startsWith('PG'))
      expect(own.filter(name => !['PATH', 'LC_ALL', 'TZ', 'LD_LIBRARY_PATH'].includes(name))).toEqual([])
      expect(environment.join('\n')).not.toContain('canary')
    }
    await session.end()
  })

  it('keeps what was committed over a clean stop', async () => {
    const dataDir = await filledFolder()
    const first = await start(dataDir)
    await query(first.url, 'create table kept as select 42 as answer')
    await first.end('SIGTERM')
    expect(await readdir(join(dataDir, 'postgres'))).not.toContain('postmaster.pid')
    expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).toMatch(/database system is shut down\s*$/)

    const second = await start(dataDir)
    expect(second.adopted).toBe(false)
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }])
  })

  it('names the holder of the folder to the second process', async () => {
    const dataDir = await filledFolder()
    const first = await start(dataDir)
    expect(await refusal(dataDir)).toBe(
      `folder_in_use: ${dataDir} is in use by "sheetcast serve" (process ${first.holder.pid}). Stop that process, or give this one a folder of its own with DATA_DIR.`,
    )
    expect(await query(first.url, 'select 1 as still')).toEqual([{ still: 1 }])
  })

  it('lets exactly one of two processes have an empty folder', async () => {
    const dataDir = await newFolder()
    const outcomes = await Promise.allSettled([start(dataDir), start(dataDir), start(dataDir)])
    const lost = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [String(outcome.reason)] : []))
    expect(lost).toEqual([expect.stringContaining('is in use by'), expect.stringContaining('is in use by')])
    expect(await contentOf(dataDir)).toEqual(['postgres', 'postgres.log'])
  })

  it('is found by the command line while a process holds it, and only then', async () => {
    const dataDir = await filledFolder()
    expect(await findEmbedded(dataDir)).toBe(null)
    const held = await start(dataDir)
    expect(await findEmbedded(dataDir)).toBe(held.url)
    await held.end('SIGKILL')
    await eventually(async () => expect(await findEmbedded(dataDir)).toBe(null))
  })
})

describe('after a kill', () => {
  it('the server left behind is adopted by the next start', async () => {
    const dataDir = await filledFolder()
    const killed = await start(dataDir)
    await query(killed.url, 'create table kept as select 42 as answer')
    await killed.end('SIGKILL')

    const next = await start(dataDir)
    expect(next).toMatchObject({ adopted: true, url: killed.url, server_pid: killed.server_pid })
    expect(await query(next.url, 'select answer from kept')).toEqual([{ answer: 42 }])
    await next.end('SIGTERM')
    expect(await readdir(join(dataDir, 'postgres'))).not.toContain('postmaster.pid')
  })

  it('of the server too, the next start recovers what was committed', async () => {
    const dataDir = await filledFolder()
    const killed = await start(dataDir)
    await query(killed.url, 'create table kept as select 42 as answer')
    await killed.end('SIGKILL')
    process.kill(killed.server_pid, 'SIGKILL')

    const next = await start(dataDir)
    expect(next.adopted).toBe(false)
    expect(await query(next.url, 'select answer from kept')).toEqual([{ answer: 42 }])
  })

  it('of the server alone, it comes back at the same address', async () => {
    const dataDir = await filledFolder()
    const held = await start(dataDir)
    process.kill(held.server_pid, 'SIGKILL')
    await eventually(async () => expect(await query(held.url, 'select 1 as back')).toEqual([{ back: 1 }]))
    await eventually(async () => expect(await refusal(dataDir)).toContain(`process ${held.holder.pid}`))
    await held.end('SIGTERM')
    expect(await readdir(join(dataDir, 'postgres'))).not.toContain('postmaster.pid')
  })

  it('in the middle of the creation, the next start begins anew', async () => {
    const dataDir = await newFolder()
    const creating = spawnHolder(dataDir)
    await eventually(async () => expect((await readdir(dataDir)).join()).toMatch(/postgres\.new-\d+(,|$)/))
    creating.kill('SIGKILL')
    await once(creating, 'exit')

    // What the killed start had begun may continue for a moment; a later start removes it.
    await eventually(async () => {
      const next = await start(dataDir)
      expect(await query(next.url, 'select 1 as fine')).toEqual([{ fine: 1 }])
      await next.end('SIGTERM')
      expect(await contentOf(dataDir)).toEqual(['postgres', 'postgres.log'])
    })
  })

  it('a stale pid file with the number of another program is recognised', async () => {
    const dataDir = await filledFolder()
    const killed = await start(dataDir)
    const note = join(dataDir, 'postgres/postmaster.pid')
    await killed.end('SIGKILL')
    process.kill(killed.server_pid, 'SIGKILL')
    const owner = await stat(note)
    const foreign = spawn('sleep', ['60'], asRoot ? { uid: owner.uid, gid: owner.gid } : {})
    started.push(foreign)
    await writeFile(note, (await readFile(note, 'utf8')).replace(/^\d+/, String(foreign.pid)))

    const next = await start(dataDir)
    expect(await query(next.url, 'select 1 as fine')).toEqual([{ fine: 1 }])
    expect(foreign.exitCode).toBe(null)
  })
})

describe('a folder that cannot be used is named with the reason and left unchanged', async () => {
  const stopped = await filledFolder()
  const postgres = join(stopped, 'postgres')

  const refusedUntouched = async () => {
    const before = await fingerprint(postgres)
    const message = await refusal(stopped)
    expect(await fingerprint(postgres)).toEqual(before)
    return message
  }

  it('of another major version', async () => {
    await writeFile(join(postgres, 'PG_VERSION'), '15\n')
    expect(await refusedUntouched()).toMatch(
      /^other_version: .* was written by Postgres 15; .*sheetcast backup/,
    )
    await writeFile(join(postgres, 'PG_VERSION'), '18\n')
  })

  it('without the password', async () => {
    const path = join(postgres, 'sheetcast.password')
    const { uid, gid } = await stat(path)
    const password = await readFile(path)
    await rm(path)
    expect(await refusedUntouched()).toMatch(/^folder_damaged: .*sheetcast\.password/)
    await writeFile(path, password, { mode: 0o600 })
    await chown(path, uid, gid)
  })

  it('with a cut control file', async () => {
    const path = join(postgres, 'global/pg_control')
    const whole = await readFile(path)
    await truncate(path, 100)
    expect(await refusedUntouched()).toMatch(/^folder_damaged: Postgres cannot start on .*pg_control/)
    await writeFile(path, whole)
  })

  it('without its write-ahead log', async () => {
    const wal = join(postgres, 'pg_wal')
    const [segment = ''] = (await readdir(wal)).filter(name => /^\w{24}$/.test(name))
    const whole = await readFile(join(wal, segment))
    await writeFile(join(wal, segment), Buffer.alloc(whole.length))
    expect(await refusedUntouched()).toMatch(/^folder_damaged: .*could not locate a valid checkpoint record/)
    await writeFile(join(wal, segment), whole)
    const again = await start(stopped)
    await again.end('SIGTERM')
  })

  it('that holds something else', async () => {
    const dataDir = await newFolder()
    await mkdir(join(dataDir, 'postgres'))
    await writeFile(join(dataDir, 'postgres/letter.txt'), 'Dear Ann')
    expect(await refusal(dataDir)).toMatch(/^folder_damaged: .*PG_VERSION is missing/)
    expect(await readdir(join(dataDir, 'postgres'))).toEqual(['letter.txt'])
  })

  it('because it is a file', async () => {
    const dataDir = join(await newFolder(), 'file')
    await writeFile(dataDir, '')
    expect(await refusal(dataDir)).toMatch(/^folder_unwritable: .*ENOTDIR/)
  })
})

describe.runIf(asRoot)('as root', () => {
  it('the server runs as the owner of the folder', async () => {
    const dataDir = await newFolder()
    const { server_pid } = await start(dataDir)
    const { uid } = await stat(join(dataDir, 'postgres'))
    expect(uid).not.toBe(0)
    expect((await stat(`/proc/${server_pid}`)).uid).toBe(uid)
  })

  it.runIf(othersMayRun)('a folder that an ordinary user made stays that user’s', async () => {
    const dataDir = await newFolder({ owner: NOBODY })
    const first = await start(dataDir, { uid: NOBODY })
    await first.end('SIGTERM')
    const second = await start(dataDir)
    expect((await stat(`/proc/${second.server_pid}`)).uid).toBe(NOBODY)
    await second.end('SIGTERM')
    await start(dataDir, { uid: NOBODY })
  })

  it('a folder that the server cannot reach is refused, with a suggestion that works', async () => {
    const home = await newFolder()
    await chmod(home, 0o700)
    const message = await refusal(join(home, 'sheetcast/data'))
    expect(message).toMatch(
      new RegExp(`^folder_unreachable: .*${home} is closed to others.* DATA_DIR=/\\S+sheetcast,`),
    )
    expect(await readdir(home)).toEqual([])
  })

  it('a folder with other people’s files keeps its owner and mode', async () => {
    const dataDir = await newFolder()
    await writeFile(join(dataDir, 'key.json'), '{}')
    await chmod(dataDir, 0o755)
    await start(dataDir)
    expect(await stat(dataDir)).toMatchObject({
      uid: 0,
      mode: expect.toSatisfy(mode => (mode & 0o777) === 0o755),
    })
  })
})

describe.runIf(asRoot && othersMayRun)('as an ordinary user', () => {
  it('the server starts, stops and is adopted the same way', async () => {
    const dataDir = await newFolder({ owner: NOBODY })
    const killed = await start(dataDir, { uid: NOBODY })
    await killed.end('SIGKILL')
    expect(await start(dataDir, { uid: NOBODY })).toMatchObject({ adopted: true })
  })

  it('a folder that may not be written is refused', async () => {
    const parent = await newFolder()
    await chmod(parent, 0o755)
    expect(await refusal(join(parent, 'data'), { uid: NOBODY })).toMatch(
      /^folder_unwritable: .*EACCES.*DATA_DIR/,
    )
    expect(await readdir(parent)).toEqual([])
  })
})

const HOLDER = `
  import { startEmbedded } from ${JSON.stringify(new URL('./embedded.ts', import.meta.url).href)}
  try {
    const embedded = await startEmbedded({ data_dir: process.argv[1], command: 'serve' })
    process.once('SIGTERM', async () => { await embedded.stop(); process.exit(0) })
    console.log(JSON.stringify({ url: embedded.url, adopted: embedded.adopted, server_pid: embedded.pid() }))
  } catch (error) {
    console.log(JSON.stringify({ refused: error.code + ': ' + error.message }))
    process.exit(1)
  }`

/**
 * A folder with a database that was stopped: a copy of one, since creating it takes longer than most tests.
 */
async function filledFolder() {
  const folder = await newFolder()
  // Keeps the owners.
  copyWithOwners(`${await (filled ??= fill())}/.`, folder)
  return folder
}

let filled: Promise<string> | undefined

async function fill() {
  const folder = await newFolder()
  const { end } = await start(folder)
  await end('SIGTERM')
  return folder
}

const started: ChildProcess[] = []
const folders: string[] = []

afterEach(endAll)
afterAll(async () => {
  await endAll()
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

/** Stops what a test started; also servers whose holder it has killed. */
async function endAll() {
  for (const child of started.splice(0))
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
  for (const folder of folders) {
    const note = await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8').catch(() => '')
    const pid = Number(note.split('\n')[0])
    if (pid > 1 && (await isPostgres(pid))) process.kill(pid, 'SIGQUIT')
  }
}

const isPostgres = (pid: number) =>
  readFile(`/proc/${pid}/cmdline`, 'utf8').then(
    line => line.includes('postgres'),
    () => false,
  )

/** Without the engine, which is copied there when it cannot be run where it is. */
const contentOf = async (dataDir: string) =>
  (await readdir(dataDir)).filter(name => name !== 'engine').toSorted()

async function newFolder({ owner }: { owner?: number } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'sheetcast-embedded-'))
  folders.push(folder)
  if (owner !== undefined) await chown(folder, owner, owner)
  return folder
}

interface HeldAs {
  uid?: number
  env?: Record<string, string>
}

function spawnHolder(dataDir: string, { uid, env = {} }: HeldAs = {}) {
  const holder = spawn(process.execPath, ['--input-type=module-typescript', '-e', HOLDER, dataDir], {
    ...(uid === undefined ? {} : { uid, gid: uid }),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  started.push(holder)
  return holder
}

/** A process of its own that holds the folder until it is ended. */
async function start(dataDir: string, as: HeldAs = {}) {
  const holder = spawnHolder(dataDir, as)
  for await (const line of createInterface({ input: holder.stdout })) {
    const { refused, url, adopted, server_pid } = JSON.parse(line)
    if (refused) throw new Error(refused)
    return { holder, url: String(url), adopted: Boolean(adopted), server_pid: Number(server_pid), end }
  }
  throw new Error(`the holder ended: ${await text(holder.stdout)}`)

  async function end(signal: NodeJS.Signals) {
    holder.kill(signal)
    await once(holder, 'exit')
  }
}

async function refusal(dataDir: string, as: { uid?: number } = {}) {
  return await start(dataDir, as).then(
    () => 'not refused',
    (error: Error) => error.message,
  )
}

async function query(url: string, statement: string) {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

/** Every file with its hash; postmaster.pid and .opts are written by Postgres when it tries to start. */
async function fingerprint(folder: string) {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(
    entry => entry.isFile() && !entry.name.startsWith('postmaster.'),
  )
  const hashed = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name)
      return `${path} ${createHash('sha256')
        .update(await readFile(path))
        .digest('hex')}`
    }),
  )
  return hashed.toSorted()
}

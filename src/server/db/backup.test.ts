import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { backup } from './backup.ts'
import { describeSchema } from './describe-schema.ts'
import { migrate, readMigrations } from './migrate.ts'
import { restore } from './restore.ts'
import { createTestDatabase } from './testing/database.ts'

const NOW = new Date('2026-03-01T09:00:00Z')

// Circular references, a generated column, a trigger that would change what is restored, rows made by the
// migration itself, text that COPY has to escape, bytes, a table without a key, a name that needs quotes.
const ONE = `
  create table person (id bigint generated always as identity primary key, name text not null, boss bigint references person,
    shout text generated always as (upper(name)) stored);
  create table team (id bigint generated always as identity primary key, lead bigint not null references person);
  alter table person add column team bigint references team;
  create table "Odd Name" (at timestamptz, amount numeric, bytes bytea, facts jsonb, span interval, half float8);
  create function shouted() returns trigger language plpgsql as $$ begin new.name := new.name || '!'; return new; end $$;
  create trigger person_shouted before insert on person for each row execute function shouted();
  create table setting (name text primary key, value text);
  insert into setting values ('colour', 'blue');
  create table empty_one (id int primary key);`
const ROWS = `
  insert into person (name) values (E'tab\\t newline\\n backslash \\\\ null \\\\N 字'), ('Bo');
  update person set boss = 2 where id = 1; update person set boss = 1 where id = 2;
  insert into team (lead) values (1); update person set team = 1;
  update setting set value = 'red';
  insert into "Odd Name" values
    ('2026-02-28 12:34:56.789012+08', 0.10, '\\x00ff', '{"a": [1, null]}', '1 day 02:00', 0.1), (null, null, null, null, null, 'NaN');
  create schema pgboss; create table pgboss.job (id int); insert into pgboss.job values (1);`
const TWO = "alter table team add column name text not null default 'none';"

let folder: string
let file: string
let source: Database
const opened: { close: () => Promise<void> }[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheetcast-backup-'))
  file = join(folder, 'backup.tar.gz')
  source = await newDatabase()
  opened.splice(0) // it stays to the end
  await migrate(source.url, { migrations: await migrationsOf(ONE) })
  await source.ask(ROWS)
  await backup(source.url, file, NOW)
})
afterEach(async () => {
  for (const { close } of opened.splice(0)) await close()
})
afterAll(async () => {
  await source.close()
  await rm(folder, { recursive: true, force: true })
})

describe('a backup', () => {
  it('is one private file that tar can open', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const { stdout } = await promisify(execFile)('tar', ['tzf', file])
    expect(stdout.split('\n')).toEqual([
      'tables/Odd Name/000001.copy',
      'tables/person/000001.copy',
      'tables/setting/000001.copy',
      'tables/team/000001.copy',
      'manifest.json',
      '',
    ])
  })

  it('restores everything but the messages that earlier releases kept', async () => {
    const target = await newDatabase()
    const manifest = await restore(target.url, file, { migrations: await migrationsOf(ONE) })
    expect(manifest).toMatchObject({
      made_at: NOW.toISOString(),
      tables: expect.arrayContaining([expect.objectContaining({ name: 'person', rows: 2 })]),
    })
    expect(await contentOf(target)).toEqual(await contentOf(source))
    expect(await describeSchema(target.url)).toBe(await describeSchema(source.url))
    expect(await target.ask(`select to_regclass('pgboss.job') as job`)).toEqual([{ job: null }])
    expect(await target.ask(`insert into person (name) values ('Cy') returning id, name`)).toEqual([
      { id: '3', name: 'Cy!' },
    ])
  })

  it('of an older version is migrated to this one', async () => {
    const target = await newDatabase()
    await restore(target.url, file, { migrations: await migrationsOf(ONE, TWO) })
    expect(await target.ask('select id, lead, name from team')).toEqual([
      { id: '1', lead: '1', name: 'none' },
    ])
    expect(await migrate(target.url, { migrations: await migrationsOf(ONE, TWO) })).toEqual([])
  })

  it('of one instant holds the rows of that instant, whatever is written meanwhile', async () => {
    const busy = await newDatabase()
    await busy.ask('create table a (id int primary key, n int); create table b (id int primary key, n int)')
    await busy.ask(
      `create table schema_migration (name text primary key, checksum text, started_at timestamptz, finished_at timestamptz)`,
    )
    const migrations = await migrationsOf(
      'create table a (id int primary key, n int); create table b (id int primary key, n int);',
    )
    for (const { name, checksum } of migrations)
      await busy.ask(`insert into schema_migration values ('${name}', '${checksum}', now(), now())`)
    await busy.ask(
      'insert into a select id, 0 from generate_series(1, 50000) id; insert into b values (1, 0)',
    )
    const writer = new Client(busy.url)
    await writer.connect()
    const stop = new AbortController()
    const writing = (async () => {
      while (!stop.signal.aborted)
        await writer.query('begin; update a set n = n + 1 where id = 50000; update b set n = n + 1; commit')
    })()
    const path = join(folder, 'busy.tar.gz')
    await backup(busy.url, path, NOW)
    stop.abort()
    await writing
    await writer.end()

    const target = await newDatabase()
    await restore(target.url, path, { migrations })
    const [row] = await target.ask('select a.n as a, b.n as b from a, b where a.id = 50000')
    expect(row?.a).toBe(row?.b)
  })

  it('of the product’s own schema restores', async () => {
    const product = await newDatabase()
    await migrate(product.url)
    await product.ask(`insert into users (username, identity, user_type) values ('ann', 'staff', 1)`)
    const path = join(folder, 'product.tar.gz')
    await backup(product.url, path, NOW)
    const target = await newDatabase()
    await migrate(target.url)
    await restore(target.url, path)
    expect(await target.ask('select username from users')).toEqual([{ username: 'ann' }])
    expect(await describeSchema(target.url)).toBe(await describeSchema(product.url))
  })

  it('that cannot be written leaves no file', async () => {
    await expect(backup(source.url, join(folder, 'missing/backup.tar.gz'), NOW)).rejects.toMatchObject({
      code: 'ENOENT',
    })
    const empty = await newDatabase()
    await expect(backup(empty.url, join(folder, 'nothing.tar.gz'), NOW)).rejects.toMatchObject({
      code: 'not_ours',
    })
    expect((await readdir(folder)).filter(name => /partial|nothing/.test(name))).toEqual([])
  })
})

describe('a restore changes nothing', () => {
  it('when the database is not empty, unless forced', async () => {
    const target = await filledDatabase()
    expect(await refusal(target, file)).toMatchObject({
      code: 'not_empty',
      message: expect.stringContaining('--force'),
    })
    await restore(target.url, file, { migrations: await migrationsOf(ONE), force: true })
    expect(await contentOf(target)).toEqual(await contentOf(source))
  })

  it('when another process uses the database', async () => {
    const target = await filledDatabase()
    const other = new Client({ connectionString: target.url, application_name: 'sheetcast serve 4711' })
    await other.connect()
    expect(await refusal(target, file, { force: true })).toMatchObject({
      code: 'busy',
      message: expect.stringContaining('in use by sheetcast serve 4711'),
    })
    await other.end()
  })

  it('when the file is cut anywhere', async () => {
    const whole = await readFile(file)
    const target = await filledDatabase()
    for (const part of [0, 0.1, 0.5, 0.9, 0.999]) {
      const path = join(folder, 'cut.tar.gz')
      await writeFile(path, whole.subarray(0, Math.floor(whole.length * part)))
      expect(await refusal(target, path, { force: true })).toMatchObject({ code: 'backup_unreadable' })
    }
  })

  it('when a byte of the file is wrong', async () => {
    const whole = await readFile(file)
    const target = await filledDatabase()
    for (let at = 11; at < whole.length; at += Math.ceil(whole.length / 25)) {
      const path = join(folder, 'wrong.tar.gz')
      const wrong = Buffer.from(whole)
      wrong[at] = (wrong[at] ?? 0) ^ 0x10
      await writeFile(path, wrong)
      expect(await refusal(target, path, { force: true })).toMatchObject({ code: 'backup_unreadable' })
    }
  })

  it('when the file is no backup or missing', async () => {
    const target = await filledDatabase()
    const path = join(folder, 'letter.txt')
    await writeFile(path, 'Dear Ann')
    expect(await refusal(target, path, { force: true })).toMatchObject({ code: 'backup_unreadable' })
    await promisify(execFile)('tar', ['czf', join(folder, 'other.tar.gz'), '-C', folder, 'letter.txt'])
    expect(await refusal(target, join(folder, 'other.tar.gz'), { force: true })).toMatchObject({
      code: 'backup_unreadable',
    })
    expect(await refusal(target, join(folder, 'absent'), { force: true })).toMatchObject({ code: 'ENOENT' })
  })

  it('when the backup is of a newer version', async () => {
    const newer = await newDatabase()
    await migrate(newer.url, { migrations: await migrationsOf(ONE, TWO) })
    const path = join(folder, 'newer.tar.gz')
    await backup(newer.url, path, NOW)
    const target = await filledDatabase()
    expect(await refusal(target, path, { force: true })).toMatchObject({
      code: 'newer',
      message: expect.stringContaining('0002_step'),
    })
  })

  it('when a later migration fails on the restored rows', async () => {
    const target = await filledDatabase()
    const migrations = await migrationsOf(ONE, 'alter table person add check (boss is null);')
    const failure = await restore(target.url, file, { migrations, force: true }).catch(
      (error: unknown) => error,
    )
    expect(failure).toMatchObject({
      code: 'migration_failed',
      message: expect.stringContaining('Nothing was changed'),
    })
    expect(await target.ask('select name from person')).toEqual([{ name: 'Old!' }])
  })

  it('when it is killed half-way', async () => {
    const target = await filledDatabase()
    const slow = await newFolderOf(ONE, 'select pg_sleep(60);')
    const program = `
      import { readMigrations } from ${JSON.stringify(new URL('./migrate.ts', import.meta.url).href)}
      import { restore } from ${JSON.stringify(new URL('./restore.ts', import.meta.url).href)}
      const [url, file, folder] = process.argv.slice(1)
      await restore(url, file, { migrations: await readMigrations(folder), force: true })`
    const restoring = spawn(
      process.execPath,
      ['--input-type=module-typescript', '-e', program, target.url, file, slow],
      { stdio: 'inherit' },
    )
    const sleeping = `from pg_stat_activity where query like '%pg_sleep(60)%' and pid <> pg_backend_pid()`
    for (let sessions = 0; sessions === 0;) sessions = (await source.ask(`select pid ${sleeping}`)).length
    restoring.kill('SIGKILL')
    await once(restoring, 'exit')
    await source.ask(`select pg_terminate_backend(pid) ${sleeping}`)
    expect(await target.ask('select name from person')).toEqual([{ name: 'Old!' }])
  })
})

type Database = Awaited<ReturnType<typeof newDatabase>>

async function newDatabase() {
  const { url, drop } = await createTestDatabase()
  const database = {
    url,
    close: drop,
    async ask(statement: string): Promise<Record<string, unknown>[]> {
      const client = new Client(url)
      await client.connect()
      try {
        return (await client.query(statement)).rows
      } finally {
        await client.end()
      }
    },
  }
  opened.push(database)
  return database
}

const migrationsOf = async (...texts: string[]) => await readMigrations(await newFolderOf(...texts))

async function newFolderOf(...texts: string[]) {
  const path = await mkdtemp(join(folder, 'migrations-'))
  for (const [index, text] of texts.entries()) await writeFile(join(path, `000${index + 1}_step.sql`), text)
  return path
}

/** A database with a role of its own; what a restore must not change. */
async function filledDatabase() {
  const database = await newDatabase()
  await migrate(database.url, { migrations: await migrationsOf(ONE) })
  await database.ask(`insert into person (name) values ('Old')`)
  return database
}

async function refusal(target: Database, path: string, { force = false } = {}) {
  const failure = await restore(target.url, path, { migrations: await migrationsOf(ONE), force }).catch(
    (error: unknown) => error,
  )
  expect(await target.ask('select name from person')).toEqual([{ name: 'Old!' }])
  return failure
}

async function contentOf({ ask: query }: Database) {
  return await Promise.all([
    query('select * from person order by id'),
    query('select * from team'),
    query('select * from setting'),
    query('select * from "Odd Name" order by at'),
  ])
}

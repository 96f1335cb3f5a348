import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startEmbedded } from './embedded.ts'
import { migrate, readMigrations } from './migrate.ts'
import { createTestDatabase } from './testing/database.ts'
import { eventually } from './testing/eventually.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let query: (statement: string) => Promise<Record<string, unknown>[]>
let client: Client

beforeEach(async () => {
  database = await createTestDatabase()
  client = new Client(database.url)
  await client.connect()
  query = async statement => (await client.query(statement)).rows
})
afterEach(async () => {
  await client.end()
  await database.drop()
})

const folders: string[] = []
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

const ONE = { '0001_one.sql': 'create table one (id int);' }
const TWO = { ...ONE, '0002_two.sql': 'create table two (id int);\ninsert into two values (2);' }

describe('migrations', () => {
  it('run in order, once', async () => {
    expect(await migrateWith(ONE)).toEqual(['0001_one'])
    expect(await migrateWith(TWO)).toEqual(['0002_two'])
    expect(await migrateWith(TWO)).toEqual([])
    expect(await query('select id from two')).toEqual([{ id: 2 }])
  })

  it('run once when many processes start at the same time', async () => {
    const migrations = await filesOf(TWO)
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => migrate(database.url, { migrations })))
    expect(outcomes.filter(names => names.length > 0)).toEqual([['0001_one', '0002_two']])
    expect(await query('select id from two')).toEqual([{ id: 2 }])
  })

  it('that fail leave the database as it was and are tried again', async () => {
    await migrateWith(ONE)
    const wrong = { ...ONE, '0002_two.sql': 'create table two (id int);\ninsert into tow values (2);' }
    await expect(migrateWith(wrong)).rejects.toMatchObject({
      code: 'migration_failed',
      message:
        'The migration 0002_two failed: relation "tow" does not exist. The database is as it was before.',
    })
    expect(await query(`select to_regclass('two') as two`)).toEqual([{ two: null }])
    expect(await migrateWith(TWO)).toEqual(['0002_two'])
  })

  it('that are killed in the middle are done again from the start', async () => {
    const slow = { ...ONE, '0002_two.sql': `${TWO['0002_two.sql']}\nselect pg_sleep(60);` }
    const processOfItsOwn = await spawnMigrate(slow)
    await eventually(async () => {
      const rows = await query(
        `select 1 from pg_stat_activity where query like '%pg_sleep(60)%' and pid <> pg_backend_pid()`,
      )
      expect(rows).toHaveLength(1)
    })
    processOfItsOwn.kill('SIGKILL')
    await once(processOfItsOwn, 'exit')
    // The session of the killed process ends when Postgres next writes to it; a statement it sleeps in is
    // ended here.
    await query(
      `select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(60)%' and pid <> pg_backend_pid()`,
    )
    expect(await migrateWith(TWO)).toEqual(['0002_two'])
    expect(await query('select id from two')).toEqual([{ id: 2 }])
  })

  it('release their locks when they have to wait for one, and retry', async () => {
    await migrateWith(ONE)
    const reader = new Client(database.url)
    await reader.connect()
    await reader.query('begin; select * from one')
    const migrating = migrateWith({ ...ONE, '0002_wider.sql': 'alter table one add column name text;' })
    await eventually(async () =>
      expect(await query(`select 1 from pg_locks where not granted`)).toHaveLength(1),
    )
    await eventually(async () =>
      expect(await query(`select 1 from pg_locks where not granted`)).toHaveLength(0),
    )
    // In the pause others continue, though the migration is not done.
    expect(await query('select * from one')).toEqual([])
    await reader.query('commit')
    await reader.end()
    expect(await migrating).toEqual(['0002_wider'])
  })

  it('without a transaction release their locks, too', async () => {
    await migrateWith(ONE)
    const reader = new Client(database.url)
    await reader.connect()
    await reader.query('begin; select * from one')
    const wider = '-- no transaction\nalter table one add column if not exists name text;\n'
    const migrating = migrateWith({ ...ONE, '0002_wider.sql': wider })
    const waiting = () => query(`select 1 from pg_locks where not granted`)
    await eventually(async () => expect(await waiting()).toHaveLength(1))
    await eventually(async () => expect(await waiting()).toHaveLength(0))
    expect(await query('select * from one')).toEqual([])
    await reader.query('commit')
    await reader.end()
    expect(await migrating).toEqual(['0002_wider'])
  })

  it('without a transaction build an index while others write, and resume on request', async () => {
    const index = '-- no transaction\ncreate index concurrently if not exists one_id on one (id);\n'
    const broken = { ...ONE, '0002_index.sql': `${index}select 1 / (select count(*) from one);\n` }
    await expect(migrateWith(broken)).rejects.toMatchObject({ code: 'migration_failed' })
    await expect(migrateWith(broken)).rejects.toMatchObject({
      code: 'half_migrated',
      message: expect.stringContaining(
        '0002_index was started and never finished. "sheetcast migrate --resume"',
      ),
    })
    await query('insert into one values (1)')
    expect(await migrateWith(broken, { resume: true })).toEqual(['0002_index'])
    expect(await migrateWith(broken)).toEqual([])
  })

  it('are numbered without gaps', async () => {
    await expect(filesOf({ ...ONE, '0003_three.sql': '' })).rejects.toThrow('0003_three.sql')
  })

  it('are the same whatever the line ends of the checkout', async () => {
    await migrateWith(TWO)
    const windows = Object.fromEntries(
      Object.entries(TWO).map(([name, text]) => [name, text.replaceAll('\n', '\r\n')]),
    )
    expect(await migrateWith(windows)).toEqual([])
  })
})

describe('a database is refused and left unchanged', () => {
  const THREE = { ...TWO, '0003_three.sql': 'create table three (id int);' }

  it('when a newer version has migrated it', async () => {
    await migrateWith(TWO)
    await query(`insert into schema_migration values ('0003_other', 'x', now(), now())`)
    expect(await refusal(THREE)).toMatchObject({
      code: 'newer',
      message: expect.stringContaining('newer version of Sheetcast (0003_other)'),
    })
  })

  it('when a migration that has run was edited', async () => {
    await migrateWith(TWO)
    expect(await refusal({ ...THREE, '0001_one.sql': 'create table one (id bigint);' })).toMatchObject({
      code: 'altered',
      message: expect.stringContaining('0001_one'),
    })
  })

  it('when a migration between others has not run', async () => {
    await migrateWith(TWO)
    await query(`delete from schema_migration where name = '0001_one'`)
    expect(await refusal(THREE)).toMatchObject({ code: 'altered' })
  })

  it('when it holds tables of another program', async () => {
    await query('create table invoice (id int)')
    expect(await refusal(THREE)).toMatchObject({
      code: 'not_ours',
      message: expect.stringContaining('invoice'),
    })
    expect(await query(`select to_regclass('schema_migration') as record`)).toEqual([{ record: null }])
  })
})

it('a database with damaged pages is refused in words', async () => {
  const data_dir = await mkdtemp(join(tmpdir(), 'sheetcast-migrate-'))
  folders.push(data_dir)
  const migrations = await filesOf(ONE)
  const first = await startEmbedded({ data_dir, command: 'test' })
  await migrate(first.url, { migrations })
  const direct = new Client(first.url)
  await direct.connect()
  const { rows } = await direct.query<{ path: string }>(
    `select pg_relation_filepath('schema_migration') as path`,
  )
  await direct.end()
  await first.stop()
  const file = await open(join(data_dir, 'postgres', rows[0]?.path ?? ''), 'r+')
  await file.write(Buffer.from('damage'), 0, 6, 4000)
  await file.close()

  const second = await startEmbedded({ data_dir, command: 'test' })
  await expect(migrate(second.url, { migrations })).rejects.toMatchObject({
    code: 'damaged',
    message: expect.stringMatching(/^The database is damaged: invalid page/),
  })
  await second.stop()
})

it('the migrations of the product run on an empty database', async () => {
  expect(await migrate(database.url)).toEqual((await readMigrations()).map(({ name }) => name))
})

async function migrateWith(files: Record<string, string>, options: { resume?: boolean } = {}) {
  return await migrate(database.url, { migrations: await filesOf(files), ...options })
}

/** Why the files were refused; 'touched' if they were not, or not in time. */
async function refusal(files: Record<string, string>) {
  const failure = await migrateWith(files).catch((error: unknown) => error)
  const [touched] = await query(`select to_regclass('three') is not null as by_us`)
  return touched?.by_us ? 'touched' : failure
}

async function filesOf(files: Record<string, string>) {
  return await readMigrations(await folderOf(files))
}

async function folderOf(files: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'sheetcast-migrate-'))
  folders.push(folder)
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

async function spawnMigrate(files: Record<string, string>) {
  const program = `
    import { migrate, readMigrations } from ${JSON.stringify(new URL('./migrate.ts', import.meta.url).href)}
    await migrate(process.argv[1], { migrations: await readMigrations(process.argv[2]) })`
  const args = ['--input-type=module-typescript', '-e', program, database.url, await folderOf(files)]
  return spawn(process.execPath, args, { stdio: 'inherit' })
}

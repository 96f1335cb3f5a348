import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Client, ClientBase } from 'pg'
import { backoffMs } from '#server/backoff.ts'
import { isDamage, openSession } from './connect.ts'
import { DatabaseProblem, codeOf, textOf } from './problem.ts'
import { prepareReader } from './reader.ts'

export type Migration = { name: string; text: string; checksum: string; transactional: boolean }

export type MigrateOptions = {
  migrations?: Migration[]
  /**
   * Run a migration again that was cut off half-way; those without a transaction are written so that they may
   * be.
   */
  resume?: boolean
  log?: (message: string) => void
}

/**
 * Brings the database to the newest migration and returns the names of those applied. Many processes may do
 * it at once: the first does the work, the others wait for it. A database in an unknown state is refused
 * before anything is written.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const { migrations = await readMigrations(), resume = false, log = () => undefined } = options
  const client = await openSession(url, 'migrate')
  try {
    await client.query(`select pg_advisory_lock(${MIGRATION_LOCK})`)
    const recorded = await readRecorded(client)
    refuseUnknownState(migrations, recorded, { resume })
    if (recorded.length === 0) await refuseForeignTables(client)

    const finished = new Set(recorded.filter(({ finished_at }) => finished_at).map(({ name }) => name))
    const pending = migrations.filter(({ name }) => !finished.has(name))
    if (pending.length > 0) await client.query(CREATE_RECORD)
    for (const migration of pending) {
      log(`migrating: ${migration.name}`)
      await (migration.transactional
        ? applyInTransaction(client, migration)
        : applyInSteps(client, migration))
    }
    await prepareReader(client, log)
    return pending.map(({ name }) => name)
  } catch (error) {
    if (!isDamage(error)) throw error
    throw new DatabaseProblem('damaged', `The database is damaged: ${textOf(error)}. Nothing was changed.`, {
      cause: error,
    })
  } finally {
    await client.end()
  }
}

/** The migrations of a folder in their order; the name is the file's without the ending. */
export async function readMigrations(folder = MIGRATIONS_FOLDER): Promise<Migration[]> {
  const files = (await readdir(folder)).filter(file => file.endsWith('.sql')).toSorted()
  const wrong = files.find((file, index) => !file.startsWith(`${String(index + 1).padStart(4, '0')}_`))
  if (wrong) throw new Error(`migrations are numbered 0001_, 0002_, … without gaps: ${wrong}`)
  return await Promise.all(
    files.map(async file => {
      // A checkout with CRLF is the same migration.
      const text = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n')
      const checksum = createHash('sha256').update(text).digest('hex')
      return {
        name: file.slice(0, -'.sql'.length),
        text,
        checksum,
        transactional: !text.startsWith(NO_TRANSACTION),
      }
    }),
  )
}

/**
 * Runs migrations inside the caller's transaction, also those that are otherwise done in steps: on tables
 * that no other session sees, an index need not be built concurrently.
 */
export async function applyWithin(client: ClientBase, migrations: Migration[]): Promise<void> {
  await client.query(CREATE_RECORD)
  for (const migration of migrations) {
    await client.query(migration.text.replaceAll(/\bconcurrently\b/gi, ''))
    await record(client, migration)
  }
}

const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../../db/migrations', import.meta.url))
// First line of a file whose statements cannot run in a transaction (create index concurrently); each must be
// repeatable.
const NO_TRANSACTION = '-- no transaction'
/** Held alone to change the schema, shared to read all of it. The letters "migr" as ASCII. */
export const MIGRATION_LOCK = 0x6d696772

const CREATE_RECORD = `create table if not exists schema_migration (
  name text primary key,
  checksum text not null,
  started_at timestamptz not null default now(),
  finished_at timestamptz
)`

export type Recorded = { name: string; checksum: string; finished_at: Date | null }

export async function readRecorded(client: ClientBase): Promise<Recorded[]> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('schema_migration') is not null as there`,
  )
  if (!rows[0]?.there) return []
  const found = await client.query<Recorded>(
    'select name, checksum, finished_at from schema_migration order by name',
  )
  return found.rows
}

/** Refuses a database that is newer than this program, was migrated by other files, or only in part. */
export function refuseUnknownState(
  migrations: Migration[],
  recorded: Recorded[],
  { resume = false } = {},
): void {
  const known = new Map(migrations.map(migration => [migration.name, migration]))
  const newer = recorded.filter(({ name }) => !known.has(name)).map(({ name }) => name)
  if (newer.length > 0)
    throw new DatabaseProblem(
      'newer',
      `The database was migrated by a newer version of Sheetcast (${newer.join(', ')}). Start that version, or restore a backup made before. Nothing was changed.`,
    )
  const altered = recorded.find(({ name, checksum }) => known.get(name)?.checksum !== checksum)
  if (altered)
    throw new DatabaseProblem(
      'altered',
      `The database was migrated by another ${altered.name} than db/migrations/${altered.name}.sql. A migration that has run must not be edited. Nothing was changed.`,
    )
  const half = recorded.find(({ finished_at }) => finished_at === null)
  if (half && !resume)
    throw new DatabaseProblem(
      'half_migrated',
      `The migration ${half.name} was started and never finished. "sheetcast migrate --resume" runs it again. Nothing was changed.`,
    )
  const missing = migrations
    .slice(0, recorded.length)
    .find(({ name }, index) => recorded[index]?.name !== name)
  if (missing)
    throw new DatabaseProblem(
      'altered',
      `The database has later migrations but not ${missing.name}; migrations run in the order of their numbers. Nothing was changed.`,
    )
}

/** Refuses a database without our record that has tables all the same. */
export async function refuseForeignTables(client: ClientBase) {
  const { rows } = await client.query<{ name: string }>(`
    select c.relname as name from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
      and c.relname <> 'schema_migration'
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by 1 limit 3`)
  if (rows.length > 0)
    throw new DatabaseProblem(
      'not_ours',
      `The database holds tables that are not Sheetcast's (${rows.map(({ name }) => name).join(', ')}, …). Give Sheetcast a database of its own. Nothing was changed.`,
    )
}

async function applyInTransaction(client: Client, migration: Migration) {
  try {
    await givingWay(async () => {
      await client.query('begin')
      try {
        await client.query(`set local lock_timeout = '${LOCK_MS}ms'`)
        await client.query(migration.text)
        await record(client, migration)
        await client.query('commit')
      } catch (error) {
        await client.query('rollback').catch(() => undefined)
        throw error
      }
    })
  } catch (error) {
    throw failed(migration, error, 'The database is as it was before.')
  }
}

/** A session that waits for a lock makes all others wait behind it: give up after half a second and retry. */
async function givingWay(work: () => Promise<unknown>) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await work()
      return
    } catch (error) {
      if (!IN_THE_WAY.has(codeOf(error) ?? '') || attempt === LOCK_ATTEMPTS) throw error
      await sleep(backoffMs(attempt, PAUSES))
    }
  }
}

/** Less than deadlock_timeout, which is a second: in a deadlock the migration is the one that gives up. */
const LOCK_MS = 500
/** lock_not_available, deadlock_detected */
const IN_THE_WAY = new Set(['55P03', '40P01'])
const LOCK_ATTEMPTS = 30
const PAUSES = { first_ms: 200, longest_ms: 5000 }

async function applyInSteps(client: Client, migration: Migration) {
  await client.query(
    `insert into schema_migration (name, checksum) values ($1, $2)
     on conflict (name) do update set started_at = now(), checksum = excluded.checksum`,
    [migration.name, migration.checksum],
  )
  try {
    for (const statement of migration.text.split(/;\s*$/m))
      if (statement.trim()) await step(client, statement)
  } catch (error) {
    throw failed(migration, error, 'Mend the cause, then run "sheetcast migrate --resume".')
  }
  await client.query('update schema_migration set finished_at = now() where name = $1', [migration.name])
}

/** What is done concurrently waits for all other transactions to end, and blocks nothing meanwhile. */
async function step(client: Client, statement: string) {
  const waitsAlone = /\bconcurrently\b/i.test(statement)
  await client.query(`set lock_timeout = ${waitsAlone ? 0 : LOCK_MS}`)
  await givingWay(() => client.query(statement))
}

async function record(client: ClientBase, { name, checksum }: Migration) {
  await client.query('insert into schema_migration (name, checksum, finished_at) values ($1, $2, now())', [
    name,
    checksum,
  ])
}

const failed = ({ name }: Migration, error: unknown, now: string) =>
  new DatabaseProblem('migration_failed', `The migration ${name} failed: ${textOf(error)}. ${now}`, {
    cause: error,
  })

import { createHash, type Hash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { escapeIdentifier, type ClientBase } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { readArchive, unreadable } from './archive.ts'
import { MANIFEST, Manifest, SESSION, copyOut, listTables, type Table } from './backup.ts'
import { openSession } from './connect.ts'
import {
  MIGRATION_LOCK,
  applyWithin,
  readMigrations,
  readRecorded,
  refuseForeignTables,
  type Migration,
} from './migrate.ts'
import { DatabaseProblem, codeOf, textOf } from './problem.ts'
import { prepareReader } from './reader.ts'

export type RestoreOptions = {
  /** Replace existing data. */
  force?: boolean
  migrations?: Migration[]
  log?: (message: string) => void
}

/**
 * Replaces the content of the database by a backup, in one transaction: on any failure or kill the database
 * is as it was. The file is read twice, first to check it completely; the restored rows are read back and
 * compared with it.
 */
export async function restore(url: string, path: string, options: RestoreOptions = {}): Promise<Manifest> {
  const { force = false, migrations = await readMigrations(), log = () => undefined } = options
  log('checking the file')
  const manifest = await checkArchive(path)
  refuseOtherVersion(manifest, migrations)

  const client = await openSession(url, 'restore')
  try {
    await refuseBusy(client)
    if ((await readRecorded(client)).length === 0) await refuseForeignTables(client)
    else if (!force) await refuseFilled(client)
    await client.query('begin')
    await replaceAll(client, path, { manifest, migrations, log })
    await client.query('commit')
    await prepareReader(client, log)
    await client.query('analyze')
    return manifest
  } catch (error) {
    if (error instanceof DatabaseProblem) throw error
    const busy = codeOf(error) === '55P03'
    throw new DatabaseProblem(
      busy ? 'busy' : 'migration_failed',
      `The backup could not be restored: ${busy ? 'the database is in use' : textOf(error)}. Nothing was changed.`,
      { cause: error },
    )
  } finally {
    await client.end()
  }
}

type Plan = { manifest: Manifest; migrations: Migration[]; log: (message: string) => void }

async function replaceAll(client: ClientBase, path: string, { manifest, migrations, log }: Plan) {
  await client.query(`set local lock_timeout = '10s'; ${SESSION}`)
  await client.query(DROP_ALL)
  const then = manifest.migrations.length
  await applyWithin(client, migrations.slice(0, then))
  const tables = await listTables(client)
  refuseOtherTables(tables, manifest)

  const foreignKeys = await dropForeignKeys(client)
  for (const { name } of tables)
    await client.query(`alter table ${escapeIdentifier(name)} disable trigger user`)
  // Migrations may have put rows there.
  await client.query(`truncate ${tables.map(({ name }) => escapeIdentifier(name)).join(', ')}`)
  await copyIn(client, path, { manifest, log })
  for (const { name, last_value, is_called } of manifest.sequences)
    await client.query('select setval($1::regclass, $2, $3)', [escapeIdentifier(name), last_value, is_called])

  log('comparing with the file')
  for (const table of tables) await refuseDifference(client, table, manifest)
  for (const { name } of tables)
    await client.query(`alter table ${escapeIdentifier(name)} enable trigger user`)
  for (const statement of foreignKeys) await client.query(statement)
  await applyWithin(client, migrations.slice(then))
}

/** Reads the whole file once and compares it with its own manifest. */
export async function checkArchive(path: string): Promise<Manifest> {
  const found = new Map<string, { hash: Hash; bytes: number }>()
  let manifest: Manifest | undefined
  for await (const { name, bytes } of readArchive(path)) {
    if (name === MANIFEST) {
      manifest = parseManifest(bytes)
      continue
    }
    const table = tableOf(name)
    const sum = found.get(table) ?? { hash: createHash('sha256'), bytes: 0 }
    sum.hash.update(bytes)
    found.set(table, { hash: sum.hash, bytes: sum.bytes + bytes.length })
  }
  if (!manifest) throw unreadable('it has no manifest')
  for (const { name, bytes, sha256 } of manifest.tables) {
    const sum = found.get(name) ?? { hash: createHash('sha256'), bytes: 0 }
    found.delete(name)
    if (sum.bytes !== bytes || sum.hash.digest('hex') !== sha256)
      throw unreadable(`table ${name} is not what was backed up`)
  }
  if (found.size > 0)
    throw unreadable(`it holds more than its manifest says (${[...found.keys()].join(', ')})`)
  return manifest
}

function parseManifest(bytes: Buffer) {
  try {
    return Manifest.parse(JSON.parse(bytes.toString()))
  } catch (error) {
    throw unreadable(`its manifest cannot be read (${textOf(error)})`)
  }
}

const tableOf = (entry: string) => /^tables\/([^/]+)\/\d{6}\.copy$/.exec(entry)?.[1] ?? entry

function refuseOtherVersion(manifest: Manifest, migrations: Migration[]) {
  const unknown = manifest.migrations.find(
    ({ name, checksum }, index) =>
      migrations[index]?.name !== name || migrations[index].checksum !== checksum,
  )
  if (unknown)
    throw new DatabaseProblem(
      'newer',
      `The backup was made by another version of Sheetcast: its migration ${unknown.name} is not one of this version. Restore it with that version or a newer one. Nothing was changed.`,
    )
}

/** All other users of this database must have stopped: they would go on with ids that no longer exist. */
async function refuseBusy(client: ClientBase) {
  const taken = await client.query<{ taken: boolean }>(
    `select pg_try_advisory_lock(${MIGRATION_LOCK}) as taken`,
  )
  let others = await otherSessions(client)
  // A session that has just ended is listed for another moment.
  for (let tries = 1; others.length > 0 && tries < 20; tries += 1) {
    await sleep(50)
    others = await otherSessions(client)
  }
  if (others.length > 0 || !taken.rows[0]?.taken)
    throw new DatabaseProblem(
      'busy',
      `The database is in use by ${others.join(', ')}. Stop that first. Nothing was changed.`,
    )
}

async function otherSessions(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ who: string }>(`
    select distinct coalesce(nullif(application_name, ''), 'a program without a name') as who from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' order by 1`)
  return rows.map(({ who }) => who)
}

/** Whoever changes rows of these has an account: then the table of users is not empty either. */
const FILLED_BY_MIGRATIONS = new Set(['industry', 'issuer', 'link_preset'])

async function refuseFilled(client: ClientBase) {
  for (const { name } of await listTables(client)) {
    if (FILLED_BY_MIGRATIONS.has(name)) continue
    const { rows } = await client.query(`select from ${escapeIdentifier(name)} limit 1`)
    if (rows.length > 0)
      throw new DatabaseProblem(
        'not_empty',
        `The database is not empty (table ${name} has rows). "sheetcast restore FILE --force" replaces everything in it. Nothing was changed.`,
      )
  }
}

function refuseOtherTables(tables: Table[], manifest: Manifest) {
  const here = new Set(tables.map(shape))
  const other = manifest.tables.map(shape).find(text => !here.delete(text)) ?? [...here][0]
  if (other) throw unreadable(`its migrations do not make the tables that it holds (${other})`)
}

const shape = ({ name, columns }: { name: string; columns: string[] }) => `${name} (${columns.join(', ')})`

async function copyIn(client: ClientBase, path: string, { manifest, log }: Pick<Plan, 'manifest' | 'log'>) {
  const entries = readArchive(path)
  let next = await entries.next()
  async function* partsOf(table: string) {
    for (; !next.done && tableOf(next.value.name) === table; next = await entries.next())
      yield next.value.bytes
  }
  while (!next.done && next.value.name !== MANIFEST) {
    const table = tableOf(next.value.name)
    const columns = manifest.tables.find(({ name }) => name === table)?.columns ?? []
    const list = columns.map(escapeIdentifier).join(', ')
    log(`restoring ${table}`)
    await pipeline(
      partsOf(table),
      client.query(copyFrom(`copy ${escapeIdentifier(table)} (${list}) from stdin`)),
    )
  }
}

async function refuseDifference(client: ClientBase, table: Table, manifest: Manifest) {
  const hash = createHash('sha256')
  for await (const chunk of copyOut(client, table)) hash.update(chunk)
  const sha256 = manifest.tables.find(({ name }) => name === table.name)?.sha256
  if (hash.digest('hex') !== sha256)
    throw new DatabaseProblem(
      'damaged',
      `Table ${table.name} differs from the backup when it is read back. Nothing was changed.`,
    )
}

/**
 * Drops the foreign keys; returns how to create them again, which checks every row. Without them tables may
 * come in any order, and with circular references.
 */
async function dropForeignKeys(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ drop: string; add: string }>(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
    from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0
    order by conrelid::regclass::text, conname`)
  for (const { drop } of rows) await client.query(drop)
  return rows.map(({ add }) => add)
}

// One by one and not by dropping the schema, which may belong to the operator and hold the operator's
// extensions.
const DROP_ALL = `do $$
declare statement text;
begin
  -- Messages of earlier releases.
  drop schema if exists pgboss cascade;
  -- All statements are built before the first is run: afterwards some of the names no longer exist.
  foreach statement in array array(
    select format('drop %s if exists %s cascade',
      case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end,
      oid::regclass)
    from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('v', 'm', 'r', 'p', 'S')
      and not exists (select from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype in ('e', 'i', 'a'))
    union all
    select format('drop routine if exists %s cascade', oid::regprocedure)
    from pg_proc p where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.classid = 'pg_proc'::regclass and d.deptype = 'e')
    union all
    select format('drop type if exists %s cascade', oid::regtype)
    from pg_type t where typnamespace = 'public'::regnamespace and typtype in ('e', 'd')
      and not exists (select from pg_depend d where d.objid = t.oid and d.classid = 'pg_type'::regclass and d.deptype = 'e')
  ) loop
    execute statement;
  end loop;
end $$`

import { createHash } from 'node:crypto'
import { escapeIdentifier, type ClientBase } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { z } from 'zod'
import { writeArchive, type Entry } from './archive.ts'
import { openSession } from './connect.ts'
import { MIGRATION_LOCK, readRecorded } from './migrate.ts'
import { DatabaseProblem } from './problem.ts'

/** The manifest of a backup, by which it is checked; the last entry of the archive. */
export const Manifest = z.strictObject({
  format: z.literal(1),
  made_at: z.iso.datetime(),
  postgres: z.string(),
  migrations: z.array(z.strictObject({ name: z.string(), checksum: z.string() })).min(1),
  tables: z.array(
    z.strictObject({
      name: z.string(),
      columns: z.array(z.string()).min(1),
      rows: z.int(),
      bytes: z.int(),
      sha256: z.string(),
    }),
  ),
  sequences: z.array(z.strictObject({ name: z.string(), last_value: z.int(), is_called: z.boolean() })),
})
export type Manifest = z.infer<typeof Manifest>

export const MANIFEST = 'manifest.json'

/**
 * Writes all tables, as they are at one instant, to a file, while Sheetcast goes on working. The queue is
 * left out: it only holds the ids of runs, and the runs are included.
 */
export async function backup(url: string, path: string, now: Date): Promise<Manifest> {
  const client = await openSession(url, 'backup')
  try {
    // Backups may overlap each other, but no migration.
    await client.query(`select pg_advisory_lock_shared(${MIGRATION_LOCK})`)
    const migrations = await readRecorded(client)
    if (migrations.length === 0)
      throw new DatabaseProblem(
        'not_ours',
        'There is nothing to back up: the database has no tables of Sheetcast.',
      )
    if (migrations.some(({ finished_at }) => finished_at === null))
      throw new DatabaseProblem(
        'half_migrated',
        'A migration was started and never finished; finish it before a backup.',
      )

    const tables = await listTables(client)
    await client.query('begin isolation level repeatable read read only')
    // Before the first query, which fixes the instant: a table emptied meanwhile would be seen empty.
    for (const { name } of tables)
      await client.query(`lock table ${escapeIdentifier(name)} in access share mode`)
    await client.query(SESSION)
    const manifest: Manifest = {
      format: 1,
      made_at: now.toISOString(),
      postgres: await serverVersion(client),
      migrations: migrations.map(({ name, checksum }) => ({ name, checksum })),
      tables: [],
      sequences: await readSequences(client),
    }
    await writeArchive(path, entriesOf(client, tables, manifest))
    return manifest
  } finally {
    await client.end()
  }
}

export type Table = { name: string; columns: string[]; order: string[] }

/**
 * Our tables with the columns that hold data of their own, and the order in which rows are written; unlogged
 * ones are left out, since their content is expendable.
 */
export async function listTables(client: ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select c.relname as name,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
      array(select a.attname::text from pg_index i, unnest(i.indkey) with ordinality k (attnum, position), pg_attribute a
        where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid and a.attnum = k.attnum order by k.position) as order
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> 'schema_migration' and c.relpersistence <> 'u'
      and not exists (select from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype = 'e')
    order by c.relname`)
  return rows
}

/**
 * The rows of a table as text, in the order of its key, and their sum; `SESSION` makes the text the same
 * everywhere.
 */
export async function* copyOut(client: ClientBase, { name, columns, order }: Table) {
  const list = columns.map(escapeIdentifier).join(', ')
  const by = order.length > 0 ? order.map(escapeIdentifier).join(', ') : `(${list})::text`
  const rows = client.query(
    copyTo(`copy (select ${list} from ${escapeIdentifier(name)} order by ${by}) to stdout`),
  )
  yield* rows
  return rows.rowCount
}

/**
 * Settings on which the text of values depends. With row_security off, hidden rows are an error and not a
 * gap.
 */
export const SESSION = `
  set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres';
  set local extra_float_digits = 1; set local bytea_output = 'hex'; set local row_security = off;
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`

const PART_SIZE = 4_000_000

async function* entriesOf(client: ClientBase, tables: Table[], manifest: Manifest): AsyncGenerator<Entry> {
  for (const table of tables) {
    const hash = createHash('sha256')
    let bytes = 0
    let parts = 0
    let pending: Buffer[] = []
    let pendingSize = 0
    const part = () => {
      const entry = { name: entryName(table.name, parts), bytes: Buffer.concat(pending) }
      hash.update(entry.bytes)
      bytes += entry.bytes.length
      parts += 1
      pending = []
      pendingSize = 0
      return entry
    }
    const rows = copyOut(client, table)
    let next = await rows.next()
    for (; !next.done; next = await rows.next()) {
      pending.push(next.value)
      pendingSize += next.value.length
      if (pendingSize >= PART_SIZE) yield part()
    }
    if (pendingSize > 0) yield part()
    manifest.tables.push({
      name: table.name,
      columns: table.columns,
      rows: next.value,
      bytes,
      sha256: hash.digest('hex'),
    })
  }
  yield { name: MANIFEST, bytes: Buffer.from(JSON.stringify(manifest, null, 2)) }
}

const entryName = (table: string, part: number) => `tables/${table}/${String(part + 1).padStart(6, '0')}.copy`

/**
 * Sequences do not belong to an instant; one read later is only further, which leaves a gap and never a
 * conflict.
 */
async function readSequences(client: ClientBase): Promise<Manifest['sequences']> {
  const { rows } = await client.query<{ name: string }>(
    `select sequencename as name from pg_sequences where schemaname = 'public' order by 1`,
  )
  const read = async ({ name }: { name: string }) => {
    const state = await client.query<{ last_value: number; is_called: boolean }>(
      `select last_value, is_called from ${escapeIdentifier(name)}`,
    )
    return state.rows.map(({ last_value, is_called }) => ({ name, last_value, is_called }))
  }
  const sequences: Manifest['sequences'] = []
  for (const row of rows) sequences.push(...(await read(row)))
  return sequences
}

async function serverVersion(client: ClientBase) {
  const { rows } = await client.query<{ server_version: string }>('show server_version')
  return rows[0]?.server_version ?? '?'
}

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { openDatabase } from '#server/db/connect.ts'
import type { ProductProcess } from './product.ts'

// Everything that a product keeps, as text to search for what it must not keep.

/** Every row of every table, those of the queue included. */
export async function tablesOf({ env }: Pick<ProductProcess, 'env'>): Promise<string> {
  const database = await openDatabase(
    { database_url: null, data_dir: env['DATA_DIR'] ?? '' },
    { command: 'test', share: true },
  )
  try {
    const { rows } = await database.pool.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
    )
    const texts: string[] = []
    for (const { name } of rows) {
      const { rows: kept } = await database.pool.query<{ text: string }>(
        `select t::text as text from ${name} t`,
      )
      texts.push(name, ...kept.map(row => row.text))
    }
    return texts.join('\n')
  } finally {
    await database.close()
  }
}

/** The bytes of a backup. */
export function backupOf({ env }: Pick<ProductProcess, 'env'>): string {
  const file = join(env['DATA_DIR'] ?? '', '..', 'canary.tar.gz')
  const root = join(import.meta.dirname, '..')
  execFileSync(process.execPath, ['src/cli/sheetcast.ts', 'backup', file], { cwd: root, env })
  return gunzipSync(readFileSync(file)).toString('latin1')
}

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeSchema } from '#server/db/describe-schema.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'

/**
 * Writes db/schema.sql, what all migrations together amount to: read it to know the tables, and its history
 * to know what a migration did. `--check` writes nothing and fails when it is out of date. pg_dump is no part
 * of the embedded Postgres, so the text is made from the catalogue.
 */
const FILE = fileURLToPath(new URL('../db/schema.sql', import.meta.url))

const schema = await schemaAfterMigrations()
if (process.argv.includes('--check')) {
  const found = await readFile(FILE, 'utf8').catch(() => '')
  if (found !== schema) {
    console.error(
      `db/schema.sql is not what the migrations make; run "node scripts/schema.ts".\n${difference(found, schema)}`,
    )
    process.exitCode = 1
  }
} else {
  await writeFile(FILE, schema)
}

async function schemaAfterMigrations() {
  const data_dir = await mkdtemp(join(tmpdir(), 'sheetcast-schema-'))
  try {
    const server = await startEmbedded({ data_dir, command: 'schema', durable: false })
    try {
      await migrate(server.url)
      return await describeSchema(server.url)
    } finally {
      await server.stop()
    }
  } finally {
    await rm(data_dir, { recursive: true, force: true })
  }
}

/** The lines that differ, between the common head and the common tail. */
function difference(found: string, expected: string) {
  const [before, after] = [found.split('\n'), expected.split('\n')]
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1
  let tail = 0
  while (tail < Math.min(before.length, after.length) - head && before.at(-1 - tail) === after.at(-1 - tail))
    tail += 1
  const lines = (sign: string, text: string[]) =>
    text.slice(head, text.length - tail).map(line => `${sign}${line}`)
  return [`@@ line ${head + 1}`, ...lines('-', before), ...lines('+', after)].join('\n')
}

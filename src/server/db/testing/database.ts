import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, inject } from 'vitest'
import { connect, type OpenDatabase } from '#server/db/connect.ts'

/**
 * A migrated database of the test's own, a clone of the template (about 50 ms): call it once per test file,
 * at its top or in a `describe`. It is dropped after the last test.
 */
export async function testDatabase(): Promise<OpenDatabase> {
  const { url, drop } = await createTestDatabase({ template: 'sheetcast_template' })
  const opened = await connect(url, { command: 'test', pool_size: 10 })
  afterAll(async () => {
    await opened.close()
    await drop()
  })
  return opened
}

/** An empty database, or a clone; for tests that bring their own schema. */
export const createTestDatabase = ({ template = 'template0' } = {}) =>
  cloneDatabase(databaseOf(inject('test_server_url'), template))

/** A copy of this database on the same server; nothing may be connected to it. */
export async function cloneDatabase(templateUrl: string) {
  const template = new URL(templateUrl).pathname.slice(1)
  const serverUrl = databaseOf(templateUrl, 'postgres')
  const name = `test_${randomBytes(6).toString('hex')}`
  // Copied as files: half the time of writing each page to the log.
  await onServer(serverUrl, `create database ${name} template ${template} strategy file_copy`)
  return {
    url: databaseOf(templateUrl, name),
    drop: () => onServer(serverUrl, `drop database if exists ${name} with (force)`),
  }
}

const databaseOf = (url: string, name: string) => url.replace(/[^/]*$/, name)

async function onServer(url: string, statement: string) {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

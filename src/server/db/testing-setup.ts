import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from './embedded.ts'
import { migrate } from './migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    test_server_url: string
  }
}

/** One server for the whole test run, with a template database that is migrated once. */
export default async function setup(project: TestProject) {
  const data_dir = await mkdtemp(join(tmpdir(), 'sheetcast-test-'))
  const server = await startEmbedded({ data_dir, command: 'test', durable: false })
  const client = new Client({ connectionString: server.url })
  await client.connect()
  await client.query('create database sheetcast_template')
  await client.end()
  await migrate(server.url.replace(/[^/]*$/, 'sheetcast_template'))
  project.provide('test_server_url', server.url)

  return async () => {
    await server.stop()
    await rm(data_dir, { recursive: true, force: true })
  }
}

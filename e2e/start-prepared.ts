import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { openSandbox } from '#sandbox/open.ts'
import { readConfig } from '#server/config.ts'
import { copyWithOwners } from '#server/db/testing/copy.ts'
import { cloneDatabase } from '#server/db/testing/database.ts'
import { startProduct as startHere } from '#server/main.ts'
import { untilPrepared } from './prepared.ts'
import {
  newFolder,
  sandboxOf,
  settingsOfTests,
  startProduct,
  type ProductProcess,
  type RunningProduct,
} from './product.ts'

/**
 * The product and its sandbox within this thread, on a copy of the prepared demo: a process of its own would
 * load and compile all of it again, a thread of its own the sandbox. For a few files nothing is prepared, and
 * the folder is empty.
 */
export async function startPrepared(env: Record<string, string> = {}): Promise<RunningProduct> {
  const { demo } = await untilPrepared()
  if (demo === undefined) return await startProduct(env)
  const folder = newFolder()
  const DATA_DIR = join(folder, 'data')
  cpSync(demo.folder, DATA_DIR, { recursive: true, filter: path => path !== join(demo.folder, 'postgres') })
  const { url: DATABASE_URL, drop } = await cloneDatabase(demo.database)
  const settings = await settingsOfTests()
  const read = readConfig({ ...settings, DATA_DIR, DATABASE_URL, ...env })
  if ('problems' in read) throw new Error(read.problems.join('\n'))
  let output = ''
  const log = pino({ level: read.config.log_level }, { write: line => (output += line) })
  const product = await startHere(read.config, log, { openSandbox, max_event_loop_delay_ms: 0 })
  return {
    origin: product.origin ?? '',
    sandbox: sandboxOf(settings),
    output: () => output,
    async stop() {
      await product.stop()
      await drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The same in a process of its own with a database of its own, for further processes to join. */
export async function startPreparedProcess(env: Record<string, string> = {}): Promise<ProductProcess> {
  const { demo } = await untilPrepared()
  if (demo === undefined) return await startProduct(env)
  const folder = newFolder()
  const dataDir = join(folder, 'data')
  copyWithOwners(demo.folder, dataDir)
  const product = await startProduct({ ...env, DATA_DIR: dataDir })
  return {
    ...product,
    async stop() {
      await product.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

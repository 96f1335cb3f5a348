import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { prepareDemo } from './prepared.ts'

/** The interface as it is now, built once before the browsers start, and, where all tests run, a demo for their products to begin with. */
export default async function setup() {
  buildInterface()
  if (process.env['PREPARE_DEMO'] !== '1') return
  const { remove } = await prepareDemo()
  return remove
}

export function buildInterface() {
  execFileSync(process.execPath, ['scripts/build-web.ts', '--if-needed'], {
    cwd: join(import.meta.dirname, '..'),
    stdio: 'inherit',
  })
}

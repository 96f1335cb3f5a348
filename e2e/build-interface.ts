import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The interface as it is now. */
export async function buildInterface() {
  const program = ['scripts/build-web.ts', '--if-needed']
  const { stdout } = await promisify(execFile)(process.execPath, program, {
    cwd: join(import.meta.dirname, '..'),
  })
  process.stdout.write(stdout)
}

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** The interface as it is now, built once before the browsers start. */
export default function setup() {
  execFileSync(process.execPath, ['scripts/build-web.ts', '--if-needed'], {
    cwd: join(import.meta.dirname, '..'),
    stdio: 'inherit',
  })
}
